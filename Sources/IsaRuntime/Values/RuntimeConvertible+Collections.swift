extension Array: RuntimeConvertible where Element: RuntimeConvertible {
  /// The encoding of an object.
  public static var runtimeEncoding: RuntimeTypeEncoding { .object }

  /// The elements of an array, or of an ordered set, if each is an `Element`.
  public init?(runtimeValue: RuntimeValue) {
    guard let values = runtimeValue.array ?? runtimeValue.orderedSet,
      let elements = converted(values, to: Element.self)
    else { return nil }
    self = elements
  }

  /// An array object.
  public var runtimeValue: RuntimeValue { .array(map(\.runtimeValue)) }
}

extension Array: RuntimeReference where Element: RuntimeConvertible {}

extension Set: RuntimeConvertible where Element: RuntimeConvertible {
  /// The encoding of an object.
  public static var runtimeEncoding: RuntimeTypeEncoding { .object }

  /// The elements of a set, or of an ordered set, if each is an `Element`.
  public init?(runtimeValue: RuntimeValue) {
    guard let values = runtimeValue.set.map({ Array($0) }) ?? runtimeValue.orderedSet,
      let elements = converted(values, to: Element.self)
    else { return nil }
    self.init(elements)
  }

  /// A set object.
  public var runtimeValue: RuntimeValue { .set(map(\.runtimeValue)) }
}

extension Set: RuntimeReference where Element: RuntimeConvertible {}

extension Dictionary: RuntimeConvertible where Key: RuntimeConvertible, Value: RuntimeConvertible {
  /// The encoding of an object.
  public static var runtimeEncoding: RuntimeTypeEncoding { .object }

  /// The entries of a dictionary, if each is a `Key` with a `Value`.
  public init?(runtimeValue: RuntimeValue) {
    guard let entries = runtimeValue.entries,
      let keys = converted(entries.map(\.key), to: Key.self),
      let values = converted(entries.map(\.value), to: Value.self)
    else { return nil }
    self.init(zip(keys, values)) { _, last in last }
  }

  /// A dictionary object.
  public var runtimeValue: RuntimeValue {
    .dictionary(entries: map { ($0.key.runtimeValue, $0.value.runtimeValue) })
  }
}

extension Dictionary: RuntimeReference
where Key: RuntimeConvertible, Value: RuntimeConvertible {}

/// The values as Swift values; nil if one of them is of another kind.
private func converted<Element: RuntimeConvertible>(
  _ values: [RuntimeValue], to type: Element.Type
) -> [Element]? {
  let elements = values.compactMap { Element(runtimeValue: $0) }
  return elements.count == values.count ? elements : nil
}
