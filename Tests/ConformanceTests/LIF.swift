import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("LIF: lifetime", .serialized, .leavesNothing)
struct Lifetime {
  @Test("LIF-01 dealloc with observer", arguments: Kind.allCases)
  func objectDies(kind: Kind) throws {
    try onStage(kind) { stage in
      let p = try stage.watcher(), log = try RuntimeEventLog()
      let reported = try reports {
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

  @Test("LIF-02 self-observer", arguments: Kind.allCases)
  func selfObserver(kind: Kind) throws {
    try onStage(kind) { stage in
      let told = Recorder<Void>()
      let reported = try reports {
        let object = try stage.make("SelfObserver", SelfObserver(told)) {
          try $0.property("x", .int64)
          try $0.observer { _, change in told.add(()) }
          try $0.method("dealloc", "v@:") { call in
            attempt { try call.receiver.removeObserver(call.receiver, forKeyPath: "x") }
          }
        }
        try object.addObserver(Observer(object), forKeyPath: "x", options: .new)
        try object.assign("x", 1)
      }
      #expect(told.count == 1)
      #expect(reported.isEmpty)
    }
  }

  @Test("LIF-04 dead observer", arguments: Kind.allCases)
  func observerDies(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), told = Recorder<Void>()
      do {
        let p = try stage.observer { _, _ in told.add(()) }
        try i.addObserver(p, forKeyPath: "count")
      }
      for count in 1...5001 { try i.assign("count", RuntimeValue(count)) }
      #expect(told.count == 0)
    }
  }

  @Test("LIF-05 wrapper auto-removes on target death", arguments: Kind.allCases)
  func targetDies(kind: Kind) throws {
    try onStage(kind) { stage in
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

  @Test("LIF-07 double cancel", arguments: Kind.allCases)
  func doubleCancel(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), told = Recorder<Void>()
      let token = try i.observe("count") { _ in told.add(()) }
      try i.assign("count", 1)
      token.invalidate()
      token.invalidate()
      try i.assign("count", 2)
      #expect(told.count == 1)
    }
  }

  @Test("LIF-08 concurrent cancel", arguments: Kind.allCases)
  func concurrentCancel(kind: Kind) throws {
    try onStage(kind) { stage in
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

  @Test("LIF-10 retain cycle broken", arguments: Kind.allCases)
  func cycle(kind: Kind) throws {
    try onStage(kind) { stage in
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

  @Test("LIF-11 observer owning a chain", arguments: Kind.allCases)
  func observerOwnsObserved(kind: Kind) throws {
    try onStage(kind) { stage in
      let told = Recorder<Void>()
      let ends: [RuntimeWeakReference]
      do {
        let i = try stage.item()
        let owner = try stage.make("Owner", Owner(told)) {
          try $0.property("observed", .object).observer { _, _ in told.add(()) }
        }
        ends = try [RuntimeWeakReference(to: i.object), RuntimeWeakReference(to: owner.object)]
        try owner.assign("observed", i)
        try i.addObserver(Observer(owner), forKeyPath: "count")
        try i.assign("count", 1)
      }
      #expect(told.count == 1)
      #expect(ends.allSatisfy { $0.object == nil })
    }
  }
}

// MARK: - Swift classes

private final class SelfObserver: KVObject, TypedObject {
  @Dynamic var x = 0
  private let told: Recorder<Void>

  init(_ told: Recorder<Void>) { self.told = told }

  deinit { attempt { try removeObserver(self, forKeyPath: "x") } }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [ChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) { told.add(()) }

  var properties: [String: TypedProperty] { ["x": .at(\SelfObserver.x)] }
}

private final class Owner: KVObject, TypedObject {
  @Dynamic var observed: Item?
  private let told: Recorder<Void>

  init(_ told: Recorder<Void>) { self.told = told }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [ChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) { told.add(()) }

  var properties: [String: TypedProperty] { ["observed": .at(\Owner.observed)] }
}
