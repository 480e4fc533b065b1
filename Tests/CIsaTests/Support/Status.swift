import CIsa

/// The error that a failed call left in `isa_last_error`.
struct StatusError: Error, CustomStringConvertible {
  let status: isa_status
  let reason: String

  var description: String { "\(String(cString: isa_status_text(status))): \(reason)" }
}

/// Throws unless `status` is `ISA_OK`.
func check(_ status: isa_status) throws(StatusError) {
  guard status != ISA_OK else { return }
  throw StatusError(status: status, reason: lastReason())
}

/// The reason of the calling thread's last failure.
func lastReason() -> String {
  String(cString: isa_last_error().pointee.reason)
}
