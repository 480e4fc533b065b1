/// A property of a class as key-value coding knows it.
public struct KeyValueProperty: Sendable {
  /// The name by which key-value coding and observing know it.
  public let key: String
  /// The type of its values as it was declared: `String?.self` for an optional.
  public let type: Any.Type
  /// Whether it is a wrapped property, whose value stands in the object; else the class has declared the
  /// key of another one.
  public let isStored: Bool
  /// Whether nothing sets it.
  public let isReadOnly: Bool
  /// The class that declares it.
  public let owner: KVObject.Type

  fileprivate init(_ field: Field) {
    key = field.key
    type = field.valueType
    isStored = field.offset > 0
    isReadOnly = field.isReadOnly
    owner = field.owner
  }
}

extension KVObject {
  /// The properties that key-value coding knows of the class's objects: the wrapped ones in the order in
  /// which they are declared, inherited ones first, and then those that the class has declared in
  /// ``keys``, by their names.
  ///
  ///     for property in try Person.keyValueProperties() { print(property.key, property.type) }
  ///
  /// Any thread may ask.
  ///
  /// - Throws: `KeyValueError.Code.unsupported` if the class cannot be registered.
  /// - Note: Source `class_copyPropertyList`, Objective-C Runtime reference.
  public static func keyValueProperties() throws(KeyValueError) -> [KeyValueProperty] {
    try ClassRegistration.of(self).fieldsByKey.values
      .sorted { ($0.order, $0.key) < ($1.order, $1.key) }
      .map(KeyValueProperty.init)
  }
}

extension Field {
  /// Where it comes among the properties of a class.
  fileprivate var order: Int { offset > 0 ? offset : .max }
}
