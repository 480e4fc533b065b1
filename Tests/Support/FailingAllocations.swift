import CIsa.Testing

/// Runs `body` with `allowed` allocations of the core granted to this thread; answers whether one was
/// refused.
package func failingAllocations(after allowed: Int, _ body: () throws -> Void) throws -> Bool {
  _ = isa_testing_fail_allocation(Int64(allowed))
  do {
    try body()
  } catch {
    _ = isa_testing_fail_allocation(-1)
    throw error
  }
  return isa_testing_fail_allocation(-1)
}
