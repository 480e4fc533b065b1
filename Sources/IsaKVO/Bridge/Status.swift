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
func lastReason() -> String {
  guard let error = isa_last_error(), let reason = error.pointee.reason else { return "" }
  return String(cString: reason)
}

/// A number of hexadecimal digits behind `0x`.
func hexadecimal(_ number: UInt) -> String { "0x" + String(number, radix: 16) }

extension RuntimeError {
  /// The error that `status` stands for in a call about `subject`.
  init(_ status: isa_status, _ subject: Subject) {
    self =
      switch status {
      case ISA_ERR_NO_MEMORY: .outOfMemory
      case ISA_ERR_INVALID_ARGUMENT: .invalidArgument(reason: lastReason())
      case ISA_ERR_EXISTS: .exists(subject.name)
      case ISA_ERR_NOT_FOUND: .notFound(subject.name)
      case ISA_ERR_IN_USE: .inUse(className: subject.className)
      case ISA_ERR_REGISTERED: .registered(className: subject.className)
      case ISA_ERR_NOT_REGISTERED: .notRegistered(className: subject.className)
      case ISA_ERR_BAD_ENCODING: .badEncoding(subject.encoding, reason: lastReason())
      case ISA_ERR_NOT_PASSABLE: .notPassable(subject.encoding)
      case ISA_ERR_LAYOUT: .layout(from: subject.className, to: subject.other)
      case ISA_ERR_UNRECOGNIZED_SELECTOR:
        .unrecognizedSelector(Selector(subject.name), className: subject.className)
      case ISA_ERR_NO_TRAMPOLINE: .noTrampoline
      case ISA_ERR_DEALLOCATING: .deallocating(className: subject.className)
      default: .unsupported(reason: lastReason())
      }
  }

  /// Throws unless `status` is ISA_OK.
  static func check(
    _ status: isa_status, _ subject: @autoclosure () -> Subject
  ) throws(RuntimeError) {
    if status != ISA_OK { throw RuntimeError(status, subject()) }
  }
}

extension CodingError {
  /// The error that `status` stands for in a call about `key` of a `className`.
  init(_ status: isa_status, key: String, className: String) {
    self =
      switch status {
      case KVC_ERR_UNDEFINED_KEY: .undefinedKey(key, className: className)
      case KVC_ERR_NIL_VALUE: .nilValue(key, className: className)
      case KVC_ERR_TYPE: .incompatible(key, className: className, reason: lastReason())
      default: .runtime(RuntimeError(status, Subject(name: key, className: className)))
      }
  }

  /// Throws unless `status` is ISA_OK.
  static func check(
    _ status: isa_status, key: String, _ className: @autoclosure () -> String
  ) throws(CodingError) {
    if status != ISA_OK { throw CodingError(status, key: key, className: className()) }
  }
}

extension ObservingError {
  /// The error that `status` stands for in a call about `keyPath` of a `className`.
  init(
    _ status: isa_status, keyPath: String, className: String, options: ObservationOptions = []
  ) {
    self =
      switch status {
      case KVO_ERR_NOT_OBSERVABLE: .notObservable(keyPath: keyPath)
      case KVO_ERR_NOT_REGISTERED: .notRegistered(keyPath: keyPath)
      case KVO_ERR_INVALID_OPTIONS: .invalidOptions(options)
      case KVO_ERR_NAME_TAKEN: .nameTaken(reason: lastReason())
      case KVO_ERR_UNHANDLED: .unhandled(keyPath: keyPath)
      case KVO_ERR_WRONG_THREAD: .wrongThread(key: keyPath)
      case KVO_ERR_NOT_WRAPPED: .notWrapped(keyPath: keyPath)
      case ISA_ERR_UNSUPPORTED: .unsupportedKeyPath(keyPath)
      case KVC_ERR_UNDEFINED_KEY, KVC_ERR_NIL_VALUE, KVC_ERR_TYPE:
        .coding(CodingError(status, key: keyPath, className: className))
      default: .runtime(RuntimeError(status, Subject(name: keyPath, className: className)))
      }
  }

  /// Throws unless `status` is ISA_OK.
  static func check(
    _ status: isa_status, keyPath: String, _ className: @autoclosure () -> String,
    options: ObservationOptions = []
  ) throws(ObservingError) {
    if status == ISA_OK { return }
    throw ObservingError(status, keyPath: keyPath, className: className(), options: options)
  }
}
