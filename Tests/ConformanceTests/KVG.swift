import CIsa
import CIsaTestSupport
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("KVG: reading by key", .serialized, .leavesNothing)
struct ReadingByKey {
  @Test("KVG-01 get/plain/is/_ order")
  func order() throws {
    try onStage { stage in
      let candidates = [
        ("a", ["getA", "a", "isA", "_a"]), ("b", ["b", "isB", "_b"]), ("c", ["isC", "_c"]),
        ("d", ["_d"]),
      ]
      let made = try stage.define("Getters") { builder in
        for (_, names) in candidates {
          for name in names {
            try builder.method(RuntimeSelector(name), "*@:") { _ in RuntimeValue(name) }
          }
        }
      }
      let object = try made.allocate()
      for (key, names) in candidates { #expect(try object.get(key).string == names[0]) }
    }
  }

  @Test("KVG-03 direct access off")
  func noDirectAccess() throws {
    try onStage { stage in
      let made = try stage.define("Closed") {
        for name in ["_b", "_isB", "b", "isB"] { try $0.ivar(name, .int64) }
        try $0.classMethod("accessInstanceVariablesDirectly", "B@:") { _ in false }
      }
      let object = try made.allocate()
      expectError(.undefinedKey, key: "b", className: made.name) {
        try object.value(forKey: "b")
      }
      #expect(LastError.current.exception == "NSUnknownKeyException")
    }
  }

  @Test("KVG-04 _is method is not a getter")
  func underscoreIs() throws {
    try onStage { stage in
      let made = try stage.define("Odd") { try $0.method("_isName", "B@:") { _ in true } }
      expectError(.undefinedKey, key: "name", className: made.name) {
        try made.allocate().value(forKey: "name")
      }
    }
  }

  @Test("KVG-07 method added later")
  func addedLater() throws {
    try onStage { stage in
      let made = try stage.define("Late") { try $0.method("floatVal", "f@:") { _ in 1.0 } }
      let object = try made.allocate()
      #expect(try object.value(forKey: "floatVal").double == 1)
      try made.addMethod("getFloatVal", "f@:") { _ in 2.0 }
      #expect(try object.value(forKey: "floatVal").double == 2)
    }
  }

  @Test("KVG-09 null object", arguments: Kind.allCases)
  func null(kind: Kind) throws {
    let null = try Sample.null.receiver(kind)
    #expect(try null.get(key: "x")?.id == kvc_null())
    #expect(try null.get("x.y")?.id == kvc_null())
  }

  @Test("KVG-10 array valueForKey maps nil to null", arguments: Kind.allCases)
  func nilToNull(kind: Kind) throws {
    try onStage(kind) { stage in
      let named = try stage.item(), nameless = try stage.item()
      try named.assign("name", "n")
      let items = Sample.array([.object(named.object), .object(nameless.object)])
      #expect(try items.receiver(kind).get("name")?.description == "(n, <null>)")
    }
  }

  @Test("KVG-12 unknown on array element", arguments: Kind.allCases)
  func unknownOnElement(kind: Kind) throws {
    let numbers = try Sample.array([3.14159]).receiver(kind)
    #expect(try raised { try numbers.get("lastObject") } == "NSUnknownKeyException")
  }

  @Test("KVG-13 dictionary literal path and leading @")
  func literalPath() throws {
    let dictionary = try Sample.dictionary([("a", 1), ("b", 2), ("c", 3)]).make()
    try dictionary.set("@count", "hmm")
    #expect(try dictionary.get(key: "@count")?.double == 4)
    #expect(try dictionary.get("@count")?.double == 4)
    #expect(try dictionary.entry("@count") == "hmm")
  }

  @Test("KVG-15 leading dot", arguments: Kind.allCases)
  func leadingDot(kind: Kind) throws {
    let dictionary = try Sample.dictionary([("sub", ["arr": [1, 2]])]).receiver(kind)
    #expect(try dictionary.get(".sub.arr") == nil)
    #expect(try dictionary.get("a.b.c") == nil)
  }

  @Test("KVG-16 trailing dot", arguments: Kind.allCases)
  func trailingDot(kind: Kind) throws {
    let without = try Sample.dictionary([("sub", ["arr": [1, 2]])]).receiver(kind)
    #expect(try without.get("sub.") == nil)
    let with = try Sample.dictionary([("sub", ["arr": [1, 2], "": "foo"])]).receiver(kind)
    #expect(try with.get("sub.")?.description == "foo")
    #expect(try raised { try with.get("sub.arr.") } == "NSUnknownKeyException")
  }

  @Test("KVG-06 proxy classes by accessors")
  func proxyClasses() throws {
    let cases = [
      (ISA_TEST_READ_ARRAY, KVC_KIND_ARRAY), (ISA_TEST_READ_SET, KVC_KIND_SET),
      (ISA_TEST_READ_ORDERED_SET, KVC_KIND_ORDERED_SET),
    ]
    for (accessors, kind) in cases {
      let shelf = try Shelf(accessors, .collection(kind, [Kept.number(1), Kept.number(2)]))
      let proxy = try shelf.value()
      #expect(proxy.isProxy && proxy.kind == kind && shelf.takeCalls() == "")
      guard kind == KVC_KIND_ARRAY else { continue }
      #expect(try proxy.object(at: 1) == Kept.number(2) && shelf.takeCalls() == "at 1")
    }
  }
}
