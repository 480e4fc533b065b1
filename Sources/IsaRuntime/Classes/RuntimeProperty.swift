internal import CIsa

/// A declared property of a class.
public struct RuntimeProperty: Hashable, Sendable {
  /// The property's name.
  public let name: String
  /// The type of value that it has.
  public let encoding: RuntimeTypeEncoding
  /// The message that reads it.
  public let getter: RuntimeSelector
  /// The message that sets it; nil if it is read-only.
  public let setter: RuntimeSelector?
  /// The ivar behind it; nil for a property without.
  public let ivar: String?
  /// The owner that keeps an object in it alive.
  public let ownership: RuntimeOwnership
  /// Whether it has no setter.
  public let isReadOnly: Bool

  init(_ property: isa_property) {
    let info = isa_property_get_info(property).pointee
    name = String(cString: info.name)
    encoding = RuntimeTypeEncoding(String(cString: info.types))
    getter = RuntimeSelector(info.getter.map { String(cString: $0) } ?? name)
    setter = info.setter.map { RuntimeSelector(String(cString: $0)) }
    ivar = info.ivar.map { String(cString: $0) }
    ownership = RuntimeOwnership(info.ownership)!
    isReadOnly = info.readonly
  }
}
