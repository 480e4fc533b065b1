import Foundation
import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

/// An observation that its own handler ends, while another thread sets, has ended: the handler is not
/// called again, and whoever registered it gets it, ended, and no error.
@Suite(.serialized, .leavesNoObjects)
struct EndingTests {
  /// How often each test observes; `ISA_ROUNDS` says otherwise.
  private var rounds: Int {
    ProcessInfo.processInfo.environment["ISA_ROUNDS"].flatMap { Int($0) } ?? 2_000
  }

  /// An object that one thread changes and another observes. Its users read and set properties under
  /// a lock, the engine none.
  fileprivate final class Meter: KVObject, @unchecked Sendable {
    @Dynamic var count = 0
    @Dynamic var text = "0"
    @Dynamic var list: [Int] = []
    private let lock = FairLock()

    var twice: Int { lock.withLock { 2 * count } }
    var both: String { lock.withLock { "\(count) \(text)" } }

    func step() {
      lock.withLock {
        count += 1
        text = "\(count)"
        if list.count > 8 { list = [] }
        list.append(count)
      }
    }
  }

  /// The calls of a handler that ends its observation.
  fileprivate final class Seen: @unchecked Sendable {
    // Sendable because all is reached under `lock` only, one that the thread sanitizer knows.
    private let lock = NSLock()
    private var state = (calls: 0, hasEnded: false, late: 0)

    /// Notes a call; ends the observation by `end` at the first.
    func note(_ end: () -> Void) {
      lock.withLock {
        state.calls += 1
        if state.hasEnded { state.late += 1 }
      }
      end()
      lock.withLock { state.hasEnded = true }
    }

    /// Notes a call; ends the observation by its token at the first that finds it.
    func noteEnding() {
      let token = lock.withLock {
        state.calls += 1
        if state.hasEnded { state.late += 1 }
        return self.token
      }
      guard let token else { return }
      token.invalidate()
      lock.withLock { state.hasEnded = true }
    }

    /// Takes the token that the handler may end.
    func take(_ token: KeyValueObservation) -> KeyValueObservation {
      lock.withLock { self.token = token }
      return token
    }

    private var token: KeyValueObservation?

    var calls: Int { lock.withLock { state.calls } }
    var late: Int { lock.withLock { state.late } }
  }

  /// Observes again and again while another thread sets; each observation is over once its handler
  /// has been called.
  private func observe(
    _ observe: (Meter, Seen) throws -> KeyValueObservation
  ) throws {
    let meter = Meter(), done = Seen()
    let setter = DispatchGroup()
    setter.enter()
    Thread.detachNewThread {
      while done.calls == 0 { meter.step() }
      setter.leave()
    }
    defer {
      done.note {}
      setter.wait()
    }
    var told = 0
    for round in 0..<rounds {
      let seen = Seen()
      let token = try observe(meter, seen)
      if round % 16 == 0 { while seen.calls == 0 { sched_yield() } }
      if seen.calls > 0 {
        told += 1
        // The handler may be about to end it.
        while token.isValid { sched_yield() }
      }
      token.invalidateAndWait()
      #expect(seen.late == 0)
    }
    #expect(told >= rounds / 16)
  }

  @Test("of a stored number")
  func stored() throws {
    try observe { meter, seen in
      meter.observe(\.count, options: .new) { _, change in seen.note(change.stopObserving) }
    }
  }

  @Test("of a stored text and of an array")
  func objects() throws {
    try observe { meter, seen in
      meter.observe(\.text) { _, change in seen.note(change.stopObserving) }
    }
    try observe { meter, seen in
      meter.observe(\.list) { _, change in seen.note(change.stopObserving) }
    }
  }

  @Test("by name")
  func named() throws {
    try observe { meter, seen in
      try meter.observe("count", as: Int.self) { _, change in seen.note(change.stopObserving) }
    }
    try observe { meter, seen in
      try RuntimeObject(meter).observe("count") { change in seen.note(change.stopObserving) }
    }
  }

  @Test("of a computed property")
  func computed() throws {
    try observe { meter, seen in
      meter.observe(\.twice) { _, change in seen.note(change.stopObserving) }
    }
    try observe { meter, seen in
      meter.observe(\.both, options: [.old, .new]) { _, change in
        seen.note(change.stopObserving)
      }
    }
  }

  @Test("once")
  func once() throws {
    try observe { meter, seen in
      meter.observeOnce(\.count, options: .new) { _, _ in seen.note {} }
    }
    try observe { meter, seen in
      meter.observeOnce(\.both, options: .new) { _, _ in seen.note {} }
    }
  }

  @Test("delivered by a target, or with changes of no difference left out")
  func handedOn() throws {
    try observe { meter, seen in
      meter.observe(\.count, options: .new, delivery: .enqueue { $0() }) { change in
        seen.note(change.stopObserving)
      }
    }
    try observe { meter, seen in
      meter.observe(\.twice, options: .new, suppressing: ==) { _, change in
        seen.note(change.stopObserving)
      }
    }
  }

  @Test("by its token: of one property, of a computed one, of several, until a target goes")
  func tokens() throws {
    try observe { meter, seen in
      seen.take(meter.observe(\.count) { _, _ in seen.noteEnding() })
    }
    try observe { meter, seen in
      seen.take(meter.observe(\.both) { _, _ in seen.noteEnding() })
    }
    try observe { meter, seen in
      seen.take(meter.observe(anyOf: [\.count, \.text]) { _, _ in seen.noteEnding() })
    }
    try observe { meter, seen in
      seen.take(meter.observe(\.count, target: seen, action: Seen.noteEnding))
    }
  }
}
