/// Why observing, or announcing a change, failed. Nothing is registered or removed then, unless the
/// case says otherwise.
public enum ObservingError: Error, Hashable, Sendable {
  /// A key of the path has no accessor and no ivar, or the object cannot be observed.
  ///
  /// The C status is `KVO_ERR_NOT_OBSERVABLE`.
  case notObservable(keyPath: String, details: ErrorDetails = .none)

  /// No registration matches the removal.
  ///
  /// The C status is `KVO_ERR_NOT_REGISTERED`.
  case notRegistered(keyPath: String, details: ErrorDetails = .none)

  /// Bits that are no option.
  ///
  /// The C status is `KVO_ERR_INVALID_OPTIONS`.
  case invalidOptions(_ options: ObservationOptions, details: ErrorDetails = .none)

  /// The name of the notifying class is taken by somebody else's class.
  ///
  /// The C status is `KVO_ERR_NAME_TAKEN`.
  case nameTaken(reason: String, details: ErrorDetails = .none)

  /// The observer has no `observeValueForKeyPath:ofObject:change:context:`.
  ///
  /// The C status is `KVO_ERR_UNHANDLED`.
  case unhandled(keyPath: String, details: ErrorDetails = .none)

  /// A change was announced on one thread and ended on another.
  ///
  /// The C status is `KVO_ERR_WRONG_THREAD`.
  case wrongThread(key: String, details: ErrorDetails = .none)

  /// The setter's signature has no wrapper, so that it does not notify by itself.
  ///
  /// The C status is `KVO_ERR_NOT_WRAPPED`.
  case notWrapped(keyPath: String, details: ErrorDetails = .none)

  /// A value on the key path was replaced without being announced. A removal is made nevertheless.
  ///
  /// The C status is `KVO_ERR_INCONSISTENT`.
  case inconsistent(keyPath: String, details: ErrorDetails = .none)

  /// A key is declared to be affected by itself.
  ///
  /// The C status is `KVO_ERR_SELF_DEPENDENT`.
  case selfDependent(key: String, details: ErrorDetails = .none)

  /// The key path has too many keys, or observing it asks to observe it again, without end.
  ///
  /// The C status is `KVO_ERR_TOO_DEEP`.
  case tooDeep(keyPath: String, details: ErrorDetails = .none)

  /// The key path is observed already, with these options; nothing has been replaced.
  ///
  /// No C status: only holders, which observe a key path once, refuse this.
  case alreadyObserved(keyPath: String, options: ObservationOptions)

  /// A value on the key path, or one asked for by the options, could not be read.
  ///
  /// The C status is that of the error inside.
  case coding(_ error: CodingError)

  /// The runtime below could not do its part.
  ///
  /// The C status is that of the error inside.
  case runtime(_ error: RuntimeError)
}

extension ObservingError: CustomStringConvertible {
  /// What went wrong, in one line.
  public var description: String {
    switch self {
    case .notObservable(let keyPath, let details):
      details.reason.isEmpty
        ? "“\(keyPath)” cannot be observed: no accessor, no ivar" : details.reason
    case .notRegistered(let keyPath, _): "no registration for “\(keyPath)” matches the removal"
    case .invalidOptions(let options, _): "\(hexadecimal(UInt(options.rawValue))) are no options"
    case .nameTaken(let reason, _): reason
    case .unhandled(let keyPath, _): "the observer does not handle changes of “\(keyPath)”"
    case .wrongThread(let key, _): "the change of “\(key)” was announced on another thread"
    case .notWrapped(let keyPath, _): "the setter of “\(keyPath)” has no wrapper"
    case .inconsistent(let keyPath, _): "a value on “\(keyPath)” changed without being announced"
    case .selfDependent(let key, _): "“\(key)” is declared to be affected by itself"
    case .tooDeep(let keyPath, _): "observing “\(keyPath)” comes to no end"
    case .alreadyObserved(let keyPath, let options):
      "“\(keyPath)” is observed already, with the options \(options)"
    case .coding(let error): error.description
    case .runtime(let error): error.description
    }
  }
}

extension ObservingError {
  /// The name of the exception that Foundation raises for this.
  public var exceptionName: String {
    if !details.exceptionName.isEmpty { return details.exceptionName }
    return switch self {
    case .notRegistered: "NSRangeException"
    case .unhandled, .wrongThread, .inconsistent, .selfDependent, .tooDeep:
      "NSInternalInconsistencyException"
    case .coding(let error): error.exceptionName
    case .runtime(let error): error.exceptionName
    default: "NSInvalidArgumentException"
    }
  }

  /// What was wrong, where, and what was expected.
  public var reason: String {
    switch self {
    case .coding(let error): error.reason
    case .runtime(let error): error.reason
    default: details.reason.isEmpty ? description : details.reason
    }
  }

  private var details: ErrorDetails {
    switch self {
    case .notObservable(_, let details), .notRegistered(_, let details),
      .invalidOptions(_, let details), .nameTaken(_, let details), .unhandled(_, let details),
      .wrongThread(_, let details), .notWrapped(_, let details), .inconsistent(_, let details),
      .selfDependent(_, let details), .tooDeep(_, let details):
      details
    case .alreadyObserved, .coding, .runtime: .none
    }
  }
}
