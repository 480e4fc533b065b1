internal import CIsa

/// What a call of the C core came to, with what its thread noted of a failure.
///
/// It is made right behind the call: whatever runs next may fail too, and replaces the notes.
struct Outcome {
  let status: isa_status
  let details: ErrorDetails

  init(_ status: isa_status) {
    self.status = status
    details = status == ISA_OK ? .none : .latest
  }
}

extension ErrorDetails {
  /// The calling thread's latest failure.
  static var latest: ErrorDetails {
    guard let error = isa_last_error()?.pointee else { return .none }
    return ErrorDetails(
      exceptionName: error.exception.map { String(cString: $0) } ?? "",
      reason: error.reason.map { String(cString: $0) } ?? "")
  }
}

/// Runs a call during which closures may answer objects.
func answered(_ call: () -> isa_status) -> Outcome { withAnswers { Outcome(call()) } }
