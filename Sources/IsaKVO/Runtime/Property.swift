internal import CIsa

/// A declared property of a class.
public struct Property: Hashable, Sendable {
  /// The property's name.
  public let name: String
  /// What type of value it has.
  public let encoding: TypeEncoding
  /// The message that reads it.
  public let getter: Selector
  /// The message that sets it; nil if it is read-only.
  public let setter: Selector?
  /// The ivar behind it; nil for a property without.
  public let ivar: String?
  /// Who keeps an object in it alive.
  public let ownership: Ownership
  /// Whether it has no setter.
  public let isReadOnly: Bool

  init(_ property: isa_property) {
    let info = isa_property_get_info(property).pointee
    name = String(cString: info.name)
    encoding = TypeEncoding(String(cString: info.types))
    getter = Selector(info.getter.map { String(cString: $0) } ?? name)
    setter = info.setter.map { Selector(String(cString: $0)) }
    ivar = info.ivar.map { String(cString: $0) }
    ownership = Ownership(info.ownership)
    isReadOnly = info.readonly
  }
}
