internal import CIsa

/// One registration on an object, as introspection shows it.
public struct Registration: Hashable, Sendable {
  /// The observed key path.
  public let keyPath: String
  /// What the observer wants to be told.
  public let options: ObservationOptions
  /// The context given when registering.
  public let context: ObservationContext
  /// The address of the observer object, or a number that names the closure.
  public let observer: UInt
  /// Whether the observer is a closure or function, rather than an object.
  public let isFunction: Bool

  init(_ info: kvo_registration_info) {
    keyPath = String(cString: info.key_path)
    options = ObservationOptions(rawValue: info.options)
    context = ObservationContext(pointer: info.context)
    observer = UInt(bitPattern: info.observer)
    isFunction = info.is_function
  }
}
