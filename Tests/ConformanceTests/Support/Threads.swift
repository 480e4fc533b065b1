import Foundation
import IsaKVOTestSupport

/// Runs `body` while `count` threads repeat `work`.
func whileThreads(
  _ count: Int, repeat work: @escaping @Sendable () -> Void, _ body: () throws -> Void
) rethrows {
  let isOver = Shared(false)
  let ends = (0..<count).map { _ in start { while !isOver.value { work() } } }
  defer {
    isOver.value = true
    for end in ends { end.wait() }
  }
  try body()
}

/// Runs `body` on a thread of its own; false if it has not ended within the time limit.
func endsInTime(_ seconds: Double = 20, _ body: @escaping @Sendable () -> Void) -> Bool {
  start(body).wait(timeout: .now() + seconds) == .success
}

/// Starts a thread; the answer is signalled when `body` has ended and is gone.
private func start(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
  let box = Shared<(@Sendable () -> Void)?>(body), end = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    runAndDrop(box)
    end.signal()
  }
  return end
}

private func runAndDrop(_ box: Shared<(@Sendable () -> Void)?>) {
  let body = box.value
  box.value = nil
  body?()
}

/// How several threads set one property: at once on a class made at run time, one by one on a Swift
/// class, where they would race as in any.
struct Turns: Sendable {
  private let lock: FairLock?

  init(_ kind: Kind) { lock = kind == .swift ? FairLock() : nil }

  func take(_ body: () throws -> Void) rethrows {
    guard let lock else { return try body() }
    try lock.withLock(body)
  }
}
