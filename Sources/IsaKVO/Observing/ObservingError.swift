/// Why observing, or announcing a change, failed. Nothing is registered or removed then.
public enum ObservingError: Error, Hashable, Sendable {
  /// A key of the path has no accessor and no ivar, or the object cannot be observed.
  ///
  /// The C status is `KVO_ERR_NOT_OBSERVABLE`.
  case notObservable(keyPath: String)

  /// No registration matches the removal.
  ///
  /// The C status is `KVO_ERR_NOT_REGISTERED`.
  case notRegistered(keyPath: String)

  /// Bits that are no option.
  ///
  /// The C status is `KVO_ERR_INVALID_OPTIONS`.
  case invalidOptions(_ options: ObservationOptions)

  /// A key path of several keys cannot be observed.
  ///
  /// The C status is `ISA_ERR_UNSUPPORTED`.
  case unsupportedKeyPath(_ keyPath: String)

  /// The name of the notifying class is taken by somebody else's class.
  ///
  /// The C status is `KVO_ERR_NAME_TAKEN`.
  case nameTaken(reason: String)

  /// The observer has no `observeValueForKeyPath:ofObject:change:context:`.
  ///
  /// The C status is `KVO_ERR_UNHANDLED`.
  case unhandled(keyPath: String)

  /// A change was announced on one thread and ended on another.
  ///
  /// The C status is `KVO_ERR_WRONG_THREAD`.
  case wrongThread(key: String)

  /// The setter's signature has no wrapper, so that it does not notify by itself.
  ///
  /// The C status is `KVO_ERR_NOT_WRAPPED`.
  case notWrapped(keyPath: String)

  /// The value asked for by the options could not be read.
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
    case .notObservable(let keyPath): "“\(keyPath)” cannot be observed: no accessor, no ivar"
    case .notRegistered(let keyPath): "no registration for “\(keyPath)” matches the removal"
    case .invalidOptions(let options): "\(hexadecimal(UInt(options.rawValue))) are no options"
    case .unsupportedKeyPath(let keyPath): "the key path “\(keyPath)” cannot be observed"
    case .nameTaken(let reason): reason
    case .unhandled(let keyPath): "the observer does not handle changes of “\(keyPath)”"
    case .wrongThread(let key): "the change of “\(key)” was announced on another thread"
    case .notWrapped(let keyPath): "the setter of “\(keyPath)” has no wrapper"
    case .coding(let error): error.description
    case .runtime(let error): error.description
    }
  }
}
