import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite("Rules 3: removal", .serialized, .leavesNothing)
struct RemovalRules {
  @Test("rule 3.2 without a context the latest registration goes", arguments: Kind.allCases)
  func latestGoes(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      let contexts = (0..<3).map { _ in ObservationContext() }
      for context in contexts { try i.add(p, "count", context: context) }
      for left in (0..<3).reversed() {
        try i.remove(p, "count")
        #expect(i.registrations.map(\.context) == Array(contexts[..<left]))
      }
    }
  }

  @Test(
    "rule 3.3 a removal that matches nothing changes nothing, and a right one works afterwards",
    arguments: Kind.allCases)
  func failedRemoval(kind: Kind) throws {
    try onStage(kind) { stage in
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

  @Test(
    "rule 3.4 what is removed between will and did is not told, others are",
    arguments: Kind.allCases)
  func removedBetween(kind: Kind) throws {
    try onStage(kind) { stage in
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

  @Test(
    "rule 3.5 removed and added again with another context between will and did: not told",
    arguments: Kind.allCases)
  func otherContextBetween(kind: Kind) throws {
    try onStage(kind) { stage in
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

  @Test(
    "rule 3.5 an observer that dies between will and did is not told, and leaves nothing",
    arguments: Kind.allCases)
  func diesBetween(kind: Kind) throws {
    try onStage(kind) { stage in
      let m = try stage.manual(), told = Recorder<Void>()
      do {
        let mortal = try stage.observer { _, _ in told.add(()) }
        for _ in 0..<2 { try m.addObserver(mortal, forKeyPath: "k") }
        try m.willChangeValue(forKey: "k")
        try m.removeObserver(mortal, forKeyPath: "k")
      }
      try m.didChangeValue(forKey: "k")
      #expect(told.count == 0)
    }
  }

  @Test(
    "rule 3.5 an equal registration serves also where observers are retained",
    arguments: Kind.allCases)
  func retainedTwin(kind: Kind) throws {
    try onStage(kind) { stage in
      let m = try stage.manual(), p = try stage.watcher(), count = p.object.retainCount
      for _ in 0..<2 { try m.add(p, "k", .retainObserver) }
      try m.willChangeValue(forKey: "k")
      try m.remove(p, "k")
      try m.didChangeValue(forKey: "k")
      #expect(p.count == 2)
      try m.remove(p, "k")
      #expect(p.object.retainCount == count)
    }
  }

  @Test(
    "rule 3.5 tokens are always distinct: ended between will and did, a twin does not serve",
    arguments: Kind.allCases)
  func tokensAreDistinct(kind: Kind) throws {
    try onStage(kind) { stage in
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
  @Test(
    "rule 3.10 removal works though the object's class was changed meanwhile",
    arguments: Kind.allCases)
  func classChanged(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      let other = try stage.define("Other", superclass: i.isa)
      try i.add(p, "count")
      try i.setIsa(other)
      try i.remove(p, "count")
      #expect(!i.isObserved)
      #expect(i.isa == other)
    }
  }
}
