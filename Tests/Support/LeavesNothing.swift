import CIsa
import CIsa.Testing
import Foundation
internal import IsaKVO
internal import IsaRuntime
import Testing

/// Checks that each test leaves no more alive in the core than it found, while no other test that
/// uses the core runs. An object that an earlier one let go of may go meanwhile.
package struct LeavesNothing: SuiteTrait, TestTrait, TestScoping {
  /// The counts of things that stay for ever once they have been used, which are not compared.
  private let lasting: Set<String>

  fileprivate init(lasting: Set<String> = []) { self.lasting = lasting }

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Turn.take {
      try boxClasses.get()
      let before = live
      try await function()
      try await wait(for: before)
      let left = live
      #expect(
        !exceeds(left, before), "what the core keeps alive: \(left) after \(before)",
        sourceLocation: test.sourceLocation)
    }
  }

  /// A thread that was the last to hold something may be about to let go of it.
  private func wait(for counts: [String: Int64]) async throws {
    let end = ContinuousClock.now + .seconds(5)
    while exceeds(live, counts), ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  private func exceeds(_ counts: [String: Int64], _ others: [String: Int64]) -> Bool {
    counts.contains { $0.value > others[$0.key, default: 0] }
  }

  private var live: [String: Int64] {
    let counts = isa_testing_live_counts()
    let all = [
      "objects": counts.objects, "classes": counts.classes, "side records": counts.side_records,
      "registrations": counts.registrations, "lists": counts.lists,
      "pending": counts.pending, "trampolines": counts.trampolines,
    ]
    return all.filter { !lasting.contains($0.key) }
      .merging(kept) { count, kept in count - kept }
  }

  private var kept: [String: Int64] {
    lock.withLock { permanent }.filter { !lasting.contains($0.key) }
  }
}

/// The things that have come to stay for ever within ``keepingClasses(_:)``.
nonisolated(unsafe) private var permanent: [String: Int64] = ["classes": 0, "trampolines": 0]
private let lock = NSLock()

/// The classes of boxes, which come to stay when the first class and the first proxy are made.
private let boxClasses = Result {
  try keepingClasses {
    try RuntimeClassBuilder("ToBeDisposed").register().dispose()
    _ = RuntimeValue.array([], isMutable: true).object.map { MutableArrayProxy($0) }
  }
}

/// Runs `body`; the classes that Swift's own classes register meanwhile, and what these need, stay
/// for ever, and ``Testing/Trait/leavesNothing`` does not count them.
package func keepingClasses<Result>(_ body: () throws -> Result) rethrows -> Result {
  let before = isa_testing_live_counts()
  defer {
    let after = isa_testing_live_counts()
    lock.withLock {
      permanent["classes", default: 0] += after.classes - before.classes
      permanent["trampolines", default: 0] += after.trampolines - before.trampolines
    }
  }
  return try body()
}

extension Trait where Self == LeavesNothing {
  /// Checks that each test leaves as much alive in the core as it found.
  package static var leavesNothing: LeavesNothing { LeavesNothing() }

  /// The same but for the classes that Swift's own classes register, and what these need, which stay
  /// for ever.
  package static var leavesNoObjects: LeavesNothing {
    LeavesNothing(lasting: ["classes", "trampolines"])
  }
}
