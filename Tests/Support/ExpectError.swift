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

/// The misuses that are reported while `body` runs.
public func reports<Failure>(_ body: () throws(Failure) -> Void) throws(Failure) -> [Misuse] {
  let misuses = Recorder<Misuse>()
  KeyValueSettings.misuseHandler = { misuses.add($0) }
  defer { KeyValueSettings.misuseHandler = nil }
  try body()
  return misuses.all
}

/// Expects that the calls of `body` are one misuse, which is told with the file and a line of the
/// caller's; what it is told as before that.
@discardableResult
public func expectMisuse(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: () -> Void
) -> String {
  let told = reports(body).map(\.reason)
  #expect(told.count == 1, sourceLocation: sourceLocation)
  let parts = (told.first ?? "").split(separator: ", at ")
  let place = parts.last?.split(separator: ":") ?? []
  let line = place.last.flatMap { Int($0) } ?? 0
  let lines = sourceLocation.line..<(sourceLocation.line + 8)
  #expect(place.first ?? "" == sourceLocation.fileID, sourceLocation: sourceLocation)
  #expect(lines.contains(line), sourceLocation: sourceLocation)
  return parts.dropLast().joined(separator: ", at ")
}
