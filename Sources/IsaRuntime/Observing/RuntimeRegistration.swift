internal import CIsa

/// One registration on an object, as introspection shows it.
public struct RuntimeRegistration: Hashable, Sendable {
  /// The observed key path.
  public let keyPath: String
  /// The contents of a notification that the observer wants.
  public let options: ObservationOptions
  /// The context given when registering.
  public let context: ObservationContext
  /// The address of the observer object, or a number that names the closure.
  public let observer: UInt
  /// Whether the observer is a closure or function, rather than an object.
  public let isFunction: Bool
  /// Whether it comes from ``SharedObservers``.
  public let isShared: Bool
  /// Whether it only serves a registration of several keys, or of a dependent key, made on
  /// ``root``.
  public let isForwarder: Bool
  /// The address of the object that was registered on: that of a forwarder's registration, else the
  /// object itself.
  public let root: UInt
  /// The key path that was registered there.
  public let rootKeyPath: String
  /// When it was made, in nanoseconds of the monotonic clock; nil unless that was noted.
  public let since: UInt64?

  init(_ info: kvo_registration_info) {
    keyPath = String(cString: info.key_path)
    options = ObservationOptions(bits: info.options)
    context = ObservationContext(info.context)
    observer = UInt(bitPattern: info.observer)
    isFunction = info.is_function
    isShared = info.is_shared
    isForwarder = info.is_forwarder
    root = UInt(bitPattern: info.root)
    rootKeyPath = info.root_key_path.map { String(cString: $0) } ?? keyPath
    since = info.since == 0 ? nil : info.since
  }
}
