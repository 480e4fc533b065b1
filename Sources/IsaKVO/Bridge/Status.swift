// isa_status ↔ KeyValueError: the one place where a status of the C core becomes a throw, and a throw
// a status.
internal import CIsa

/// What was wrong in the calling thread's latest failed call.
func lastReason() -> String { Outcome(isa_last_error()?.pointee.status ?? ISA_OK).reason }

/// A number of hexadecimal digits behind `0x`.
func hexadecimal(_ number: UInt) -> String { "0x" + String(number, radix: 16) }

extension KeyValueError {
  /// The error that a call about `key` of a `className` ended in.
  init(_ outcome: Outcome, key: String = "", className: String = "") {
    self.init(
      Code(outcome.status), key: key, className: className, reason: outcome.reason,
      exceptionName: outcome.exceptionName)
  }

  /// The error of a key path with a key that nothing answers to.
  init(unobservable keyPath: String, of className: String) {
    self.init(
      .notObservable, key: keyPath, className: className,
      reason: "“\(keyPath)” of \(className) cannot be observed: no accessor, no ivar",
      cure: "wrap the property with @Dynamic, or declare its key")
  }

  /// Throws unless `outcome` is a success.
  static func check(
    _ outcome: Outcome, key: @autoclosure () -> String = "",
    className: @autoclosure () -> String = ""
  ) throws(KeyValueError) {
    if outcome.status == ISA_OK { return }
    throw KeyValueError(outcome, key: key(), className: className())
  }

  /// Throws unless `status`, of the call just made, is ISA_OK.
  static func check(
    _ status: isa_status, key: @autoclosure () -> String = "",
    className: @autoclosure () -> String = ""
  ) throws(KeyValueError) {
    try check(Outcome(status), key: key(), className: className())
  }

  /// Fails, in a method that the core calls, with what was thrown.
  func fail() -> isa_status { isa_fail(code.status, exceptionName, reason) }
}

/// Runs a method that the core calls: the status with which the core hears of what `body` throws.
func statusOf(_ body: () throws(KeyValueError) -> Void) -> isa_status {
  do {
    try body()
    return ISA_OK
  } catch {
    return error.fail()
  }
}

extension KeyValueError.Code {
  /// The code of each status.
  private static let statuses: [(status: isa_status, code: KeyValueError.Code)] = [
    (ISA_ERR_NO_MEMORY, .outOfMemory), (ISA_ERR_INVALID_ARGUMENT, .invalidArgument),
    (ISA_ERR_EXISTS, .exists), (ISA_ERR_NOT_FOUND, .notFound), (ISA_ERR_IN_USE, .inUse),
    (ISA_ERR_REGISTERED, .classRegistered), (ISA_ERR_NOT_REGISTERED, .classNotRegistered),
    (ISA_ERR_BAD_ENCODING, .badEncoding), (ISA_ERR_NOT_PASSABLE, .notPassable),
    (ISA_ERR_LAYOUT, .layout), (ISA_ERR_UNRECOGNIZED_SELECTOR, .unrecognizedSelector),
    (ISA_ERR_NO_TRAMPOLINE, .noTrampoline), (ISA_ERR_UNSUPPORTED, .unsupported),
    (ISA_ERR_DEALLOCATING, .deallocating), (KVC_ERR_UNDEFINED_KEY, .undefinedKey),
    (KVC_ERR_NIL_VALUE, .nilValue), (KVC_ERR_TYPE, .incompatible), (KVC_ERR_RANGE, .outOfRange),
    (KVC_ERR_OVERFLOW, .overflow), (KVO_ERR_NOT_REGISTERED, .notRegistered),
    (KVO_ERR_INVALID_OPTIONS, .invalidOptions), (KVO_ERR_NOT_OBSERVABLE, .notObservable),
    (KVO_ERR_NAME_TAKEN, .nameTaken), (KVO_ERR_UNHANDLED, .unhandled),
    (KVO_ERR_WRONG_THREAD, .wrongThread), (KVO_ERR_NOT_WRAPPED, .notWrapped),
    (KVO_ERR_INCONSISTENT, .inconsistent), (KVO_ERR_SELF_DEPENDENT, .selfDependent),
    (KVO_ERR_TOO_DEEP, .tooDeep),
  ]

  init(_ status: isa_status) {
    self = Self.statuses.first { $0.status == status }?.code ?? .unsupported
  }

  var status: isa_status {
    switch self {
    case .invalid: KVC_ERR_TYPE
    case .alreadyObserved: ISA_ERR_EXISTS
    default: Self.statuses.first { $0.code == self }?.status ?? ISA_ERR_UNSUPPORTED
    }
  }

  /// The exception that Foundation raises for such a failure.
  var exceptionName: String {
    self == .invalid ? "" : String(cString: isa_status_exception(status))
  }

  /// What was wrong, in general.
  var text: String {
    self == .invalid ? "the value is not valid" : String(cString: isa_status_text(status))
  }
}
