import IsaKVO
import IsaKVOTestSupport
import Testing

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
      expectError(.notRegistered, key: "count") { try i.remove(q, "count") }
      expectError(.notRegistered, key: "count") {
        try i.remove(p, "count", context: ObservationContext())
      }
      expectError(.notRegistered, key: "flag") { try i.remove(p, "flag") }
      #expect(throws: KeyValueError.self) { try i.remove(p, "a key that nobody has named") }
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

  @Test("rule 3.5 an observer that dies between will and did is not told, and leaves nothing")
  func diesBetween() throws {
    try onStage { stage in
      let m = try stage.manual(), told = Recorder<Void>()
      let watchers = try stage.define("Mortal") { try $0.observer { _, _ in told.add(()) } }
      do {
        let mortal = try watchers.allocate()
        for _ in 0..<2 { try m.addObserver(mortal, forKeyPath: "k") }
        try m.willChangeValue(forKey: "k")
        try m.removeObserver(mortal, forKeyPath: "k")
      }
      try m.didChangeValue(forKey: "k")
      #expect(told.count == 0)
    }
  }

  @Test("rule 3.5 an equal registration serves also where observers are retained")
  func retainedTwin() throws {
    try onStage { stage in
      let m = try stage.manual(), p = try stage.watcher()
      for _ in 0..<2 { try m.add(p, "k", .retainObserver) }
      try m.willChangeValue(forKey: "k")
      try m.remove(p, "k")
      try m.didChangeValue(forKey: "k")
      #expect(p.count == 2)
      try m.remove(p, "k")
      #expect(p.object.retainCount == 1)
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
