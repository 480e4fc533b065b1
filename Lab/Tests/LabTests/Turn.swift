// Turns of the suites: suites run beside one another, and what they count and set (live objects,
// the misuse handler, policies, the event log) is the process's.
//
// Locks: `lock` guards the rest and is held for no longer than it takes to look.
import Foundation
import Testing

private let lock = NSLock()
nonisolated(unsafe) private var isTaken = false
nonisolated(unsafe) private var waiting: [CheckedContinuation<Void, Never>] = []

/// The one turn of the process, which one test or suite has at a time.
package enum Turn {
  /// Whether the task runs in a turn already: a test's is its suite's.
  @TaskLocal private static var isMine = false

  /// Runs `body` in a turn, when those who asked before have had theirs.
  package static func take<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    if isMine { return try await body() }
    await begin()
    defer { end() }
    return try await $isMine.withValue(true) { try await body() }
  }

  private static func begin() async {
    await withCheckedContinuation { continuation in
      let isFree = lock.withLock {
        if isTaken { waiting.append(continuation) }
        defer { isTaken = true }
        return !isTaken
      }
      if isFree { continuation.resume() }
    }
  }

  private static func end() {
    let next = lock.withLock {
      let next = waiting.isEmpty ? nil : waiting.removeFirst()
      isTaken = next != nil
      return next
    }
    next?.resume()
  }
}

/// Runs a suite while no other one that uses the core runs.
package struct OneAtATime: SuiteTrait, TestScoping {
  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Turn.take { try await function() }
  }
}

extension Trait where Self == OneAtATime {
  /// Runs a suite while no other one that uses the core runs: for a suite that counts nothing.
  package static var oneAtATime: OneAtATime { OneAtATime() }
}
