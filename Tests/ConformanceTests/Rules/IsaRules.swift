import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("Rules 10: isa-swizzling", .serialized, .leavesNothing)
struct IsaRules {
  @Test(
    "rule 10.1 the notifying class is a subclass named after its original, with no ivar more",
    arguments: Kind.allCases)
  func notifyingClass(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), original = i.isa, p = try stage.watcher()
      try i.add(p, "count")
      #expect(i.isa.name == "NSKVONotifying_\(original.name)")
      #expect(i.isa.superclass == original)
      #expect(i.isa.original == original)
      #expect(i.isa.ivars.isEmpty)
      #expect(i.isa.instanceSize == original.instanceSize)
      try i.remove(p, "count")
    }
  }

  @Test(
    "rule 10.3 asked by message, an observed object is of its original class",
    arguments: Kind.allCases)
  func pretends(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.make("Counted", Counted()) { try $0.property("count", .int64) }
      let original = i.isa, p = try stage.watcher()
      try i.add(p, "count")
      #expect(i.class == original)
      #expect(try i.send("isMemberOfClass:", RuntimeValue(original)) == true)
      #expect(try i.send("isKindOfClass:", RuntimeValue(original)) == true)
      #expect(i.isKind(of: original))
      #expect(try i.send("_isKVOA") == true)
      #expect(Set(i.isa.methods.map(\.selector)) == ["class", "dealloc", "_isKVOA", "setCount:"])
      try i.remove(p, "count")
      #expect(!i.responds(to: "_isKVOA"))
    }
  }

  @Test(
    "rule 10.4 a swizzled instance goes through the setters of keys that its siblings observe",
    arguments: Kind.allCases)
  func sharedLiability(kind: Kind) throws {
    try onStage(kind) { stage in
      let a = try stage.pair(), b = try stage.pair(), p = try stage.watcher()
      try a.add(p, "name")
      let plain = a.isa.implementation(of: "setCount:")
      try b.add(p, "count")
      #expect(a.isa.implementation(of: "setCount:") != plain)
      try b.remove(p, "count")
      #expect(a.isa.implementation(of: "setCount:") != plain)
      try a.assign("count", 1)
      #expect(p.count == 0)
      try a.remove(p, "name")
    }
  }

  @Test("rule 10.5 the setter is found as for key-value coding", arguments: ["_setX:", "setIsX:"])
  func otherSetters(name: String) throws {
    try onStage { stage in
      let odd = try stage.define("Odd") {
        try $0.property("x", .int64, setter: RuntimeSelector(name))
      }
      let object = try odd.allocate(), p = try stage.watcher()
      try object.add(p, "x", .new)
      try object.send(RuntimeSelector(name), 4)
      #expect(p.told == ["x setting new 4"])
      #expect(object.isa.wrappedSetters.map(\.selector.name) == [name])
      try object.remove(p, "x")
    }
  }

  @Test("rule 10.6 a key without setter moves the isa and wraps nothing", arguments: Kind.allCases)
  func noSetter(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Bare", Bare()) {
        try $0.ivar("_bare", .int64).property("fixed", .int64, isReadOnly: true)
      }
      let p = try stage.watcher()
      for key in ["bare", "fixed", "unknown"] { try object.add(p, key) }
      #expect(object.isa.isNotifying)
      #expect(object.isa.wrappedSetters.isEmpty)
      #expect(Set(object.isa.methods.map(\.selector)) == ["class", "dealloc", "_isKVOA"])
      for key in ["bare", "fixed", "unknown"] { try object.remove(p, key) }
    }
  }

  @Test("rule 10.9 a setter that returns something is left alone, which is said once")
  func answeringSetter() throws {
    try onStage { stage in
      let made = try stage.define("Chained") {
        try $0.ivar("_x", .int64)
        try $0.method("setX:", "@@:q") { call in
          attempt { try call.receiver.poke(ivar: "_x", call.arguments[0]) }
          return RuntimeValue(call.receiver)
        }
      }
      let object = try made.allocate(), p = try stage.watcher()
      let reported = try reports {
        try object.add(p, "x")
        try object.add(p, "x")
      }
      #expect(reported.count == 1)
      try object.assign("x", 1)
      #expect(p.count == 0)
      for _ in 0..<2 { try object.remove(p, "x") }
    }
  }

  @Test(
    "rule 10.10 as Apple: scalars, objects and structs are wrapped",
    arguments: [
      "c", "C", "s", "S", "i", "I", "l", "L", "q", "Q", "f", "d", "B", "@", "#", "{CGPoint=dd}",
      "{CGRect={CGPoint=dd}{CGSize=dd}}", "{_NSRange=QQ}", "{Other=qf}",
    ] as [RuntimeTypeEncoding])
  func wrappedAsApple(encoding: RuntimeTypeEncoding) throws {
    try withWrapping(.asApple) {
      try onStage { stage in
        let object = try stage.define("Box") { try $0.property("x", encoding) }.allocate()
        let p = try stage.watcher()
        #expect(try reports { try object.add(p, "x") }.isEmpty)
        try object.send("setX:", object.get("x"))
        #expect(p.told == ["x setting"])
        let hasAlias = object.isa.methods.contains { $0.selector == "_original_setX:" }
        #expect(hasAlias == (encoding == "{Other=qf}"))
        try object.remove(p, "x")
      }
    }
  }

  @Test(
    "rule 10.10 as Apple: pointers, selectors, C strings and long double are left alone",
    arguments: ["^v", "*", ":", "D"] as [RuntimeTypeEncoding])
  func leftAloneAsApple(encoding: RuntimeTypeEncoding) throws {
    try withWrapping(.asApple) {
      try onStage { stage in
        let object = try stage.define("Box") { try $0.property("x", encoding) }.allocate()
        let p = try stage.watcher()
        #expect(try reports { try object.add(p, "x") }.count == 1)
        try object.send("setX:", object.get("x"))
        #expect(p.count == 0)
        try object.remove(p, "x")
      }
    }
  }

  @Test(
    "rule 10.10 otherwise every type that can be passed is wrapped",
    arguments: ["^v", "*", ":", "D", "{Big=[40q]}"] as [RuntimeTypeEncoding],
    [WrappingPolicy.automatic, .libffi])
  func wrapped(encoding: RuntimeTypeEncoding, policy: WrappingPolicy) throws {
    try withWrapping(policy) {
      try onStage { stage in
        let object = try stage.define("Box") { try $0.property("x", encoding) }.allocate()
        let p = try stage.watcher()
        #expect(try reports { try object.add(p, "x", [.old, .new]) }.isEmpty)
        try object.send("setX:", object.get("x"))
        #expect(p.count == 1)
        try object.remove(p, "x")
      }
    }
  }

  @Test(
    "rule 10.11 one replacement function for each type, which finds the key by itself",
    arguments: Kind.allCases)
  func oneForEachType(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Pairs", Pairs()) {
        for key in ["a", "b"] { try $0.property(key, .int64).property(key + "Ratio", .double) }
      }
      let p = try stage.watcher()
      let keys = ["a", "b", "aRatio", "bRatio"]
      for key in keys { try object.add(p, key, .new) }
      let wrappers = object.isa.wrappedSetters.map(\.wrapper)
      #expect(wrappers[0] == wrappers[1])
      #expect(wrappers[2] == wrappers[3])
      #expect(wrappers[0] != wrappers[2])
      for (number, key) in keys.enumerated() {
        try object.assign(key, number < 2 ? RuntimeValue(number) : RuntimeValue(Double(number)))
      }
      #expect(
        p.told == [
          "a setting new 0", "b setting new 1", "aRatio setting new 2.0", "bRatio setting new 3.0",
        ])
      for key in keys { try object.remove(p, key) }
    }
  }

  @Test("rule 10.12 a taken name is reported once, and observing goes on without the setter")
  func nameTaken() throws {
    try onStage { stage in
      let i = try stage.item(), original = i.isa, p = try stage.watcher()
      _ = try stage.define(exactly: "NSKVONotifying_\(original.name)")
      let reported = try reports {
        try i.add(p, "count")
        try i.add(p, "flag")
      }
      #expect(reported.map(\.exception) == ["NSInternalInconsistencyException"])
      #expect(reported.first?.reason.contains("NSKVONotifying_\(original.name)") == true)
      #expect(i.isa == original)
      try i.assign("count", 1)
      #expect(p.count == 0)
      try i.change("count") { () throws(KeyValueError) in try i.set("count", 2) }
      #expect(p.told == ["count setting"])
      for key in ["count", "flag"] { try i.remove(p, key) }
    }
  }

  @Test("rule 10.12 a class whose name begins with NSKVONotifying_ is observed like any other")
  func prefixedName() throws {
    try onStage { stage in
      let name = "NSKVONotifying_\(uniqueName("Foreign"))"
      let made = try stage.define(exactly: name) { try $0.property("x", .int64) }
      let object = try made.allocate(), p = try stage.watcher()
      #expect(!made.isNotifying)
      try object.add(p, "x")
      #expect(object.isa.name == "NSKVONotifying_\(name)")
      try object.assign("x", 1)
      #expect(p.count == 1)
      try object.remove(p, "x")
      #expect(object.isa == made)
    }
  }

  @Test("rule 10.14 x and X share setX:, which announces the key that was observed last")
  func sharedSetter() throws {
    try onStage { stage in
      let made = try stage.define("Twice") {
        try $0.property("x", .int64)
        try $0.method("X", "q@:") { call in (try? call.receiver.get("x")) ?? 0 }
      }
      let object = try made.allocate(), p = try stage.watcher()
      try object.add(p, "x", .new)
      try object.assign("x", 1)
      try object.add(p, "X", .new)
      try object.assign("x", 2)
      #expect(p.told == ["x setting new 1", "X setting new 2"])
      #expect(object.isa.wrappedSetters.map(\.key) == ["X"])
      for key in ["x", "X"] { try object.remove(p, key) }
    }
  }

  @Test("rule 10.15 the original's present code is called, so that a later patch counts")
  func patched() throws {
    try onStage { stage in
      let i = try stage.item(), original = i.isa, p = try stage.watcher()
      try i.add(p, "count", [.old, .new])
      try original.replaceMethod("setCount:", "v@:q") { call in
        attempt { try call.receiver.poke(ivar: "_count", 100) }
      }
      try i.assign("count", 1)
      #expect(p.told == ["count setting old 0 new 100"])
      try i.remove(p, "count")
    }
  }
}

extension Stage {
  /// An object of a class whose keys nobody else observes.
  fileprivate func pair() throws -> Subject {
    try shared("Pair", Pair()) { try $0.property("name", .object).property("count", .int64) }
  }
}

// MARK: - Swift classes

private final class Counted: KVObject, TypedObject {
  @Dynamic var count = 0

  var properties: [String: TypedProperty] { [:] }
}

private final class Pair: KVObject, TypedObject {
  @Dynamic var name: String?
  @Dynamic var count = 0

  var properties: [String: TypedProperty] { ["count": .at(\Pair.count)] }
}

private final class Bare: KVObject, TypedObject {
  var bare: Int { 0 }
  var fixed: Int { 0 }

  override class var keys: [KeyDeclaration] {
    [.key("bare", \Bare.bare), .key("fixed", \Bare.fixed)]
  }
  var properties: [String: TypedProperty] { [:] }
}

private final class Pairs: KVObject, TypedObject {
  @Dynamic var a = 0
  @Dynamic var b = 0
  @Dynamic var aRatio = 0.0
  @Dynamic var bRatio = 0.0

  var properties: [String: TypedProperty] {
    [
      "a": .at(\Pairs.a), "b": .at(\Pairs.b), "aRatio": .at(\Pairs.aRatio),
      "bRatio": .at(\Pairs.bRatio),
    ]
  }
}
