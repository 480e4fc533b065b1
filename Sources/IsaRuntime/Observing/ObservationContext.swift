/// A value of the registering code's own, which tells its registrations from others'.
public struct ObservationContext: Hashable, Sendable {
  /// The address that the C core keeps.
  public let address: UInt

  /// Makes a context that is different from all others.
  public init() { address = nextNumber() }

  /// The context that C code knows by its address.
  public init(address: UInt) { self.address = address }

  /// No context, as of a registration that gave none.
  public static let none = ObservationContext(address: 0)
}
