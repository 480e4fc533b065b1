import Foundation
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("THR: threads", .serialized, .leavesNothing)
struct Threads {
  @Test("THR-01 synchronous thread", arguments: Kind.allCases)
  func synchronous(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), threads = Recorder<UInt>()
      let p = try stage.watcher { _, _ in threads.add(UInt(pthread_self())) }
      try i.add(p, "count")
      onThreads(1) { _ in
        attempt { try i.assign("count", 1) }
        #expect(threads.all == [UInt(pthread_self())])
      }
      #expect(threads.count == 1)
      try i.remove(p, "count")
    }
  }

  @Test("THR-03 two-object crossing", arguments: Kind.allCases)
  func crossing(kind: Kind) throws {
    try onStage(kind) { stage in
      let a = try stage.pair(), b = try stage.pair(), told = Shared(0), turns = Turns(kind)
      let ofB = try b.observe("x") { _ in attempt { try turns.take { try a.assign("y", 1) } } }
      let ofA = try a.observe("y") { _ in
        attempt { try b.assign("z", 1) }
        told.update { $0 += 1 }
      }
      let inTime = endsInTime(60) {
        onThreads(2) { number in
          for round in 0..<10_000 {
            attempt {
              if number == 0 { try b.assign("x", RuntimeValue(round)) }
              if number == 1 { try turns.take { try a.assign("y", RuntimeValue(round)) } }
            }
          }
        }
      }
      #expect(inTime)
      #expect(told.value == 20_000)
      ofA.invalidate()
      ofB.invalidate()
    }
  }

  @Test("THR-04 register/remove from 5000 concurrent subscribers", arguments: Kind.allCases)
  func subscribers(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), late = Shared(0), turns = Turns(kind)
      whileThreads(2, repeat: { attempt { try turns.take { try i.assign("count", 1) } } }) {
        DispatchQueue.concurrentPerform(iterations: 5000) { _ in
          let isDisposed = Shared(false)
          attempt {
            let token = try i.observe("count") { _ in
              if isDisposed.value { late.update { $0 += 1 } }
            }
            token.invalidateAndWait()
          }
          isDisposed.value = true
        }
      }
      #expect(late.value == 0)
      #expect(!i.isObserved)
    }
  }

  @Test("THR-06 no lock held", arguments: Kind.allCases)
  func noLock(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), other = try stage.item(), p = try stage.watcher()
      let token = try i.observe("count") { _ in
        #expect(endsInTime { attempt { try other.add(p, "count") } })
      }
      try i.assign("count", 1)
      #expect(other.isObserved)
      token.invalidate()
      try other.remove(p, "count")
    }
  }
}

extension Stage {
  /// An object of three numbers.
  fileprivate func pair() throws -> Subject {
    try shared("Pair", Pair()) { for key in ["x", "y", "z"] { try $0.property(key, .int64) } }
  }
}

private final class Pair: KVObject, TypedObject {
  @Dynamic var x = 0
  @Dynamic var y = 0
  @Dynamic var z = 0

  var properties: [String: TypedProperty] {
    ["x": .at(\Pair.x), "y": .at(\Pair.y), "z": .at(\Pair.z)]
  }
}
