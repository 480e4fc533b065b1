import CIsa
import CIsa.Testing
import IsaKVOTestSupport
import Testing

/// The live counts that a test must leave as it found them: all but the permanent things and the
/// memory that these take.
struct LiveCounts: Equatable {
  var objects, classes, sideRecords, registrations, lists, pending, trampolines: Int64

  init() {
    let counts = isa_testing_live_counts()
    objects = counts.objects
    classes = counts.classes
    sideRecords = counts.side_records
    registrations = counts.registrations
    lists = counts.lists
    pending = counts.pending
    trampolines = counts.trampolines
  }
}

/// Runs `body` and expects the live counts afterwards to be those of before.
func withBalancedCounts<Result>(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) rethrows -> Result {
  let before = LiveCounts()
  defer { #expect(LiveCounts() == before, "live counts", sourceLocation: sourceLocation) }
  return try body()
}

/// Expects a suite to end with the live counts that it began with, while no other one that uses the
/// core runs.
struct BalancedCountsTrait: SuiteTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Turn.take {
      let before = LiveCounts()
      try await function()
      #expect(
        LiveCounts() == before, "live counts of the suite", sourceLocation: test.sourceLocation)
    }
  }
}

extension Trait where Self == BalancedCountsTrait {
  static var balancedCounts: Self { BalancedCountsTrait() }
}
