/// What Foundation would raise in the place of an error: the exception's name and its reason.
///
/// All details are equal, so that errors are compared by what they say of their own.
public struct ErrorDetails: Sendable {
  /// The exception's name, such as `NSUnknownKeyException`; empty if the error has not come from
  /// the runtime below.
  public let exceptionName: String
  /// What was wrong, where, and what was expected; one line.
  public let reason: String

  /// Makes details, as for an error to compare with.
  public init(exceptionName: String = "", reason: String = "") {
    self.exceptionName = exceptionName
    self.reason = reason
  }

  /// No details.
  public static let none = ErrorDetails()
}

extension ErrorDetails: Hashable {
  /// True.
  public static func == (first: ErrorDetails, second: ErrorDetails) -> Bool { true }

  /// Adds nothing.
  public func hash(into hasher: inout Hasher) {}
}
