public import IsaKVO
public import Testing

/// Expects that `body` throws an error of that code, about that key and class where they are given.
@discardableResult
public func expectError<Result>(
  _ code: KeyValueError.Code, key: String? = nil, className: String? = nil, reason: String? = nil,
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Result
) -> KeyValueError? {
  let error = #expect(throws: KeyValueError.self, sourceLocation: sourceLocation) {
    _ = try body()
  }
  guard let error else { return nil }
  #expect(error.code == code, sourceLocation: sourceLocation)
  if let key { #expect(error.key == key, sourceLocation: sourceLocation) }
  if let className { #expect(error.className == className, sourceLocation: sourceLocation) }
  if let reason { #expect(error.reason == reason, sourceLocation: sourceLocation) }
  return error
}
