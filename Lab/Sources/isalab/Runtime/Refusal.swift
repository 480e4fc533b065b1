import CIsa

/// A call that the runtime refused.
struct Refusal: Hashable, Sendable, Error {
  /// Foundation's name for it, such as `NSRangeException`.
  var exception: String
  var reason: String
}

extension Refusal {
  /// The calling thread's latest failure.
  static func last() -> Refusal { Refusal(isa_last_error().pointee) }

  /// A value that turned out not to fit.
  init(_ diagnostic: Diagnostic) {
    exception = "NSInvalidArgumentException"
    reason = "\(diagnostic.problem), expected \(diagnostic.expected)"
  }

  init(_ error: isa_error) {
    exception = error.exception.map { String(cString: $0) } ?? ""
    reason =
      error.reason.map { String(cString: $0) } ?? String(cString: isa_status_text(error.status))
  }
}

/// Throws what the runtime has to say of a status other than ISA_OK.
func refusing(_ status: isa_status) throws(Refusal) {
  if status != ISA_OK { throw Refusal.last() }
}
