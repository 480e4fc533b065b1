import CIsa
import CIsa.Testing
import IsaKVOTestSupport
import Testing

/// Runs `body` with the first, the second, … allocation and all later ones failing, until a run
/// needs no further one.
///
/// Each run that throws must do so for want of memory and leave the live counts, blocks included,
/// as they were. `undo` takes back the work of a run that copes with the failure; that of the last
/// run is the caller's.
///
/// - Returns: How many allocations the call makes.
@discardableResult
func withEachAllocationFailing(
  sourceLocation: SourceLocation = #_sourceLocation, undo: () throws -> Void = {},
  _ body: () throws -> Void
) throws -> Int {
  for allowed in 0... {
    let counts = LiveCounts(), blocks = isa_testing_live_counts().blocks
    let outcome = Result { try failingAllocations(after: allowed, body) }
    switch outcome {
    case .success(false): return allowed
    case .success(true): try undo()
    case .failure(let error as StatusError):
      #expect(error.status == ISA_ERR_NO_MEMORY, "\(error)", sourceLocation: sourceLocation)
    case .failure(let error): throw error
    }
    #expect(LiveCounts() == counts, "allocation \(allowed)", sourceLocation: sourceLocation)
    #expect(
      isa_testing_live_counts().blocks == blocks, "allocation \(allowed)",
      sourceLocation: sourceLocation)
  }
  return 0
}
