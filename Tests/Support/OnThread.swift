import Foundation

/// Runs `body` on another thread, and returns when that has ended.
package func onThread(_ body: @escaping @Sendable () -> Void) { onThreads(1) { _ in body() } }

/// Runs `body` on `count` threads of their own at once, with the number of each, and returns when all
/// of them have ended and let go of `body`.
package func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let ends = (0..<count).map { number in start { body(number) } }
  for end in ends { end.wait() }
}

private func start(_ body: @escaping @Sendable () -> Void) -> DispatchSemaphore {
  let work = Recorder<@Sendable () -> Void>(), end = DispatchSemaphore(value: 0)
  work.add(body)
  Thread.detachNewThread {
    work.all.first?()
    work.clear()
    end.signal()
  }
  return end
}
