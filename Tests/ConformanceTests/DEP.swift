import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite("DEP: dependent keys", .serialized, .leavesNothing)
struct DependentKeys {
  @Test("DEP-01 basic derived")
  func derived() throws {
    try onStage { stage in
      let n = try stage.node(), p = try stage.watcher()
      try n.add(p, "derived", .new)
      try n.assign("name", "Hello")
      #expect(p.told == ["derived setting new !!!Hello!!!"])
      try n.remove(p, "derived")
    }
  }

  @Test("DEP-03 two sources")
  func twoSources() throws {
    try onStage { stage in
      let object = try stage.pair(), p = try stage.watcher()
      try object.add(p, "both", .new)
      try object.assign("a", "first")
      try object.assign("b", "second")
      #expect(p.told == ["both setting new false", "both setting new true"])
      try object.remove(p, "both")
    }
  }

  @Test("DEP-04 two sub-path sources")
  func twoSubPaths() throws {
    try onStage { stage in
      let c = try stage.pair(), p = try stage.watcher()
      let t = try stage.define("Parent") {
        try $0.property("child", .object)
        try $0.method("both2", "B@:") { call in
          RuntimeValue(["child.a", "child.b"].allSatisfy { !call.receiver.isNil($0) })
        }
        try $0.key("both2", affectedBy: ["child.a", "child.b"])
      }.allocate()
      try t.add(p, "both2", .new)
      try t.assign("child", c)
      try c.assign("a", "x")
      try c.assign("b", "y")
      #expect(
        p.told == ["both2 setting new false", "both2 setting new false", "both2 setting new true"])
      try t.remove(p, "both2")
    }
  }

  @Test("DEP-06, DEP-07 cycle plus leaf", arguments: [["a", "b"], ["x", "y", "z"]])
  func cyclePlusLeaf(cycle: [String]) throws {
    try onStage { stage in
      let object = try stage.define("Cyclic") { builder in
        for (key, next) in zip(cycle, cycle.dropFirst() + cycle.prefix(1)) {
          try builder.property(key, .int64).key(key, affectedBy: [next])
        }
        try builder.properties(.int64, "leaf", "derived")
        try builder.key("derived", affectedBy: [cycle[0], "leaf"])
      }.allocate()
      let p = try stage.watcher()
      try object.assign("leaf", 1)
      try object.add(p, "derived")
      try object.assign("leaf", 2)
      #expect(p.told == ["derived setting"])
      try object.remove(p, "derived")
    }
  }

  @Test("DEP-09 two aliases of one path")
  func aliases() throws {
    try onStage { stage in
      let leaf = try stage.define("Leaf") {
        try $0.property("flag", .bool).property("value", .int64)
      }.allocate()
      let node = try stage.define("AliasedNode") {
        try $0.property("leaf", .object)
        try $0.method("score", "q@:") { RuntimeValue($0.receiver.number("leaf.value")) }
        try $0.key("score", affectedBy: ["leaf.value"])
      }.allocate()
      let holder = try stage.define("Holder") { try $0.property("node", .object) }.allocate()
      let root = try stage.define("Root") { builder in
        try builder.properties(.object, "holder").properties(.bool, "derived")
        for key in ["selectedA", "selectedB"] {
          try builder.method(RuntimeSelector(key), "@@:") { call in
            call.receiver.at("holder.node")
          }
          try builder.key(key, affectedBy: ["holder.node"])
        }
        try builder.key("derived", affectedBy: ["selectedA.leaf.flag", "selectedB.score"])
      }.allocate()
      let p = try stage.watcher()
      try node.assign("leaf", leaf)
      try root.assign("holder", holder)
      try root.add(p, "derived")
      try holder.assign("node", node)
      p.clear()
      try leaf.assign("value", 2)
      #expect(p.count == 1)
      try leaf.assign("flag", false)
      #expect(p.count == 2)
      try root.remove(p, "derived")
      #expect([leaf, node, holder].allSatisfy { !$0.isObserved })
    }
  }

  @Test("DEP-10 nil and cycle mixture")
  func nilAndCycle() throws {
    try onStage { stage in
      let root = try stage.define("Root") {
        try $0.property("a", .object)
        try $0.method("x", "q@:") { _ in 0 }
        try $0.key("x", affectedBy: ["a.b.c.d", "a.c.b.e"])
      }.allocate()
      let a = try stage.define("A") { try $0.properties(.object, "b", "c") }.allocate()
      let b = try stage.define("B") {
        try $0.properties(.object, "c").properties(.int64, "e")
      }.allocate()
      let cs = try stage.cClass()
      let cA = try cs.allocate(), cB = try cs.allocate(), c2 = try cs.allocate()
      try root.assign("a", a)
      try a.assign("b", b)
      try a.assign("c", cA)
      try cA.assign("b", b)
      try b.assign("c", cB)
      try cB.assign("f", 10)
      try c2.assign("d", "d")
      try c2.assign("f", 100)
      let p = try stage.watcher()
      try root.add(p, "x")
      let steps: [() throws -> Void] = [
        { try b.assign("e", 2) }, { try b.assign("c", c2) }, { try b.assign("e", 3) },
        { try c2.assign("f", 101) }, { try c2.assign("d", nil) }, { try c2.assign("f", 102) },
        { try b.assign("c", nil) }, { try b.assign("e", 4) },
      ]
      let counts = try steps.map { step in
        p.clear()
        try step()
        return p.count
      }
      #expect(counts == [1, 1, 1, 1, 1, 0, 1, 1])
      try root.remove(p, "x")
      #expect([a, b, cA, cB, c2].allSatisfy { !$0.isObserved })
      try cA.assign("b", nil)
    }
  }

  @Test("DEP-12 shared child, right old/new")
  func sharedChild() throws {
    try onStage { stage in
      let bar = try stage.define("Bar") { try $0.property("x", .int64) }.allocate()
      let foos = try stage.define("Foo") {
        try $0.property("a", .int64).property("bar", .object)
        try $0.sum("b", of: "a", "bar.x")
      }
      let first = try foos.allocate(), second = try foos.allocate()
      let p1 = try stage.watcher(), p2 = try stage.watcher()
      for (number, foo) in [(1, first), (2, second)] {
        try foo.assign("a", RuntimeValue(number))
        try foo.assign("bar", bar)
      }
      try first.add(p1, "b", [.old, .new])
      try second.add(p2, "b", [.old, .new])
      for _ in 1...2 { try bar.assign("x", 1) }
      #expect(p1.told == ["b setting old 1 new 2", "b setting old 2 new 2"])
      #expect(p2.told == ["b setting old 2 new 3", "b setting old 3 new 3"])
      try first.assign("a", 2)
      #expect(p1.told.last == "b setting old 2 new 3")
      #expect([p1.count, p2.count] == [3, 2])
      try first.remove(p1, "b")
      try second.remove(p2, "b")
    }
  }

  @Test("DEP-13 dependent with its own setter")
  func ownSetter() throws {
    try onStage { stage in
      let made = try stage.define("DependentObservable") {
        try $0.property("anInt", .int64).property("aFloat", .float)
        try $0.key("aFloat", affectedBy: ["anInt"])
      }
      for (key, value) in [("aFloat", 5.0), ("anInt", 5)] as [(String, RuntimeValue)] {
        let object = try made.allocate(), p = try stage.watcher()
        try object.add(p, "aFloat")
        try object.assign(key, value)
        #expect(p.told == ["aFloat setting"])
        try object.remove(p, "aFloat")
      }
    }
  }

  @Test("DEP-15 legacy simple")
  func legacy() throws {
    try onStage { stage in
      let made = try stage.legacyClass { try $0.setKeys(["first", "last"], triggering: "full") }
      #expect(try made.keyPathsAffecting("full") == ["first", "last"])
      let object = try made.allocate(), p = try stage.watcher()
      try object.add(p, "full", [.old, .new])
      try object.assign("first", "Hey")
      try object.assign("middle", "Not")
      try object.assign("last", "You")
      #expect(
        p.told == ["full setting old    new Hey  ", "full setting old Hey Not  new Hey Not You"])
      try object.remove(p, "full")
    }
  }

  @Test("DEP-16 legacy replacement")
  func legacyReplacement() throws {
    try onStage { stage in
      let made = try stage.legacyClass {
        try $0.setKeys(["first"], triggering: "full").setKeys(["middle"], triggering: "full")
      }
      #expect(try made.keyPathsAffecting("full") == ["middle"])
      let object = try made.allocate(), p = try stage.watcher()
      try object.add(p, "full", [.old, .new])
      try object.assign("first", "Hey")
      try object.assign("middle", "Not")
      try object.assign("last", "You")
      #expect(p.told == ["full setting old Hey   new Hey Not "])
      try object.remove(p, "full")
    }
  }

  @Test("DEP-18 legacy map is per class method and old/new correct for \"short\"")
  func legacyShort() throws {
    try onStage { stage in
      let made = try stage.legacyClass { try $0.setKeys(["first", "last"], triggering: "short") }
      let object = try made.allocate(), p = try stage.watcher()
      try object.assign("first", "Hey")
      try object.assign("last", "You")
      try object.add(p, "short", [.old, .new])
      try object.assign("first", "Hello")
      try object.assign("middle", "Not")
      try object.assign("last", "World")
      #expect(
        p.told == [
          "short setting old Hey You new Hello You",
          "short setting old Hello You new Hello World",
        ])
      try object.remove(p, "short")
    }
  }

  @Test("DEP-19 derived path from dictionary")
  func fromDictionary() throws {
    try onStage { stage in
      let object = try stage.define("Styled") {
        try $0.property("dict", .object)
        try $0.method("newStyle", "@@:") { _ in nil }
        try $0.key("newStyle", affectedBy: ["dict.derivedProperty"])
      }.allocate()
      let p = try stage.watcher()
      try object.assign("dict", dictionaryObject([:]))
      try object.add(p, "newStyle")
      try object.setValue("v", forKeyPath: "dict.derivedProperty")
      #expect(p.told == ["newStyle setting"])
      try object.remove(p, "newStyle")
    }
  }

  @Test("DEP-21 derived sub path on derived object")
  func derivedObject() throws {
    try onStage { stage in
      let t = try stage.define("Parent") {
        try $0.property("child", .object)
        try $0.method("derivedChild", "@@:") { $0.receiver.at("child") }
        try $0.key("derivedChild", affectedBy: ["child"])
      }.allocate()
      let c1 = try stage.node(), c2 = try stage.node(), p = try stage.watcher()
      try c1.assign("dict", dictionaryObject(["Key1": "Value1"]))
      try t.assign("child", c1)
      try t.add(p, "derivedChild.dict.Key1")
      try t.assign("child", c2)
      try c2.assign("dict", dictionaryObject(["Key1": "Value2"]))
      #expect(p.count == 2)
      try t.remove(p, "derivedChild.dict.Key1")
    }
  }

  @Test("DEP-22 derived key on sub path, then deeper")
  func deeper() throws {
    try onStage { stage in
      let object = try stage.define("Parent") {
        try $0.property("dict", .object)
        try $0.method("kd", "@@:") { $0.receiver.at("dict.sub") }
        try $0.key("kd", affectedBy: ["dict.sub"])
      }.allocate()
      let p = try stage.watcher()
      let inner = try [1.2, 3.4, 5.6, 7.8].map {
        RuntimeValue(try dictionaryObject(["f": .init($0)]))
      }
      let dict = try dictionaryObject(["sub": inner[0]]),
        next = try dictionaryObject(["sub": inner[2]])
      try object.assign("dict", dict)
      try object.add(p, "kd.f")
      try dict.setValue(inner[1], forKey: "sub")
      try object.assign("dict", next)
      try next.setValue(inner[3], forKey: "sub")
      #expect(p.told == ["kd.f setting", "kd.f setting", "kd.f setting"])
      try object.remove(p, "kd.f")
    }
  }

  @Test("DEP-24 progress-like scalar")
  func progress() throws {
    try onStage { stage in
      let object = try stage.define("Download") {
        try $0.properties(.double, "total", "current")
        try $0.method("progress", "d@:") { call in
          let total = (try? call.receiver.get("total", as: Double.self)) ?? 0
          let current = (try? call.receiver.get("current", as: Double.self)) ?? 0
          return RuntimeValue(total == 0 ? 0 : current / total)
        }
        try $0.key("progress", affectedBy: ["total", "current"])
      }.allocate()
      let p = try stage.watcher()
      try object.add(p, "progress", [.old, .new])
      try object.assign("total", 100.0)
      try object.assign("current", 30.0)
      #expect(p.told == ["progress setting old 0.0 new 0.0", "progress setting old 0.0 new 0.3"])
      try object.remove(p, "progress")
    }
  }

  @Test("DEP-25 notification although value unchanged")
  func unchanged() throws {
    try onStage { stage in
      let object = try stage.pair(), p = try stage.watcher()
      try object.assign("a", "first")
      try object.add(p, "both", [.old, .new])
      try object.assign("a", "other")
      #expect(p.told == ["both setting old false new false"])
      try object.remove(p, "both")
    }
  }

  @Test("DEP-27 inherited dependency")
  func inherited() throws {
    try onStage { stage in
      let base = try stage.define("Base") {
        try $0.properties(.int64, "a", "d", "k").key("k", affectedBy: ["a"])
      }
      let sub = try stage.define("Sub", superclass: base) {
        try $0.keyPathsForValuesAffecting { _, key, inherited in
          key == "k" ? inherited.union(["d"]) : inherited
        }
      }
      let object = try sub.allocate(), p = try stage.watcher()
      try object.add(p, "k")
      try object.assign("a", 1)
      #expect(p.count == 1)
      try object.assign("d", 1)
      #expect(p.count == 2)
      try object.remove(p, "k")
    }
  }
}

extension Stage {
  /// An object of `a`, `b`, and `both`: whether neither is nil.
  fileprivate func pair() throws -> RuntimeObject {
    try fixture("Pair") {
      try $0.properties(.object, "a", "b")
      try $0.method("both", "B@:") { call in
        RuntimeValue(["a", "b"].allSatisfy { !call.receiver.isNil($0) })
      }
      try $0.key("both", affectedBy: ["a", "b"])
    }.allocate()
  }

  /// A class whose setter of `f` announces `f`, and `d` too unless that is nil.
  fileprivate func cClass() throws -> RuntimeClass {
    let base = try define("CBase") {
      try $0.properties(.object, "b", "d").properties(.int64, "f")
    }
    return try define("C", superclass: base) {
      try $0.notAutomatic(["f"])
      try $0.method("setF:", "v@:q") { (call: RuntimeMethodCall) -> Void in
        let object = call.receiver, keys = object.isNil("d") ? ["f"] : ["f", "d"]
        attempt {
          for key in keys { try object.willChangeValue(forKey: key) }
          try call.callSuper()
          for key in keys.reversed() { try object.didChangeValue(forKey: key) }
        }
      }
    }
  }

  /// A class with the texts `first`, `middle` and `last`, and `full` and `short` made of them.
  fileprivate func legacyClass(
    _ declare: (RuntimeClassBuilder) throws -> Void
  ) throws -> RuntimeClass {
    try define("Legacy") {
      try $0.properties(.object, "first", "middle", "last")
      try $0.join("full", ["first", "middle", "last"]).join("short", ["first", "last"])
      try declare($0)
    }
  }
}

extension RuntimeClassBuilder {
  /// Adds a getter of the texts of `keys` with spaces between them.
  @discardableResult
  fileprivate func join(_ name: String, _ keys: [String]) throws -> RuntimeClassBuilder {
    try method(RuntimeSelector(name), "@@:") { call in
      RuntimeValue(keys.map { call.receiver.text($0) }.joined(separator: " "))
    }
  }
}
