/// A value of the registering code's own, which tells its registrations from others'.
public struct ObservationContext: Hashable, Sendable {
  /// The address that the C core keeps.
  public let address: UInt

  /// Makes a context that is different from all others.
  public init() { address = nextNumber() }

  /// The context that C code knows by its address.
  public init(address: UInt) { self.address = address }

  /// The context that a pointer is, such as the address of a variable which every use of the
  /// context shares:
  ///
  ///     private nonisolated(unsafe) static var mine = 0
  ///     addObserver(self, forKeyPath: "age", context: &Self.mine)
  ///     // Later, of the pointer that came back:
  ///     if ObservationContext(context) == ObservationContext(&Self.mine) { … }
  ///
  /// The pointer is compared and never looked into; nil is ``none``.
  public init(_ pointer: UnsafeMutableRawPointer?) { address = UInt(bitPattern: pointer) }

  /// No context, as of a registration that gave none.
  public static let none = ObservationContext(address: 0)
}

extension ObservationContext {
  /// The context as the C core keeps it.
  package var pointer: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: address) }
}
