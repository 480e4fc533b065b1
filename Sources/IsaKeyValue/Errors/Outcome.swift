package import CIsa

/// The outcome of a call of the C core, with the notes that its thread made of a failure.
///
/// It is made right behind the call: a later call may fail too, and replaces the notes.
package struct Outcome {
  package let status: isa_status
  package let exceptionName: String
  package let reason: String
  /// The object that failed, its class and the key that did, as far as they are known.
  let object: UnsafeRawPointer?
  package let className: String
  let key: String

  package init(_ status: isa_status) {
    self.status = status
    let error = status == ISA_OK ? nil : isa_last_error()?.pointee
    exceptionName = text(error?.exception)
    reason = text(error?.reason)
    object = error?.object
    className = text(error?.class_name)
    key = text(error?.key)
  }
}

private func text(_ text: UnsafePointer<CChar>?) -> String {
  text.map { String(cString: $0) } ?? ""
}

/// Runs a call during which closures may answer objects.
package func answered(_ call: () -> isa_status) -> Outcome { withAnswers { Outcome(call()) } }

/// Runs a call that hands a key, or key path, to C as text. One with a zero in it, at which C takes
/// a text to end, is the key of nothing, and no call is made.
package func answered(_ key: String, _ call: () -> isa_status) -> Outcome {
  if !key.hasZero { return answered(call) }
  let shown = key.map { $0 == "\0" ? "\\0" : "\($0)" }.joined()
  return Outcome(isa_fail(KVC_ERR_UNDEFINED_KEY, nil, "“\(shown)” has a zero in it, as no key has"))
}

extension String {
  /// Whether C would take the text to end before it does.
  package var hasZero: Bool {
    utf8.withContiguousStorageIfAvailable { $0.contains(0) } ?? utf8.contains(0)
  }
}
