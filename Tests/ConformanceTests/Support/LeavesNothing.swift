import CIsa
import CIsa.Testing
import Testing

/// Checks that each test leaves as much alive in the core as it found.
struct LeavesNothing: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let before = Self.live
    try await function()
    #expect(Self.live == before, "what the core keeps alive", sourceLocation: test.sourceLocation)
  }

  private static var live: [String: Int64] {
    let counts = isa_testing_live_counts()
    return [
      "objects": counts.objects, "classes": counts.classes, "side records": counts.side_records,
      "registrations": counts.registrations, "snapshots": counts.snapshots,
      "pending": counts.pending, "trampolines": counts.trampolines,
    ]
  }
}

extension Trait where Self == LeavesNothing {
  /// Checks that each test leaves as much alive in the core as it found.
  static var leavesNothing: LeavesNothing { LeavesNothing() }
}
