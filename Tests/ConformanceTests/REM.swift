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

@Suite("Rules 3: removal", .serialized, .leavesNothing)
struct RemovalRules {
  @Test("rule 3.2 without a context the latest registration goes")
  func latestGoes() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher()
      let contexts = (0..<3).map { _ in ObservationContext() }
      for context in contexts { try i.add(p, "count", context: context) }
      for left in (0..<3).reversed() {
        try i.remove(p, "count")
        #expect(i.registrations.map(\.context) == Array(contexts[..<left]))
      }
    }
  }

  @Test("rule 3.3 a removal that matches nothing changes nothing, and a right one works afterwards")
  func failedRemoval() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher(), q = try stage.watcher()
      let context = ObservationContext()
      try i.add(p, "count", context: context)
      let before = i.registrations
      let error = ObservingError.notRegistered(keyPath: "count")
      #expect(throws: error) { try i.remove(q, "count") }
      #expect(throws: error) { try i.remove(p, "count", context: ObservationContext()) }
      #expect(throws: ObservingError.notRegistered(keyPath: "flag")) { try i.remove(p, "flag") }
      #expect(throws: ObservingError.self) { try i.remove(p, "a key that nobody has named") }
      #expect(i.registrations == before)
      try i.assign("count", 1)
      #expect(p.count == 1)
      try i.remove(p, "count", context: context)
      #expect(!i.isObserved)
    }
  }

  @Test("rule 3.4 what is removed between will and did is not told, others are")
  func removedBetween() throws {
    try onStage { stage in
      let m = try stage.manual(), p = try stage.watcher(), q = try stage.watcher()
      try m.add(p, "k")
      try m.add(q, "k")
      try m.willChangeValue(forKey: "k")
      try m.remove(p, "k")
      try m.didChangeValue(forKey: "k")
      #expect(p.count == 0)
      #expect(q.count == 1)
      try m.remove(q, "k")
    }
  }

  @Test("rule 3.5 removed and added again with another context between will and did: not told")
  func otherContextBetween() throws {
    try onStage { stage in
      let m = try stage.manual(), p = try stage.watcher()
      try m.add(p, "k")
      try m.willChangeValue(forKey: "k")
      try m.remove(p, "k")
      try m.add(p, "k", context: ObservationContext())
      try m.didChangeValue(forKey: "k")
      #expect(p.count == 0)
      try m.remove(p, "k")
    }
  }

  @Test("rule 3.5 tokens are always distinct: ended between will and did, a twin does not serve")
  func tokensAreDistinct() throws {
    try onStage { stage in
      let m = try stage.manual(), told = Recorder<String>()
      let first = try m.observe("k") { _ in told.add("first") }
      try m.willChangeValue(forKey: "k")
      first.invalidate()
      let second = try m.observe("k") { _ in told.add("second") }
      try m.didChangeValue(forKey: "k")
      #expect(told.all.isEmpty)
      second.invalidate()
    }
  }

  // On Apple's systems the look-up by class fails; here an object's registrations are its own.
  @Test("rule 3.10 removal works though the object's class was changed meanwhile")
  func classChanged() throws {
    try onStage { stage in
      let i = try stage.item(), p = try stage.watcher()
      let other = try stage.define("Other", superclass: stage.itemClass())
      try i.add(p, "count")
      try i.setIsa(other)
      try i.remove(p, "count")
      #expect(!i.isObserved)
      #expect(i.isa == other)
    }
  }
}
