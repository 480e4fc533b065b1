internal import CIsa

/// A misuse that had no caller to throw to, such as a value that cannot be read inside a setter.
public struct Misuse: Hashable, Sendable {
  /// The kind of mistake.
  public let code: KeyValueError.Code
  /// The name of what Foundation raises, such as `NSRangeException`.
  public let exception: String
  /// The mistake, its place, and what was expected; one line.
  public let reason: String

  init(_ error: isa_error) {
    code = KeyValueError.Code(error.status)
    exception = error.exception.map { String(cString: $0) } ?? ""
    reason = error.reason.map { String(cString: $0) } ?? ""
  }
}

extension Misuse: CustomStringConvertible {
  /// The misuse in one line.
  public var description: String { exception.isEmpty ? reason : "\(exception): \(reason)" }
}
