// isa_status → typed error: the one place where a status of the C core becomes a throw.
internal import CIsa

/// What a call was about, for the error that it may end in.
struct Subject {
  var name = ""
  var className = ""
  var encoding: TypeEncoding = ""
  var other = ""
}

/// What was wrong in the calling thread's latest failed call.
func lastReason() -> String { ErrorDetails.latest.reason }

/// A number of hexadecimal digits behind `0x`.
func hexadecimal(_ number: UInt) -> String { "0x" + String(number, radix: 16) }

extension RuntimeError {
  /// The error that a call about `subject` ended in.
  init(_ outcome: Outcome, _ subject: Subject) {
    let details = outcome.details
    self =
      switch outcome.status {
      case ISA_ERR_NO_MEMORY: .outOfMemory
      case ISA_ERR_INVALID_ARGUMENT: .invalidArgument(reason: details.reason, details: details)
      case ISA_ERR_EXISTS: .exists(subject.name, details: details)
      case ISA_ERR_NOT_FOUND: .notFound(subject.name, details: details)
      case ISA_ERR_IN_USE: .inUse(className: subject.className, details: details)
      case ISA_ERR_REGISTERED: .registered(className: subject.className, details: details)
      case ISA_ERR_NOT_REGISTERED: .notRegistered(className: subject.className, details: details)
      case ISA_ERR_BAD_ENCODING: .badEncoding(subject.encoding, reason: details.reason)
      case ISA_ERR_NOT_PASSABLE: .notPassable(subject.encoding, details: details)
      case ISA_ERR_LAYOUT: .layout(from: subject.className, to: subject.other, details: details)
      case ISA_ERR_UNRECOGNIZED_SELECTOR:
        .unrecognizedSelector(
          Selector(subject.name), className: subject.className, details: details)
      case ISA_ERR_NO_TRAMPOLINE: .noTrampoline
      case ISA_ERR_DEALLOCATING: .deallocating(className: subject.className, details: details)
      default: .unsupported(reason: details.reason, details: details)
      }
  }

  /// Throws unless `status`, of the call just made, is ISA_OK.
  static func check(
    _ status: isa_status, _ subject: @autoclosure () -> Subject
  ) throws(RuntimeError) {
    if status != ISA_OK { throw RuntimeError(Outcome(status), subject()) }
  }
}

extension CodingError {
  /// The error that a call about `key` of a `className` ended in.
  init(_ outcome: Outcome, key: String, className: String) {
    let details = outcome.details
    self =
      switch outcome.status {
      case KVC_ERR_UNDEFINED_KEY: .undefinedKey(key, className: className, details: details)
      case KVC_ERR_NIL_VALUE: .nilValue(key, className: className, details: details)
      case KVC_ERR_TYPE:
        .incompatible(key, className: className, reason: details.reason, details: details)
      case KVC_ERR_RANGE: .outOfRange(key, className: className, details: details)
      case KVC_ERR_OVERFLOW: .overflow(key, className: className, details: details)
      case ISA_ERR_UNRECOGNIZED_SELECTOR:
        .unrecognizedSelector(key, className: className, reason: details.reason, details: details)
      default: .runtime(RuntimeError(outcome, Subject(name: key, className: className)))
      }
  }

  /// Throws unless `outcome` is a success.
  static func check(
    _ outcome: Outcome, key: String, _ className: @autoclosure () -> String
  ) throws(CodingError) {
    if outcome.status != ISA_OK { throw CodingError(outcome, key: key, className: className()) }
  }
}

extension ObservingError {
  /// The error that a call about `keyPath` of a `className` ended in.
  init(
    _ outcome: Outcome, keyPath: String, className: String, options: ObservationOptions = []
  ) {
    let details = outcome.details
    self =
      switch outcome.status {
      case KVO_ERR_NOT_OBSERVABLE: .notObservable(keyPath: keyPath, details: details)
      case KVO_ERR_NOT_REGISTERED: .notRegistered(keyPath: keyPath, details: details)
      case KVO_ERR_INVALID_OPTIONS: .invalidOptions(options, details: details)
      case KVO_ERR_NAME_TAKEN: .nameTaken(reason: details.reason, details: details)
      case KVO_ERR_UNHANDLED: .unhandled(keyPath: keyPath, details: details)
      case KVO_ERR_WRONG_THREAD: .wrongThread(key: keyPath, details: details)
      case KVO_ERR_NOT_WRAPPED: .notWrapped(keyPath: keyPath, details: details)
      case KVO_ERR_INCONSISTENT: .inconsistent(keyPath: keyPath, details: details)
      case KVO_ERR_SELF_DEPENDENT: .selfDependent(key: keyPath, details: details)
      case KVO_ERR_TOO_DEEP: .tooDeep(keyPath: keyPath, details: details)
      case KVC_ERR_UNDEFINED_KEY, KVC_ERR_NIL_VALUE, KVC_ERR_TYPE, KVC_ERR_RANGE,
        KVC_ERR_OVERFLOW, ISA_ERR_UNRECOGNIZED_SELECTOR:
        .coding(CodingError(outcome, key: keyPath, className: className))
      default: .runtime(RuntimeError(outcome, Subject(name: keyPath, className: className)))
      }
  }

  /// Throws unless `outcome` is a success.
  static func check(
    _ outcome: Outcome, keyPath: String, _ className: @autoclosure () -> String,
    options: ObservationOptions = []
  ) throws(ObservingError) {
    if outcome.status == ISA_OK { return }
    throw ObservingError(outcome, keyPath: keyPath, className: className(), options: options)
  }
}
