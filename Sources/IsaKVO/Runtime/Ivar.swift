internal import CIsa

/// An instance variable, as its class declares it.
public struct Ivar: Hashable, Sendable {
  /// The ivar's name, such as `_age`.
  public let name: String
  /// What type of value it holds.
  public let encoding: TypeEncoding
  /// Bytes from the start of the object, its header included.
  public let offset: Int
  /// Bytes that it takes.
  public let size: Int
  /// Who keeps an object in it alive.
  public let ownership: Ownership

  init(_ ivar: isa_ivar) {
    name = String(cString: isa_ivar_name(ivar))
    encoding = TypeEncoding(String(cString: isa_ivar_types(ivar)))
    offset = isa_ivar_offset(ivar)
    size = isa_ivar_size(ivar)
    ownership = Ownership(isa_ivar_ownership(ivar))
  }
}
