/// The handle by which an observation, or a change, ends its registration.
package protocol RegistrationControl: AnyObject, Sendable {
  /// Whether the registration still stands.
  var isValid: Bool { get }

  /// Ends it; any number of times.
  func invalidate()

  /// The same, and waits until its handler is not running on another thread.
  func invalidateAndWait()

  /// The numbers by which a ``DeliveryScope`` knows deliveries of the registration.
  var identities: [UInt] { get }

  /// Whether the registration still stands on the object at that address, one of its objects.
  func stands(on object: UInt) -> Bool
}

extension RegistrationControl {
  package var identities: [UInt] { [identity(of: self)] }

  package func stands(on object: UInt) -> Bool { isValid }
}
