package import CIsa

/// The code of a method, known by its address.
///
/// It can be compared and shown, not called: a message is sent with ``RuntimeObject/send(_:_:)``.
public struct RuntimeImplementation: Hashable, Sendable {
  /// Where the code begins.
  public let address: UInt

  init(_ imp: isa_imp) { address = codeAddress(imp) }

  package init?(_ imp: isa_imp?) {
    guard let imp else { return nil }
    self.init(imp)
  }
}

extension RuntimeImplementation: CustomStringConvertible {
  /// The address, such as `0x7f31c0de`.
  public var description: String { hexadecimal(address) }
}
