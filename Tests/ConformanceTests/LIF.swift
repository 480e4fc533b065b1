import IsaKVO
import IsaKVOTestSupport
import Testing

@Suite("LIF: lifetime", .serialized, .leavesNothing)
struct Lifetime {
  @Test("LIF-01 dealloc with observer")
  func objectDies() throws {
    try onStage { stage in
      let p = try stage.watcher(), log = try RuntimeEventLog()
      let reported = try misuses {
        let i = try stage.item()
        try i.add(p, "count")
        try i.assign("count", 1)
      }
      log.stop()
      #expect(reported.isEmpty)
      #expect(p.count == 1)
      let removed = log.events.filter { $0.kind == .observerRemoved }
      #expect(removed.map(\.reason) == [.objectDied])
      // One of these is likely to get the memory of the one that died.
      for _ in 0..<8 { #expect(try !stage.item().isObserved) }
    }
  }

  @Test("LIF-02 self-observer")
  func selfObserver() throws {
    try onStage { stage in
      let told = Recorder<String>()
      let made = try stage.define("SelfObserver") {
        try $0.property("x", .int64)
        try $0.observer { _, change in told.add("\(change)") }
        try $0.method("dealloc", "v@:") { call in
          attempt { try call.receiver.removeObserver(call.receiver, forKeyPath: "x") }
        }
      }
      let reported = try misuses {
        let object = try made.allocate()
        try object.addObserver(object, forKeyPath: "x", options: .new)
        try object.assign("x", 1)
      }
      #expect(told.all == ["x: → 1"])
      #expect(reported.isEmpty)
    }
  }

  @Test("LIF-04 dead observer")
  func observerDies() throws {
    try onStage { stage in
      let i = try stage.item(), told = Recorder<Void>()
      let watchers = try stage.define("Mortal") { try $0.observer { _, _ in told.add(()) } }
      do {
        let p = try watchers.allocate()
        try i.addObserver(p, forKeyPath: "count")
      }
      for count in 1...5001 { try i.assign("count", RuntimeValue(count)) }
      #expect(told.count == 0)
    }
  }

  @Test("LIF-05 wrapper auto-removes on target death")
  func targetDies() throws {
    try onStage { stage in
      let t2 = try stage.item(), told = Recorder<String>()
      let first: KeyValueObservation
      do {
        let t1 = try stage.item()
        first = try t1.observe("count") { _ in told.add("t1") }
      }
      let second = try t2.observe("count") { _ in told.add("t2") }
      try t2.assign("count", 1)
      #expect(!first.isValid)
      #expect(told.all == ["t2"])
      first.invalidate()
      second.invalidate()
    }
  }

  @Test("LIF-07 double cancel")
  func doubleCancel() throws {
    try onStage { stage in
      let i = try stage.item(), told = Recorder<Void>()
      let token = try i.observe("count") { _ in told.add(()) }
      try i.assign("count", 1)
      token.invalidate()
      token.invalidate()
      try i.assign("count", 2)
      #expect(told.count == 1)
    }
  }

  @Test("LIF-08 concurrent cancel")
  func concurrentCancel() throws {
    try onStage { stage in
      let i = try stage.item(), told = Recorder<Void>(), log = try RuntimeEventLog()
      for _ in 0..<200 {
        let token = try i.observe("count") { _ in told.add(()) }
        onThreads(2) { _ in token.invalidate() }
        #expect(!token.isValid)
      }
      try i.assign("count", 1)
      log.stop()
      #expect(told.count == 0)
      #expect(log.events.filter { $0.kind == .observerRemoved }.count == 200)
    }
  }

  @Test("LIF-10 retain cycle broken")
  func cycle() throws {
    try onStage { stage in
      let i = try stage.item(), told = Recorder<Void>()
      weak var ended: KeyValueObservation?
      do {
        let holder = Shared<KeyValueObservation?>(nil)
        let token = try i.observe("count") { _ in
          told.add(())
          withExtendedLifetime(holder) {}
        }
        holder.value = token
        ended = token
        token.invalidate()
      }
      #expect(ended == nil)
      try i.assign("count", 1)
      #expect(told.count == 0)
    }
  }

  @Test("LIF-11 observer owning a chain")
  func observerOwnsObserved() throws {
    try onStage { stage in
      let told = Recorder<Void>()
      let owners = try stage.define("Owner") {
        try $0.property("observed", .object).observer { _, _ in told.add(()) }
      }
      let ends: [RuntimeWeakReference]
      do {
        let i = try stage.item(), owner = try owners.allocate()
        ends = try [RuntimeWeakReference(to: i), RuntimeWeakReference(to: owner)]
        try owner.assign("observed", i)
        try i.addObserver(owner, forKeyPath: "count")
        try i.assign("count", 1)
      }
      #expect(told.count == 1)
      #expect(ends.allSatisfy { $0.object == nil })
    }
  }
}
