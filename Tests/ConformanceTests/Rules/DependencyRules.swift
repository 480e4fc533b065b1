import CIsa
import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite("Rules 5: dependent keys", .serialized, .leavesNothing)
struct DependencyRules {
  // MARK: declaring

  @Test("rule 5.1 the method of a key is found by its first letter in upper case, and inherited")
  func methodOfKey() throws {
    try onStage { stage in
      let base = try stage.define("Base") {
        try $0.properties(.int64, "a", "k", "URL").key("k", affectedBy: ["a"])
        try $0.key("URL", affectedBy: ["k"])
      }
      let sub = try stage.define("Sub", superclass: base)
      #expect(base.metaclass.methods.map(\.selector).contains("keyPathsForValuesAffectingK"))
      #expect(try sub.keyPathsAffecting("k") == ["a"])
      #expect(try sub.keyPathsAffecting("URL") == ["k"])
      #expect(try sub.keyPathsAffecting("a") == [])
      #expect(try sub.keyPathsAffecting("nonesuch") == [])
    }
  }

  @Test("rule 5.1 an override of the general method decides, and may leave out the rest")
  func generalMethod() throws {
    try onStage { stage in
      let base = try stage.define("Base") {
        try $0.properties(.int64, "a", "b", "k").key("k", affectedBy: ["a"])
      }
      let sub = try stage.define("Sub", superclass: base) {
        try $0.keyPathsForValuesAffecting { _, key, _ in key == "k" ? ["b"] : [] }
      }
      let object = try sub.allocate(), p = try stage.watcher()
      try object.add(p, "k")
      try object.assign("a", 1)
      #expect(p.count == 0)
      try object.assign("b", 1)
      #expect(p.count == 1)
      try object.remove(p, "k")
    }
  }

  @Test("rule 5.1 what a class method answers must be a set of texts")
  func wrongAnswer() throws {
    try onStage { stage in
      let made = try stage.define("Wrong") {
        try $0.property("k", .int64)
        try $0.classMethod("keyPathsForValuesAffectingK", "i@:^@") { call in
          let slot = UnsafeMutablePointer<isa_id?>(bitPattern: call.arguments[0].address ?? 0)
          let numbers = RuntimeValue.set([1, 2]).object
          withExtendedLifetime(numbers) { slot?.pointee = isa_object_retain(numbers?.id) }
          return 0
        }
      }
      let object = try made.allocate(), p = try stage.watcher()
      #expect(throws: KeyValueError.self) { try made.keyPathsAffecting("k") }
      #expect(throws: KeyValueError.self) { try object.add(p, "k") }
      #expect(LastError.current.exception == "NSInvalidArgumentException")
      #expect(!object.isObserved)
    }
  }

  @Test("rule 5.2 declared the old way: a later call replaces, other keys stay, paths are left out")
  func legacy() throws {
    try onStage { stage in
      let made = try stage.define("Legacy") {
        try $0.properties(.int64, "a", "b", "k", "l")
        try $0.setKeys(["a", "b.c"], triggering: "k").setKeys(["a"], triggering: "l")
        try $0.setKeys(["b"], triggering: "k")
      }
      #expect(try made.keyPathsAffecting("k") == ["b"])
      #expect(try made.keyPathsAffecting("l") == ["a"])
      try made.setKeys(["a.b", "a"], triggering: "k")
      #expect(try made.keyPathsAffecting("k") == ["a"])
      try made.setKeys([], triggering: "k")
      #expect(try made.keyPathsAffecting("k") == [])
    }
  }

  @Test("rule 5.2 a class method wins over what was declared the old way")
  func newStyleWins() throws {
    try onStage { stage in
      let made = try stage.define("Both") {
        try $0.properties(.int64, "a", "b", "k")
        try $0.setKeys(["a"], triggering: "k").key("k", affectedBy: ["b"])
      }
      #expect(try made.keyPathsAffecting("k") == ["b"])
    }
  }

  @Test("rule 5.2 what is declared the old way later holds for later registrations, inherited too")
  func declaredLater() throws {
    try onStage { stage in
      let base = try stage.define("Base") { try $0.properties(.int64, "a", "k") }
      let object = try stage.define("Sub", superclass: base).allocate()
      let early = try stage.watcher(), late = try stage.watcher()
      try object.add(early, "k")
      try base.setKeys(["a"], triggering: "k")
      try object.add(late, "k")
      try object.assign("a", 1)
      #expect([early.count, late.count] == [0, 1])
      try object.remove(early, "k")
      try object.remove(late, "k")
    }
  }

  // MARK: closure

  @Test("rule 5.4 what affects a key affects what depends on it, and the key is not in its closure")
  func transitive() throws {
    try onStage { stage in
      let made = try stage.define("Chain") {
        try $0.properties(.int64, "a").sum("b", of: "a", "a").sum("c", of: "b", "b")
        try $0.sum("d", of: "c", "a")
      }
      #expect(try made.dependencyClosure(of: "d") == ["a", "b", "c"])
      #expect(try made.dependencyClosure(of: "a") == [])
      let object = try made.allocate(), p = try stage.watcher()
      for key in ["b", "c", "d"] { try object.add(p, key, .new) }
      try object.assign("a", 1)
      #expect(p.told == ["d setting new 5", "c setting new 4", "b setting new 2"])
      for key in ["b", "c", "d"] { try object.remove(p, key) }
    }
  }

  @Test("rule 5.5 on a cycle every key is told once for each change")
  func cycle() throws {
    try onStage { stage in
      let made = try stage.define("Cycle") {
        try $0.properties(.int64, "a", "b")
        try $0.key("a", affectedBy: ["b"]).key("b", affectedBy: ["a"])
      }
      #expect(try made.dependencyClosure(of: "a") == ["b"])
      let object = try made.allocate(), p = try stage.watcher()
      for key in ["a", "b"] { try object.add(p, key) }
      try object.assign("a", 1)
      #expect(Set(p.told) == ["a setting", "b setting"])
      try object.assign("b", 1)
      #expect(p.count == 4)
      for key in ["a", "b"] { try object.remove(p, key) }
    }
  }

  @Test(
    "rule 5.6 a key declared to affect itself is refused at its first use",
    arguments: [["k"], ["a", "k.count"]] as [Set<String>])
  func selfDependent(affecting: Set<String>) throws {
    try onStage { stage in
      let made = try stage.define("Selfish") {
        try $0.properties(.object, "a", "k").key("k", affectedBy: affecting)
        try $0.property("l", .object).key("l", affectedBy: ["k"])
      }
      let object = try made.allocate(), p = try stage.watcher()
      for key in ["k", "k.count", "l"] {
        expectError(.selfDependent, key: key) { try object.add(p, key) }
        #expect(LastError.current.exception == "NSInternalInconsistencyException")
        #expect(!object.isObserved && object.isa == made)
      }
    }
  }

  @Test("rule 5.6 keys that only begin alike are no self-dependency")
  func alike() throws {
    try onStage { stage in
      let made = try stage.define("Alike") {
        try $0.properties(.int64, "k", "key", "keys").key("key", affectedBy: ["k", "keys"])
      }
      #expect(try made.dependencyClosure(of: "key") == ["k", "keys"])
    }
  }

  // MARK: telling

  @Test("rule 5.7 a change that reaches a key by several routes is told once, with right values")
  func severalRoutes() throws {
    try onStage { stage in
      let object = try stage.define("Diamond") {
        try $0.properties(.int64, "a").sum("b", of: "a", "a").sum("c", of: "a", "a")
        try $0.sum("d", of: "b", "c")
      }.allocate()
      let p = try stage.watcher()
      try object.add(p, "d", [.old, .new, .prior])
      try object.assign("a", 1)
      #expect(p.told == ["d setting old 0 prior", "d setting old 0 new 4"])
      try object.remove(p, "d")
    }
  }

  @Test("rule 5.7 a path and a key of one source, or two paths with one end, are told once")
  func severalPaths() throws {
    try onStage { stage in
      let object = try stage.define("Routes") {
        try $0.properties(.object, "one", "two").property("a", .int64)
        try $0.method("all", "q@:") { call in
          let parts = ["one.count", "two.count", "a"].map { call.receiver.number($0) }
          return RuntimeValue(parts.reduce(0, +))
        }
        try $0.key("all", affectedBy: ["one.count", "two.count", "one.derived", "one.name", "a"])
      }.allocate()
      let c = try stage.node(), p = try stage.watcher()
      for key in ["one", "two"] { try object.assign(key, c) }
      try object.add(p, "all", [.old, .new])
      try c.assign("count", 2)
      try c.assign("name", "x")
      try object.assign("a", 1)
      try object.assign("two", nil)
      #expect(
        p.told == [
          "all setting old 0 new 4", "all setting old 4 new 4", "all setting old 4 new 5",
          "all setting old 5 new 3",
        ])
      try object.remove(p, "all")
      #expect(!c.isObserved)
    }
  }

  @Test("rule 5.8 what depends on a to-many key is told of a setting with whole values")
  func toManySource() throws {
    try onStage { stage in
      let object = try stage.define("Team") {
        try $0.property("list", .object).automaticallyNotifies("list", false)
        try $0.method("size", "q@:") { RuntimeValue($0.receiver.number("list.@count")) }
        try $0.key("size", affectedBy: ["list"])
      }.allocate()
      let p = try stage.watcher()
      try object.assign("list", RuntimeValue.array([], isMutable: true))
      try object.add(p, "size", [.old, .new, .prior])
      try object.add(p, "list.@count", [.new])
      try object.appendToList("x")
      #expect(
        p.told == [
          "size setting old 0 prior", "list.@count setting new 1", "size setting old 0 new 1",
        ])
      try object.remove(p, "size")
      try object.remove(p, "list.@count")
    }
  }

  @Test("rule 5.10 an end of a path, and what it goes through, are each told once with prior")
  func pathsWithPrior() throws {
    try onStage { stage in
      let object = try stage.tagged(), c = try stage.node(), p = try stage.watcher()
      try object.add(p, "tag", [.old, .new, .prior])
      try object.assign("child", c)
      try c.assign("name", "Ann")
      try object.assign("child", nil)
      #expect(
        p.told == [
          "tag setting old <> prior", "tag setting old <> new <>",
          "tag setting old <> prior", "tag setting old <> new <Ann>",
          "tag setting old <Ann> prior", "tag setting old <Ann> new <>",
        ])
      #expect(!c.isObserved)
      try object.remove(p, "tag")
    }
  }

  @Test("rule 5.11 a path leads through a key that depends on a path")
  func pathThroughDependent() throws {
    try onStage { stage in
      let object = try stage.define("Through") {
        try $0.property("child", .object)
        try $0.method("grandchild", "@@:") {
          $0.receiver.at("child.child")
        }
        try $0.key("grandchild", affectedBy: ["child.child"])
      }.allocate()
      let (c, d) = try stage.family(), e = try stage.node(), p = try stage.watcher()
      try object.assign("child", c)
      try object.add(p, "grandchild.name", [.old, .new])
      try d.assign("name", "d")
      try c.assign("child", e)
      try d.assign("name", "silent")
      try e.assign("name", "e")
      try object.assign("child", nil)
      try e.assign("name", "silent")
      #expect(
        p.told == [
          "grandchild.name setting old nil new d", "grandchild.name setting old d new nil",
          "grandchild.name setting old nil new e", "grandchild.name setting old e new nil",
        ])
      #expect([c, d, e].allSatisfy { !$0.isObserved })
      try object.remove(p, "grandchild.name")
    }
  }

  @Test("rule 5.12 a path that cannot be followed is refused, and all of it rolled back")
  func brokenPath() throws {
    try onStage { stage in
      let made = try stage.define("Broken") {
        try $0.properties(.object, "child", "k").properties(.int64, "a")
        try $0.key("k", affectedBy: ["a", "child.count", "child.nope.other"])
      }
      let object = try made.allocate(), c = try stage.node(), p = try stage.watcher()
      try object.assign("child", c)
      expectError(.undefinedKey, key: "nope", className: c.class.name) {
        try object.add(p, "k", .initial)
      }
      #expect([object, c].allSatisfy { $0.observationInfo == nil && !$0.isa.isNotifying })
      expectError(.notRegistered, key: "k") { try object.remove(p, "k") }
    }
  }

  @Test("rule 5.13 a path through a to-many key is refused, the key alone is not")
  func throughToMany() throws {
    try onStage { stage in
      let made = try stage.define("Team") {
        try $0.properties(.object, "list", "k", "l")
        try $0.key("k", affectedBy: ["list.count"]).key("l", affectedBy: ["list"])
      }
      let object = try made.allocate(), p = try stage.watcher()
      try object.assign("list", RuntimeValue.array([]))
      let error = #expect(throws: KeyValueError.self) { try object.add(p, "k") }
      #expect(error?.exceptionName == "NSInvalidArgumentException")
      #expect(!object.isObserved)
      try object.add(p, "l")
      try object.assign("list", nil)
      #expect(p.told == ["l setting"])
      try object.remove(p, "l")
    }
  }

  // MARK: what is wrapped, and in which order

  @Test("rule 5.14 the setters of what affects a key are wrapped, and its own")
  func wrapped() throws {
    try onStage { stage in
      let object = try stage.define("Wrapped") {
        try $0.properties(.int64, "a", "b", "other").sum("total", of: "a", "b")
        try $0.properties(.int64, "own").key("own", affectedBy: ["a"])
      }.allocate()
      let p = try stage.watcher()
      try object.add(p, "total")
      #expect(Set(object.isa.wrappedSetters.map(\.selector)) == ["setA:", "setB:"])
      try object.add(p, "own")
      #expect(Set(object.isa.wrappedSetters.map(\.selector)) == ["setA:", "setB:", "setOwn:"])
      try object.assign("own", 1)
      #expect(p.told == ["own setting"])
      try object.remove(p, "total")
      try object.remove(p, "own")
    }
  }

  @Test("rule 5.15 an automatic key that affects a manual one moves the isa")
  func manualDependent() throws {
    try onStage { stage in
      let made = try stage.define("Mixed") {
        try $0.properties(.int64, "a", "k", "m", "l").notAutomatic(["k", "m", "l"])
        try $0.key("k", affectedBy: ["a"]).key("l", affectedBy: ["m"])
      }
      let object = try made.allocate(), p = try stage.watcher()
      try object.add(p, "l")
      #expect(object.isa == made)
      try object.add(p, "k")
      #expect(object.isa.isNotifying)
      try object.assign("k", 1)
      try object.assign("m", 1)
      #expect(p.count == 0)
      try object.assign("a", 1)
      object.change("m") {}
      #expect(p.told == ["k setting", "l setting"])
      try object.remove(p, "k")
      try object.remove(p, "l")
      #expect(object.isa == made)
    }
  }

  @Test("rule 5.16 within one change the order is that of registration, not of dependency")
  func order() throws {
    try onStage { stage in
      let object = try stage.define("Chain") {
        try $0.properties(.int64, "a").sum("b", of: "a", "a").sum("c", of: "b", "b")
      }.allocate()
      let p = try stage.watcher()
      for key in ["c", "a", "b"] { try object.add(p, key, .prior) }
      try object.assign("a", 1)
      #expect(
        p.told == [
          "c setting prior", "a setting prior", "b setting prior", "b setting", "a setting",
          "c setting",
        ])
      for key in ["a", "b", "c"] { try object.remove(p, key) }
    }
  }

  @Test("rule 5.17 an intermediate that comes and goes has one forwarder, none after removal")
  func rematerialized() throws {
    try onStage { stage in
      let object = try stage.tagged(), c = try stage.node(), p = try stage.watcher()
      try object.add(p, "tag")
      try object.add(p, "child.derived")
      for _ in 1...25 {
        try object.assign("child", c)
        try object.assign("child", nil)
      }
      try object.assign("child", c)
      #expect(c.registrations.count == 2)
      p.clear()
      try c.assign("name", "x")
      #expect(Set(p.told) == ["tag setting", "child.derived setting"])
      #expect(p.count == 2)
      try object.remove(p, "tag")
      try object.remove(p, "child.derived")
      #expect(c.registrations.isEmpty)
      try c.assign("name", "y")
      #expect(p.count == 2)
    }
  }

  @Test("rule 5.18 equal registrations of a key that depends on a path are told once each")
  func equalRegistrations() throws {
    try onStage { stage in
      let object = try stage.tagged(), c = try stage.node(), p = try stage.watcher()
      try object.assign("child", c)
      for _ in 1...2 { try object.add(p, "tag", [.old, .new]) }
      try c.assign("name", "x")
      #expect(p.told == ["tag setting old <> new <x>", "tag setting old <> new <x>"])
      for _ in 1...2 { try object.remove(p, "tag") }
    }
  }

  // MARK: by hand, and reentrancy

  @Test("rule 6.8 a source that is announced by hand announces what depends on it")
  func byHand() throws {
    try onStage { stage in
      let object = try stage.define("ByHand") {
        try $0.properties(.int64, "a", "b").notAutomatic(["a", "b"]).sum("total", of: "a", "b")
      }.allocate()
      let p = try stage.watcher()
      try object.add(p, "total", [.old, .new])
      try object.willChangeValue(forKey: "a")
      try object.willChangeValue(forKey: "b")
      try object.assign("a", 1)
      try object.didChangeValue(forKey: "a")
      try object.assign("b", 2)
      try object.didChangeValue(forKey: "b")
      #expect(p.told == ["total setting old 0 new 1", "total setting old 0 new 3"])
      try object.remove(p, "total")
    }
  }

  @Test("rule 3.4 a dependent registration removed between will and did of its source is not told")
  func removedBetween() throws {
    try onStage { stage in
      let object = try stage.tagged(), c = try stage.node(), p = try stage.watcher()
      try object.assign("child", c)
      for (source, key) in [(object, "child"), (c, "name")] {
        try object.add(p, "tag", [.old, .new])
        source.change(key) { attempt { try object.remove(p, "tag") } }
      }
      #expect(p.count == 0)
      #expect([object, c].allSatisfy { !$0.isObserved })
    }
  }

  @Test("rule 7.1 setting a source while its dependent is told nests")
  func nests() throws {
    try onStage { stage in
      let object = try stage.define("Nested") {
        try $0.properties(.int64, "a", "b").sum("total", of: "a", "b")
      }.allocate()
      let p = try stage.watcher { _, change in
        if change.newValue?.int == 1 { attempt { try change.object.assign("b", 5) } }
      }
      let q = try stage.watcher()
      try object.add(q, "total", [.old, .new])
      try object.add(p, "total", [.old, .new])
      try object.assign("a", 1)
      #expect(p.told == ["total setting old 0 new 1", "total setting old 1 new 6"])
      #expect(q.told == ["total setting old 1 new 6", "total setting old 0 new 6"])
      try object.remove(p, "total")
      try object.remove(q, "total")
    }
  }
}

extension Stage {
  /// An object with a `child`, and `tag`: the child's name in angle brackets.
  fileprivate func tagged() throws -> RuntimeObject {
    try fixture("Tagged") {
      try $0.property("child", .object)
      try $0.method("tag", "@@:") { RuntimeValue("<\($0.receiver.text("child.name"))>") }
      try $0.key("tag", affectedBy: ["child.name"])
    }.allocate()
  }
}
