import Dispatch

extension Array where Element: Sendable {
  /// What `body` makes of each element, made on as many threads as there are processors: for what waits
  /// for processes.
  func concurrentMap<Result: Sendable>(
    _ body: @Sendable (Element) throws(DiagnosticList) -> Result
  ) throws(DiagnosticList) -> [Result] {
    let results = Results<Result>(count)
    DispatchQueue.concurrentPerform(iterations: count) { index in
      do throws(DiagnosticList) {
        results.values[index] = .success(try body(self[index]))
      } catch {
        results.values[index] = .failure(error)
      }
    }
    var made: [Result] = []
    for index in indices { made.append(try results.values[index]!.get()) }
    return made
  }
}

/// A place for each result, which one thread writes.
private final class Results<Result: Sendable>: @unchecked Sendable {
  typealias Place = Swift.Result<Result, DiagnosticList>?

  let values: UnsafeMutableBufferPointer<Place>

  init(_ count: Int) {
    values = .allocate(capacity: count)
    values.initialize(repeating: nil)
  }

  deinit {
    values.deinitialize()
    values.deallocate()
  }
}
