import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("DEP: dependent keys", .serialized, .leavesNothing)
struct DependentKeys {
  @Test("DEP-01 basic derived", arguments: Kind.allCases)
  func derived(kind: Kind) throws {
    try onStage(kind) { stage in
      let n = try stage.node(), p = try stage.watcher()
      try n.add(p, "derived", .new)
      try n.assign("name", "Hello")
      #expect(p.told == ["derived setting new !!!Hello!!!"])
      try n.remove(p, "derived")
    }
  }

  @Test("DEP-03 two sources", arguments: Kind.allCases)
  func twoSources(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.pair(), p = try stage.watcher()
      try object.add(p, "both", .new)
      try object.assign("a", "first")
      try object.assign("b", "second")
      #expect(p.told == ["both setting new false", "both setting new true"])
      try object.remove(p, "both")
    }
  }

  @Test("DEP-04 two sub-path sources", arguments: Kind.allCases)
  func twoSubPaths(kind: Kind) throws {
    try onStage(kind) { stage in
      let c = try stage.pair(), p = try stage.watcher()
      let t = try stage.make("Parent", PairParent()) {
        try $0.property("child", .object)
        try $0.method("both2", "B@:") { call in
          RuntimeValue(["child.a", "child.b"].allSatisfy { !call.receiver.isNil($0) })
        }
        try $0.key("both2", affectedBy: ["child.a", "child.b"])
      }
      try t.add(p, "both2", .new)
      try t.assign("child", c)
      try c.assign("a", "x")
      try c.assign("b", "y")
      #expect(
        p.told == ["both2 setting new false", "both2 setting new false", "both2 setting new true"])
      try t.remove(p, "both2")
    }
  }

  @Test(
    "DEP-06, DEP-07 cycle plus leaf", arguments: [["a", "b"], ["x", "y", "z"]], Kind.allCases)
  func cyclePlusLeaf(cycle: [String], kind: Kind) throws {
    try onStage(kind) { stage in
      let swift = cycle.count == 2 ? Cyclic() : LongerCyclic()
      let object = try stage.make("Cyclic", swift) { builder in
        for (key, next) in zip(cycle, cycle.dropFirst() + cycle.prefix(1)) {
          try builder.property(key, .int64).key(key, affectedBy: [next])
        }
        try builder.properties(.int64, "leaf", "derived")
        try builder.key("derived", affectedBy: [cycle[0], "leaf"])
      }
      let p = try stage.watcher()
      try object.assign("leaf", 1)
      try object.add(p, "derived")
      try object.assign("leaf", 2)
      #expect(p.told == ["derived setting"])
      try object.remove(p, "derived")
    }
  }

  @Test("DEP-09 two aliases of one path", arguments: Kind.allCases)
  func aliases(kind: Kind) throws {
    try onStage(kind) { stage in
      let leaf = try stage.make("Leaf", AliasLeaf()) {
        try $0.property("flag", .bool).property("value", .int64)
      }
      let node = try stage.make("AliasedNode", AliasNode()) {
        try $0.property("leaf", .object)
        try $0.method("score", "q@:") { RuntimeValue($0.receiver.number("leaf.value")) }
        try $0.key("score", affectedBy: ["leaf.value"])
      }
      let holder = try stage.make("Holder", AliasHolder()) { try $0.property("node", .object) }
      let root = try stage.make("Root", AliasRoot()) { builder in
        try builder.properties(.object, "holder").properties(.bool, "derived")
        for key in ["selectedA", "selectedB"] {
          try builder.method(RuntimeSelector(key), "@@:") { call in
            call.receiver.at("holder.node")
          }
          try builder.key(key, affectedBy: ["holder.node"])
        }
        try builder.key("derived", affectedBy: ["selectedA.leaf.flag", "selectedB.score"])
      }
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

  @Test("DEP-10 nil and cycle mixture", arguments: Kind.allCases)
  func nilAndCycle(kind: Kind) throws {
    try onStage(kind) { stage in
      let root = try stage.make("Root", MixedRoot()) {
        try $0.property("a", .object)
        try $0.method("x", "q@:") { _ in 0 }
        try $0.key("x", affectedBy: ["a.b.c.d", "a.c.b.e"])
      }
      let a = try stage.make("A", MixedA()) { try $0.properties(.object, "b", "c") }
      let b = try stage.make("B", MixedB()) {
        try $0.properties(.object, "c").properties(.int64, "e")
      }
      let cA = try stage.c(), cB = try stage.c(), c2 = try stage.c()
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

  @Test("DEP-12 shared child, right old/new", arguments: Kind.allCases)
  func sharedChild(kind: Kind) throws {
    try onStage(kind) { stage in
      let bar = try stage.make("Bar", Bar()) { try $0.property("x", .int64) }
      let first = try stage.foo(), second = try stage.foo()
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

  @Test("DEP-13 dependent with its own setter", arguments: Kind.allCases)
  func ownSetter(kind: Kind) throws {
    try onStage(kind) { stage in
      for (key, value) in [("aFloat", 5.0), ("anInt", 5)] as [(String, RuntimeValue)] {
        let object = try stage.shared("DependentObservable", DependentObservable()) {
          try $0.property("anInt", .int64).property("aFloat", .double)
          try $0.key("aFloat", affectedBy: ["anInt"])
        }
        let p = try stage.watcher()
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
      try object.assign("dict", RuntimeValue(dictionaryObject([:])))
      try object.add(p, "newStyle")
      try object.setValue("v", forKeyPath: "dict.derivedProperty")
      #expect(p.told == ["newStyle setting"])
      try object.remove(p, "newStyle")
    }
  }

  @Test("DEP-21 derived sub path on derived object", arguments: Kind.allCases)
  func derivedObject(kind: Kind) throws {
    try onStage(kind) { stage in
      let t = try stage.make("Parent", NodeParent()) {
        try $0.property("child", .object)
        try $0.method("derivedChild", "@@:") { $0.receiver.at("child") }
        try $0.key("derivedChild", affectedBy: ["child"])
      }
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

  @Test("DEP-22 derived key on sub path, then deeper", arguments: Kind.allCases)
  func deeper(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Parent", DictionaryParent()) {
        try $0.property("dict", .object)
        try $0.method("kd", "@@:") { $0.receiver.at("dict.sub") }
        try $0.key("kd", affectedBy: ["dict.sub"])
      }
      let p = try stage.watcher()
      let inner = try [1.2, 3.4, 5.6, 7.8].map {
        RuntimeValue(try dictionaryObject(["f": .init($0)]))
      }
      let dict = try dictionaryObject(["sub": inner[0]]),
        next = try dictionaryObject(["sub": inner[2]])
      func put(_ value: RuntimeValue, in dictionary: RuntimeObject) throws {
        switch object {
        case .made: try dictionary.setValue(value, forKey: "sub")
        case .swift(let object): (object as? DictionaryParent)?.dict["sub"] = value.any
        }
      }
      try object.assign("dict", dict)
      try object.add(p, "kd.f")
      try put(inner[1], in: dict)
      try object.assign("dict", next)
      try put(inner[3], in: next)
      #expect(p.told == ["kd.f setting", "kd.f setting", "kd.f setting"])
      try object.remove(p, "kd.f")
    }
  }

  @Test("DEP-24 progress-like scalar", arguments: Kind.allCases)
  func progress(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Download", Download()) {
        try $0.properties(.double, "total", "current")
        try $0.method("progress", "d@:") { call in
          let total = (try? call.receiver.get("total", as: Double.self)) ?? 0
          let current = (try? call.receiver.get("current", as: Double.self)) ?? 0
          return RuntimeValue(total == 0 ? 0 : current / total)
        }
        try $0.key("progress", affectedBy: ["total", "current"])
      }
      let p = try stage.watcher()
      try object.add(p, "progress", [.old, .new])
      try object.assign("total", 100.0)
      try object.assign("current", 30.0)
      #expect(p.told == ["progress setting old 0.0 new 0.0", "progress setting old 0.0 new 0.3"])
      try object.remove(p, "progress")
    }
  }

  @Test("DEP-25 notification although value unchanged", arguments: Kind.allCases)
  func unchanged(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.pair(), p = try stage.watcher()
      try object.assign("a", "first")
      try object.add(p, "both", [.old, .new])
      try object.assign("a", "other")
      #expect(p.told == ["both setting old false new false"])
      try object.remove(p, "both")
    }
  }

  @Test("DEP-27 inherited dependency", arguments: Kind.allCases)
  func inherited(kind: Kind) throws {
    try onStage(kind) { stage in
      let base = try stage.define("Base") {
        try $0.properties(.int64, "a", "d", "k").key("k", affectedBy: ["a"])
      }
      let object = try stage.make("Sub", Sub(), superclass: base) {
        try $0.keyPathsForValuesAffecting { _, key, inherited in
          key == "k" ? inherited.union(["d"]) : inherited
        }
      }
      let p = try stage.watcher()
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
  fileprivate func pair() throws -> Subject {
    try shared("Pair", Pair()) {
      try $0.properties(.object, "a", "b")
      try $0.method("both", "B@:") { call in
        RuntimeValue(["a", "b"].allSatisfy { !call.receiver.isNil($0) })
      }
      try $0.key("both", affectedBy: ["a", "b"])
    }
  }

  /// An object whose `b` is the sum of its `a` and the `x` of its `bar`.
  fileprivate func foo() throws -> Subject {
    try shared("Foo", Foo()) {
      try $0.property("a", .int64).property("bar", .object)
      try $0.sum("b", of: "a", "bar.x")
    }
  }

  /// An object whose setter of `f` announces `f`, and `d` too unless that is nil.
  fileprivate func c() throws -> Subject {
    let base = try fixture("CBase") {
      try $0.properties(.object, "b", "d").properties(.int64, "f")
    }
    return try make("C", MixedC(), superclass: base) {
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

// MARK: - Swift classes

private final class Pair: KVObject, TypedObject {
  @Dynamic var a: String?
  @Dynamic var b: String?
  var both: Bool { a != nil && b != nil }

  override class var keys: [KeyDeclaration] {
    [.key("both", \Pair.both, affectedBy: [\Pair.a, \Pair.b])]
  }
  var properties: [String: TypedProperty] { ["a": .at(\Pair.a), "b": .at(\Pair.b)] }
}

private final class PairParent: KVObject, TypedObject {
  @Dynamic var child: Pair?
  var both2: Bool { child?.both ?? false }

  override class var keys: [KeyDeclaration] {
    [.key("both2", \PairParent.both2, paths: ["child.a", "child.b"])]
  }
  var properties: [String: TypedProperty] { ["child": .at(\PairParent.child)] }
}

private class Cyclic: KVObject, TypedObject {
  @Dynamic var a = 0
  @Dynamic var b = 0
  @Dynamic var x = 0
  @Dynamic var y = 0
  @Dynamic var z = 0
  @Dynamic var leaf = 0
  @Dynamic var derived = 0

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    let affecting: [String: Set<String>] = [
      "a": ["b"], "b": ["a"], "x": ["y"], "y": ["z"], "z": ["x"], "derived": ["a", "leaf"],
    ]
    return affecting[key] ?? []
  }
  var properties: [String: TypedProperty] { ["leaf": .at(\Cyclic.leaf)] }
}

private final class LongerCyclic: Cyclic {
  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "derived" ? ["x", "leaf"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }
}

private final class AliasLeaf: KVObject, TypedObject {
  @Dynamic var flag = false
  @Dynamic var value = 0

  var properties: [String: TypedProperty] {
    ["flag": .at(\AliasLeaf.flag), "value": .at(\AliasLeaf.value)]
  }
}

private final class AliasNode: KVObject, TypedObject {
  @Dynamic var leaf: AliasLeaf?
  var score: Int { leaf?.value ?? 0 }

  override class var keys: [KeyDeclaration] {
    [.key("score", \AliasNode.score, paths: ["leaf.value"])]
  }
  var properties: [String: TypedProperty] { ["leaf": .at(\AliasNode.leaf)] }
}

private final class AliasHolder: KVObject, TypedObject {
  @Dynamic var node: AliasNode?

  var properties: [String: TypedProperty] { ["node": .at(\AliasHolder.node)] }
}

private final class AliasRoot: KVObject, TypedObject {
  @Dynamic var holder: AliasHolder?
  @Dynamic var derived = false
  var selectedA: AliasNode? { holder?.node }
  var selectedB: AliasNode? { holder?.node }

  override class var keys: [KeyDeclaration] {
    [
      .key("selectedA", \AliasRoot.selectedA, paths: ["holder.node"]),
      .key("selectedB", \AliasRoot.selectedB, paths: ["holder.node"]),
      .key("derived", \AliasRoot.derived, paths: ["selectedA.leaf.flag", "selectedB.score"]),
    ]
  }
  var properties: [String: TypedProperty] { ["holder": .at(\AliasRoot.holder)] }
}

private final class MixedRoot: KVObject, TypedObject {
  @Dynamic var a: MixedA?
  var x: Int { 0 }

  override class var keys: [KeyDeclaration] {
    [.key("x", \MixedRoot.x, paths: ["a.b.c.d", "a.c.b.e"])]
  }
  var properties: [String: TypedProperty] { ["a": .at(\MixedRoot.a)] }
}

private final class MixedA: KVObject, TypedObject {
  @Dynamic var b: MixedB?
  @Dynamic var c: MixedC?

  var properties: [String: TypedProperty] { ["b": .at(\MixedA.b), "c": .at(\MixedA.c)] }
}

private final class MixedB: KVObject, TypedObject {
  @Dynamic var c: MixedC?
  @Dynamic var e = 0

  var properties: [String: TypedProperty] { ["c": .at(\MixedB.c), "e": .at(\MixedB.e)] }
}

private final class MixedC: KVObject, TypedObject {
  @Dynamic var b: MixedB?
  @Dynamic var d: String?
  @Dynamic var f = 0 {
    willSet {
      willChangeValue(forKey: "f")
      if d != nil { willChangeValue(forKey: "d") }
    }
    didSet {
      if d != nil { didChangeValue(forKey: "d") }
      didChangeValue(forKey: "f")
    }
  }

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "f" }
  var properties: [String: TypedProperty] {
    ["b": .at(\MixedC.b), "d": .at(\MixedC.d), "f": .at(\MixedC.f)]
  }
}

private final class Bar: KVObject, TypedObject {
  @Dynamic var x = 0

  var properties: [String: TypedProperty] { ["x": .at(\Bar.x)] }
}

private final class Foo: KVObject, TypedObject {
  @Dynamic var a = 0
  @Dynamic var bar: Bar?
  var b: Int { a + (bar?.x ?? 0) }

  override class var keys: [KeyDeclaration] {
    [.key("b", \Foo.b, affectedBy: [\Foo.a], paths: ["bar.x"])]
  }
  var properties: [String: TypedProperty] { ["a": .at(\Foo.a), "bar": .at(\Foo.bar)] }
}

private final class DependentObservable: KVObject, TypedObject {
  @Dynamic var anInt = 0
  @Dynamic var aFloat = 0.0

  override class var keys: [KeyDeclaration] {
    [
      .key(
        "aFloat", \DependentObservable.aFloat, affectedBy: [\DependentObservable.anInt])
    ]
  }
  var properties: [String: TypedProperty] {
    ["anInt": .at(\DependentObservable.anInt), "aFloat": .at(\DependentObservable.aFloat)]
  }
}

private final class NodeParent: KVObject, TypedObject {
  @Dynamic var child: Node?
  var derivedChild: Node? { child }

  override class var keys: [KeyDeclaration] {
    [.key("derivedChild", \NodeParent.derivedChild, affectedBy: [\NodeParent.child])]
  }
  var properties: [String: TypedProperty] { ["child": .at(\NodeParent.child)] }
}

private final class DictionaryParent: KVObject, TypedObject {
  @Dynamic var dict: [String: Any] = [:]
  var kd: Any? { dict["sub"] }

  override class var keys: [KeyDeclaration] {
    [.key("kd", \DictionaryParent.kd, paths: ["dict.sub"])]
  }
  var properties: [String: TypedProperty] { ["dict": .at(\DictionaryParent.dict)] }
}

private final class Download: KVObject, TypedObject {
  @Dynamic var total = 0.0
  @Dynamic var current = 0.0
  var progress: Double { total == 0 ? 0 : current / total }

  override class var keys: [KeyDeclaration] {
    [
      .key(
        "progress", \Download.progress, affectedBy: [\Download.total, \Download.current])
    ]
  }
  var properties: [String: TypedProperty] {
    ["total": .at(\Download.total), "current": .at(\Download.current)]
  }
}

private class Base: KVObject, TypedObject {
  @Dynamic var a = 0
  @Dynamic var d = 0
  @Dynamic var k = 0

  override class var keys: [KeyDeclaration] { [.key("k", \Base.k, affectedBy: [\Base.a])] }
  var properties: [String: TypedProperty] { ["a": .at(\Base.a), "d": .at(\Base.d)] }
}

private final class Sub: Base {
  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    let inherited = super.keyPathsForValuesAffectingValue(forKey: key)
    return key == "k" ? inherited.union(["d"]) : inherited
  }
}
