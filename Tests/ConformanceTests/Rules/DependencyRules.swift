import CIsa
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
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

  @Test(
    "rule 5.1 an override of the general method decides, and may leave out the rest",
    arguments: Kind.allCases)
  func generalMethod(kind: Kind) throws {
    try onStage(kind) { stage in
      let base = try stage.define("Base") {
        try $0.properties(.int64, "a", "b", "k").key("k", affectedBy: ["a"])
      }
      let object = try stage.make("Sub", Sub(), superclass: base) {
        try $0.keyPathsForValuesAffecting { _, key, _ in key == "k" ? ["b"] : [] }
      }
      let p = try stage.watcher()
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

  @Test(
    "rule 5.4 what affects a key affects what depends on it, and the key is not in its closure",
    arguments: Kind.allCases)
  func transitive(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Chain", Chain()) {
        try $0.properties(.int64, "a").sum("b", of: "a", "a").sum("c", of: "b", "b")
        try $0.sum("d", of: "c", "a")
      }
      #expect(try object.class.dependencyClosure(of: "d") == ["a", "b", "c"])
      #expect(try object.class.dependencyClosure(of: "a") == [])
      let p = try stage.watcher()
      for key in ["b", "c", "d"] { try object.add(p, key, .new) }
      try object.assign("a", 1)
      #expect(p.told == ["d setting new 5", "c setting new 4", "b setting new 2"])
      for key in ["b", "c", "d"] { try object.remove(p, key) }
    }
  }

  @Test("rule 5.5 on a cycle every key is told once for each change", arguments: Kind.allCases)
  func cycle(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Cycle", Cycle()) {
        try $0.properties(.int64, "a", "b")
        try $0.key("a", affectedBy: ["b"]).key("b", affectedBy: ["a"])
      }
      #expect(try object.class.dependencyClosure(of: "a") == ["b"])
      let p = try stage.watcher()
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
    arguments: [["k"], ["a", "k.count"]] as [Set<String>], Kind.allCases)
  func selfDependent(affecting: Set<String>, kind: Kind) throws {
    try onStage(kind) { stage in
      let swift = affecting.count == 1 ? Selfish() : LessSelfish()
      let object = try stage.make("Selfish", swift) {
        try $0.properties(.object, "a", "k").key("k", affectedBy: affecting)
        try $0.property("l", .object).key("l", affectedBy: ["k"])
      }
      let original = object.isa, p = try stage.watcher()
      for key in ["k", "k.count", "l"] {
        expectError(.selfDependent, key: key) { try object.add(p, key) }
        #expect(LastError.current.exception == "NSInternalInconsistencyException")
        #expect(!object.isObserved && object.isa == original)
      }
    }
  }

  @Test("rule 5.6 keys that only begin alike are no self-dependency", arguments: Kind.allCases)
  func alike(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Alike", Alike()) {
        try $0.properties(.int64, "k", "key", "keys").key("key", affectedBy: ["k", "keys"])
      }
      #expect(try object.class.dependencyClosure(of: "key") == ["k", "keys"])
    }
  }

  // MARK: telling

  @Test(
    "rule 5.7 a change that reaches a key by several routes is told once, with right values",
    arguments: Kind.allCases)
  func severalRoutes(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Diamond", Diamond()) {
        try $0.properties(.int64, "a").sum("b", of: "a", "a").sum("c", of: "a", "a")
        try $0.sum("d", of: "b", "c")
      }
      let p = try stage.watcher()
      try object.add(p, "d", [.old, .new, .prior])
      try object.assign("a", 1)
      #expect(p.told == ["d setting old 0 prior", "d setting old 0 new 4"])
      try object.remove(p, "d")
    }
  }

  @Test(
    "rule 5.7 a path and a key of one source, or two paths with one end, are told once",
    arguments: Kind.allCases)
  func severalPaths(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Routes", Routes()) {
        try $0.properties(.object, "one", "two").property("a", .int64)
        try $0.method("all", "q@:") { call in
          let parts = ["one.count", "two.count", "a"].map { call.receiver.number($0) }
          return RuntimeValue(parts.reduce(0, +))
        }
        try $0.key("all", affectedBy: ["one.count", "two.count", "one.derived", "one.name", "a"])
      }
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

  @Test(
    "rule 5.8 what depends on a to-many key is told of a setting with whole values",
    arguments: Kind.allCases)
  func toManySource(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Team", Team()) {
        try $0.property("list", .object).automaticallyNotifies("list", false)
        try $0.method("size", "q@:") { RuntimeValue($0.receiver.number("list.@count")) }
        try $0.key("size", affectedBy: ["list"])
      }
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

  @Test(
    "rule 5.10 an end of a path, and what it goes through, are each told once with prior",
    arguments: Kind.allCases)
  func pathsWithPrior(kind: Kind) throws {
    try onStage(kind) { stage in
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

  @Test("rule 5.11 a path leads through a key that depends on a path", arguments: Kind.allCases)
  func pathThroughDependent(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Through", Through()) {
        try $0.property("child", .object)
        try $0.method("grandchild", "@@:") {
          $0.receiver.at("child.child")
        }
        try $0.key("grandchild", affectedBy: ["child.child"])
      }
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

  @Test(
    "rule 5.12 a path that cannot be followed is refused, and all of it rolled back",
    arguments: Kind.allCases)
  func brokenPath(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Broken", Broken()) {
        try $0.properties(.object, "child", "k").properties(.int64, "a")
        try $0.key("k", affectedBy: ["a", "child.count", "child.nope.other"])
      }
      let c = try stage.node(), p = try stage.watcher()
      try object.assign("child", c)
      expectError(.undefinedKey, key: "nope", className: c.class.name) {
        try object.add(p, "k", .initial)
      }
      #expect([object, c].allSatisfy { $0.observationInfo == nil && !$0.isa.isNotifying })
      expectError(.notRegistered, key: "k") { try object.remove(p, "k") }
    }
  }

  @Test(
    "rule 5.13 a path through a to-many key is refused, the key alone is not",
    arguments: Kind.allCases)
  func throughToMany(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Team", Lists()) {
        try $0.properties(.object, "list", "k", "l")
        try $0.key("k", affectedBy: ["list.count"]).key("l", affectedBy: ["list"])
      }
      let p = try stage.watcher()
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

  @Test(
    "rule 5.14 the setters of what affects a key are wrapped, and its own", arguments: Kind.allCases
  )
  func wrapped(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Wrapped", Wrapped()) {
        try $0.properties(.int64, "a", "b", "other").sum("total", of: "a", "b")
        try $0.properties(.int64, "own").key("own", affectedBy: ["a"])
      }
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

  @Test(
    "rule 5.15 an automatic key that affects a manual one moves the isa", arguments: Kind.allCases)
  func manualDependent(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Mixed", Mixed()) {
        try $0.properties(.int64, "a", "k", "m", "l").notAutomatic(["k", "m", "l"])
        try $0.key("k", affectedBy: ["a"]).key("l", affectedBy: ["m"])
      }
      let original = object.isa, p = try stage.watcher()
      try object.add(p, "l")
      #expect(object.isa == original)
      try object.add(p, "k")
      #expect(object.isa.isNotifying)
      try object.assign("k", 1)
      try object.assign("m", 1)
      #expect(p.count == 0)
      try object.assign("a", 1)
      try object.change("m") {}
      #expect(p.told == ["k setting", "l setting"])
      try object.remove(p, "k")
      try object.remove(p, "l")
      #expect(object.isa == original)
    }
  }

  @Test(
    "rule 5.16 within one change the order is that of registration, not of dependency",
    arguments: Kind.allCases)
  func order(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Chain", Chain()) {
        try $0.properties(.int64, "a").sum("b", of: "a", "a").sum("c", of: "b", "b")
      }
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

  @Test(
    "rule 5.17 an intermediate that comes and goes has one forwarder, none after removal",
    arguments: Kind.allCases)
  func rematerialized(kind: Kind) throws {
    try onStage(kind) { stage in
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

  @Test(
    "rule 5.18 equal registrations of a key that depends on a path are told once each",
    arguments: Kind.allCases)
  func equalRegistrations(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.tagged(), c = try stage.node(), p = try stage.watcher()
      try object.assign("child", c)
      for _ in 1...2 { try object.add(p, "tag", [.old, .new]) }
      try c.assign("name", "x")
      #expect(p.told == ["tag setting old <> new <x>", "tag setting old <> new <x>"])
      for _ in 1...2 { try object.remove(p, "tag") }
    }
  }

  // MARK: by hand, and reentrancy

  @Test(
    "rule 6.8 a source that is announced by hand announces what depends on it",
    arguments: Kind.allCases)
  func byHand(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("ByHand", ByHand()) {
        try $0.properties(.int64, "a", "b").notAutomatic(["a", "b"]).sum("total", of: "a", "b")
      }
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

  @Test(
    "rule 3.4 a dependent registration removed between will and did of its source is not told",
    arguments: Kind.allCases)
  func removedBetween(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.tagged(), c = try stage.node(), p = try stage.watcher()
      try object.assign("child", c)
      for (source, key) in [(object, "child"), (c, "name")] {
        try object.add(p, "tag", [.old, .new])
        try source.change(key) { try object.remove(p, "tag") }
      }
      #expect(p.count == 0)
      #expect([object, c].allSatisfy { !$0.isObserved })
    }
  }

  @Test("rule 7.1 setting a source while its dependent is told nests", arguments: Kind.allCases)
  func nests(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Nested", Total()) {
        try $0.properties(.int64, "a", "b").sum("total", of: "a", "b")
      }
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
  fileprivate func tagged() throws -> Subject {
    try shared("Tagged", Tagged()) {
      try $0.property("child", .object)
      try $0.method("tag", "@@:") { RuntimeValue("<\($0.receiver.text("child.name"))>") }
      try $0.key("tag", affectedBy: ["child.name"])
    }
  }
}

// MARK: - Swift classes

private final class Tagged: KVObject, TypedObject {
  @Dynamic var child: Node?
  var tag: String { "<\(child?.name ?? "")>" }

  override class var keys: [KeyDeclaration] {
    [.key("tag", \Tagged.tag, paths: ["child.name"])]
  }
  var properties: [String: TypedProperty] { ["child": .at(\Tagged.child)] }
}

private class Base: KVObject, TypedObject {
  @Dynamic var a = 0
  @Dynamic var b = 0
  @Dynamic var k = 0

  override class var keys: [KeyDeclaration] { [.key("k", \Base.k, affectedBy: [\Base.a])] }
  var properties: [String: TypedProperty] { ["a": .at(\Base.a), "b": .at(\Base.b)] }
}

private final class Sub: Base {
  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "k" ? ["b"] : []
  }
}

private final class Chain: KVObject, TypedObject {
  @Dynamic var a = 0
  var b: Int { 2 * a }
  var c: Int { 2 * b }
  var d: Int { c + a }

  override class var keys: [KeyDeclaration] {
    [
      .key("b", \Chain.b, paths: ["a"]), .key("c", \Chain.c, paths: ["b"]),
      .key("d", \Chain.d, paths: ["c", "a"]),
    ]
  }
  var properties: [String: TypedProperty] { ["a": .at(\Chain.a)] }
}

private final class Cycle: KVObject, TypedObject {
  @Dynamic var a = 0
  @Dynamic var b = 0

  override class var keys: [KeyDeclaration] {
    [
      .key("a", \Cycle.a, affectedBy: [\Cycle.b]), .key("b", \Cycle.b, affectedBy: [\Cycle.a]),
    ]
  }
  var properties: [String: TypedProperty] { ["a": .at(\Cycle.a), "b": .at(\Cycle.b)] }
}

private class Selfish: KVObject, TypedObject {
  @Dynamic var a: Node?
  @Dynamic var k: Node?
  @Dynamic var l: Node?

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    ["k": ["k"], "l": ["k"]][key] ?? []
  }
  var properties: [String: TypedProperty] { [:] }
}

private final class LessSelfish: Selfish {
  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    ["k": ["a", "k.count"], "l": ["k"]][key] ?? []
  }
}

private final class Alike: KVObject, TypedObject {
  @Dynamic var k = 0
  @Dynamic var key = 0
  @Dynamic var keys = 0

  override class var keys: [KeyDeclaration] {
    [.key("key", \Alike.key, affectedBy: [\Alike.k, \Alike.keys])]
  }
  var properties: [String: TypedProperty] { [:] }
}

private final class Diamond: KVObject, TypedObject {
  @Dynamic var a = 0
  var b: Int { 2 * a }
  var c: Int { 2 * a }
  var d: Int { b + c }

  override class var keys: [KeyDeclaration] {
    [
      .key("b", \Diamond.b, paths: ["a"]), .key("c", \Diamond.c, paths: ["a"]),
      .key("d", \Diamond.d, paths: ["b", "c"]),
    ]
  }
  var properties: [String: TypedProperty] { ["a": .at(\Diamond.a)] }
}

private final class Routes: KVObject, TypedObject {
  @Dynamic var one: Node?
  @Dynamic var two: Node?
  @Dynamic var a = 0
  var all: Int { (one?.count ?? 0) + (two?.count ?? 0) + a }

  override class var keys: [KeyDeclaration] {
    [
      .key(
        "all", \Routes.all, paths: ["one.count", "two.count", "one.derived", "one.name", "a"])
    ]
  }
  var properties: [String: TypedProperty] {
    ["one": .at(\Routes.one), "two": .at(\Routes.two), "a": .at(\Routes.a)]
  }
}

private final class Team: KVObject, Listing {
  @Dynamic var list: [Any] = []
  var size: Int { list.count }

  override class var keys: [KeyDeclaration] {
    [.key("size", \Team.size, affectedBy: [\Team.list])]
  }
  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "list" }
  var properties: [String: TypedProperty] { ["list": .at(\Team.list)] }
}

private final class Through: KVObject, TypedObject {
  @Dynamic var child: Node?
  var grandchild: Node? { child?.child }

  override class var keys: [KeyDeclaration] {
    [.key("grandchild", \Through.grandchild, paths: ["child.child"])]
  }
  var properties: [String: TypedProperty] { ["child": .at(\Through.child)] }
}

private final class Broken: KVObject, TypedObject {
  @Dynamic var child: Node?
  @Dynamic var k: Node?
  @Dynamic var a = 0

  override class var keys: [KeyDeclaration] {
    [.key("k", \Broken.k, paths: ["a", "child.count", "child.nope.other"])]
  }
  var properties: [String: TypedProperty] { ["child": .at(\Broken.child)] }
}

private final class Lists: KVObject, TypedObject {
  @Dynamic var list: [Node]?
  @Dynamic var k: Node?
  @Dynamic var l: Node?

  override class var keys: [KeyDeclaration] {
    [.key("k", \Lists.k, paths: ["list.count"]), .key("l", \Lists.l, paths: ["list"])]
  }
  var properties: [String: TypedProperty] { ["list": .at(\Lists.list)] }
}

private final class Wrapped: KVObject, TypedObject {
  @Dynamic var a = 0
  @Dynamic var b = 0
  @Dynamic var other = 0
  @Dynamic var own = 0
  var total: Int { a + b }

  override class var keys: [KeyDeclaration] {
    [
      .key("total", \Wrapped.total, affectedBy: [\Wrapped.a, \Wrapped.b]),
      .key("own", \Wrapped.own, affectedBy: [\Wrapped.a]),
    ]
  }
  var properties: [String: TypedProperty] { ["own": .at(\Wrapped.own)] }
}

private final class Mixed: KVObject, TypedObject {
  @Dynamic var a = 0
  @Dynamic var k = 0
  @Dynamic var m = 0
  @Dynamic var l = 0

  override class var keys: [KeyDeclaration] {
    [.key("k", \Mixed.k, affectedBy: [\Mixed.a]), .key("l", \Mixed.l, affectedBy: [\Mixed.m])]
  }
  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key == "a" }
  var properties: [String: TypedProperty] {
    ["a": .at(\Mixed.a), "k": .at(\Mixed.k), "m": .at(\Mixed.m)]
  }
}

private class Total: KVObject, TypedObject {
  @Dynamic var a = 0
  @Dynamic var b = 0
  var total: Int { a + b }

  override class var keys: [KeyDeclaration] {
    [.key("total", \Total.total, affectedBy: [\Total.a, \Total.b])]
  }
  var properties: [String: TypedProperty] { ["a": .at(\Total.a), "b": .at(\Total.b)] }
}

private final class ByHand: Total {
  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    !["a", "b"].contains(key)
  }
}
