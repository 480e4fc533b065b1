import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("REM: removal", .serialized, .leavesNothing)
struct Removing {
  @Test("REM-02 one of two identical registrations", arguments: Kind.allCases)
  func oneOfTwo(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher(), context = ObservationContext()
      for _ in 0..<2 { try i.add(p, "count", context: context) }
      try i.assign("count", 1)
      #expect(p.count == 2)
      try i.remove(p, "count", context: context)
      try i.assign("count", 2)
      #expect(p.count == 3)
      try i.remove(p, "count", context: context)
    }
  }

  @Test("REM-03 remove without context removes exactly one", arguments: Kind.allCases)
  func withoutContext(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      for _ in 0..<2 { try i.add(p, "count", .new, context: ObservationContext()) }
      try i.remove(p, "count")
      try i.assign("count", 1)
      #expect(p.count == 1)
      try i.remove(p, "count")
      #expect(!i.isObserved)
    }
  }

  @Test("REM-05 one observer removed, other stays", arguments: Kind.allCases)
  func otherStays(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher(), q = try stage.watcher()
      try i.add(p, "name", .new)
      try i.add(q, "name", .new)
      try i.assign("name", stage.text("a"))
      try i.remove(q, "name")
      try i.assign("name", stage.text("b"))
      try i.remove(p, "name")
      #expect(p.told == ["name setting new a", "name setting new b"])
      #expect(q.told == ["name setting new a"])
    }
  }

  @Test("REM-06 remove unregistered raises", arguments: Kind.allCases)
  func unregistered(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher(), original = i.isa
      expectError(.notRegistered, key: "name") {
        try i.remove(p, "name", context: ObservationContext())
      }
      let error = LastError.current
      #expect(error.exception == "NSRangeException")
      for part in ["\"name\"", original.name, p.object.isa.name] {
        #expect(error.reason.contains(part))
      }
      #expect(i.isa == original)
      #expect(!i.isObserved)
    }
  }

  @Test("REM-08 NULL context is exact", arguments: Kind.allCases)
  func nullContext(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.add(p, "count", context: ObservationContext())
      expectError(.notRegistered, key: "count") {
        try i.remove(p, "count", context: .none)
      }
      #expect(LastError.current.exception == "NSRangeException")
      try i.assign("count", 1)
      #expect(p.count == 1)
      try i.remove(p, "count")
    }
  }

  @Test("REM-09 over-removal", arguments: Kind.allCases)
  func tooOften(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher(), original = i.isa
      let context = ObservationContext()
      for _ in 0..<4 { try i.add(p, "count", context: context) }
      for _ in 0..<3 { try i.remove(p, "count", context: context) }
      #expect(i.isa.isNotifying)
      #expect(i.isObserved)
      try i.remove(p, "count", context: context)
      #expect(i.isa == original)
      #expect(!i.isObserved)
      expectError(.notRegistered, key: "count") {
        try i.remove(p, "count", context: context)
      }
    }
  }

  @Test("REM-15 all registrations gone restores class", arguments: Kind.allCases)
  func restoresClass(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher(), original = i.isa
      try i.add(p, "name")
      let notifying = i.isa
      #expect(notifying.isNotifying)
      try i.add(p, "count")
      try i.remove(p, "name")
      #expect(i.isa == notifying)
      #expect(i.isObserved)
      try i.remove(p, "count")
      #expect(i.isa == original)
      #expect(try i.send("observationInfo").isNil)
    }
  }

  @Test("REM-11 removal after chain through derived key", arguments: Kind.allCases)
  func chainThroughDerived(kind: Kind) throws {
    try onStage(kind) { stage in
      let t = try stage.node(), c = try stage.node(), p = try stage.watcher()
      try t.add(p, "child.derived.length", .new)
      try c.assign("name", "Hello")
      try t.assign("child", c)
      #expect(p.count == 1)
      try t.remove(p, "child.derived.length")
      try c.assign("name", "Whatever")
      #expect(p.count == 1)
      #expect([t, c].allSatisfy { !$0.isObserved && !$0.isa.isNotifying })
    }
  }

  @Test("REM-12 array bulk removal without context", arguments: Kind.allCases)
  func bulkWithoutContext(kind: Kind) throws {
    try onStage(kind) { stage in
      let items = try (0..<4).map { _ in try stage.item() }, all = try arrayObject(items)
      let p = try stage.watcher(), context = ObservationContext()
      try all.addObserver(p.object, toObjectsAt: [1, 3], forKeyPath: "count", context: context)
      for item in items { try item.assign("count", 1) }
      try all.removeObserver(p.object, fromObjectsAt: [1, 3], forKeyPath: "count")
      for item in items { try item.assign("count", 2) }
      #expect(p.all.map(\.object) == [items[1].address, items[3].address])
    }
  }

  @Test("REM-14 info nil after failed dependency registration", arguments: Kind.allCases)
  func failedDependency(kind: Kind) throws {
    try onStage(kind) { stage in
      let object = try stage.make("Broken", Broken()) {
        try $0.property("dict", .object).property("k", .int64)
        try $0.key("k", affectedBy: ["dict.ok", "path.which.doesnt.exist"])
      }
      let p = try stage.watcher(), original = object.isa, dict = try dictionaryObject([:])
      try object.assign("dict", RuntimeValue(dict))
      expectError(.undefinedKey, key: "path", className: original.name) { try object.add(p, "k") }
      #expect(LastError.current.exception == "NSUnknownKeyException")
      #expect(object.observationInfo == nil)
      expectError(.notRegistered, key: "k") { try object.remove(p, "k") }
      #expect(object.observationInfo == nil)
      #expect(object.isa == original)
      #expect(!dict.isObserved)
    }
  }
}

private final class Broken: KVObject, TypedObject {
  @Dynamic var dict: Any?
  @Dynamic var k = 0

  override class var keys: [KeyDeclaration] {
    [.key("k", \Broken.k, paths: ["dict.ok", "path.which.doesnt.exist"])]
  }
  var properties: [String: TypedProperty] { ["dict": .at(\Broken.dict), "k": .at(\Broken.k)] }
}
