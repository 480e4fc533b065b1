import IsaKVO
import Testing

@Suite("REM: removal", .serialized, .leavesNothing)
struct Removing {
  @Test("REM-02 one of two identical registrations")
  func oneOfTwo() throws {
    try onStage { stage in
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

  @Test("REM-03 remove without context removes exactly one")
  func withoutContext() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher()
      for _ in 0..<2 { try i.add(p, "count", .new, context: ObservationContext()) }
      try i.remove(p, "count")
      try i.assign("count", 1)
      #expect(p.count == 1)
      try i.remove(p, "count")
      #expect(!i.isObserved)
    }
  }

  @Test("REM-05 one observer removed, other stays")
  func otherStays() throws {
    try onStage { stage in
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

  @Test("REM-06 remove unregistered raises")
  func unregistered() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher(), original = i.isa
      #expect(throws: ObservingError.notRegistered(keyPath: "name")) {
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

  @Test("REM-08 NULL context is exact")
  func nullContext() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher()
      try i.add(p, "count", context: ObservationContext())
      #expect(throws: ObservingError.notRegistered(keyPath: "count")) {
        try i.remove(p, "count", context: .none)
      }
      #expect(LastError.current.exception == "NSRangeException")
      try i.assign("count", 1)
      #expect(p.count == 1)
      try i.remove(p, "count")
    }
  }

  @Test("REM-09 over-removal")
  func tooOften() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher(), original = i.isa
      let context = ObservationContext()
      for _ in 0..<4 { try i.add(p, "count", context: context) }
      for _ in 0..<3 { try i.remove(p, "count", context: context) }
      #expect(i.isa.isNotifying)
      #expect(i.isObserved)
      try i.remove(p, "count", context: context)
      #expect(i.isa == original)
      #expect(!i.isObserved)
      #expect(throws: ObservingError.notRegistered(keyPath: "count")) {
        try i.remove(p, "count", context: context)
      }
    }
  }

  @Test("REM-15 all registrations gone restores class")
  func restoresClass() throws {
    try onStage { stage in
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
}
