internal import CIsa

/// An instance variable, as its class declares it.
public struct RuntimeIvar: Hashable, Sendable {
  /// The ivar's name, such as `_age`.
  public let name: String
  /// The type of value that it holds.
  public let encoding: RuntimeTypeEncoding
  /// Bytes from the start of the object, its header included.
  public let offset: Int
  /// Bytes that it takes.
  public let size: Int
  /// The owner that keeps an object in it alive.
  public let ownership: RuntimeOwnership

  init(_ ivar: isa_ivar) {
    name = String(cString: isa_ivar_name(ivar))
    encoding = RuntimeTypeEncoding(String(cString: isa_ivar_types(ivar)))
    offset = isa_ivar_offset(ivar)
    size = isa_ivar_size(ivar)
    ownership = RuntimeOwnership(isa_ivar_ownership(ivar))!
  }
}
