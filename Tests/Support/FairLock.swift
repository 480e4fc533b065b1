import Foundation

/// A recursive lock that threads get in the order in which they asked for it, so that one that locks
/// again and again lets the others in. The thread sanitizer knows it.
package final class FairLock: @unchecked Sendable {
  // Sendable because all is reached under `condition` only.
  private let condition = NSCondition()
  private var nextTicket = 0, served = 0, depth = 0
  private var owner: pthread_t?

  package init() {}

  package func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }

  private func lock() {
    condition.withLock {
      if owner != pthread_self() {
        let ticket = nextTicket
        nextTicket += 1
        while served != ticket { condition.wait() }
        owner = pthread_self()
      }
      depth += 1
    }
  }

  private func unlock() {
    condition.withLock {
      depth -= 1
      if depth > 0 { return }
      owner = nil
      served += 1
      condition.broadcast()
    }
  }
}
