import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite("Rules 12: threads", .serialized, .leavesNothing)
struct ThreadRules {
  @Test(
    "rule 12.2 no lock is held while a callback runs, whatever the phase",
    arguments: [[], .initial, .prior] as [ObservationOptions], Kind.allCases)
  func noLockInAnyPhase(options: ObservationOptions, kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      let token = try i.observe("count", options: options) { change in
        let object = change.object
        #expect(
          endsInTime {
            attempt {
              try object.add(p, "count")
              try object.assign("flag", true)
              try object.remove(p, "count")
            }
          })
      }
      try i.assign("count", 1)
      token.invalidate()
      #expect(!i.isObserved)
    }
  }

  @Test("rule 12.2 no lock is held while a value is read", arguments: Kind.allCases)
  func noLockInGetter(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher()
      let read: @Sendable () -> Int = {
        #expect(
          endsInTime {
            attempt {
              try i.add(p, "count")
              try i.remove(p, "count")
            }
          })
        return 1
      }
      let object = try stage.make("Slow", Slow(read)) {
        try $0.method("x", "q@:") { _ in RuntimeValue(read()) }
        try $0.method("setX:", "v@:q") { _ in }
      }
      let q = try stage.watcher()
      try object.add(q, "x", [.old, .new, .initial])
      try object.assign("x", 1)
      #expect(q.told == ["x setting new 1 initial", "x setting old 1 new 1"])
      try object.remove(q, "x")
    }
  }

  @Test(
    "rule 12.4 four threads set one observed key 250 times each: 1000 notifications",
    arguments: Kind.allCases)
  func exactCount(kind: Kind) throws {
    try onStage(kind) { stage in
      let i = try stage.item(), p = try stage.watcher(), turns = Turns(kind)
      try i.add(p, "count", [.old, .new])
      onThreads(4) { number in
        for round in 0..<250 {
          attempt {
            try turns.take { try i.assign("count", RuntimeValue(number * 1000 + round)) }
          }
        }
      }
      #expect(p.count == 1000)
      try i.remove(p, "count")
    }
  }
}

private final class Slow: KVObject, TypedObject {
  private let read: () -> Int
  var x: Int {
    get { read() }
    set {}
  }

  init(_ read: @escaping () -> Int) { self.read = read }

  override class var keys: [KeyDeclaration] { [.key("x", \Slow.x)] }
  var properties: [String: TypedProperty] { ["x": .named("x", \Slow.x)] }
}
