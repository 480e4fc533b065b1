import Foundation

/// Runs `body` on `count` threads of their own at once, and returns when all of them have ended.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let group = DispatchGroup()
  for number in 0..<count {
    group.enter()
    Thread.detachNewThread {
      body(number)
      group.leave()
    }
  }
  group.wait()
}

/// Runs `body` on a thread of its own; false if it has not ended within the time limit.
func endsInTime(_ limit: TimeInterval = 20, _ body: @escaping @Sendable () -> Void) -> Bool {
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    done.signal()
  }
  return done.wait(timeout: .now() + limit) == .success
}
