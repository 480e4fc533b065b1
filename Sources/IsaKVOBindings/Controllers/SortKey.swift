public import IsaKVO

/// One thing by which a controller sorts its elements.
///
///     people.sort = [.ascending(\.name), .descending(\.age)]
///     people.sort = [.ascending("address.city")]
///     people.sort = [.by(dependingOn: [\.name]) { $0.name.count < $1.name.count }]
///
/// Sorting is stable: elements that no key tells apart keep the order of the content.
/// ``ArrangingController/automaticallyRearranges`` watches the properties that a key reads.
///
/// - Note: Source `NSSortDescriptor`, Foundation.
public struct SortKey<Element: KVObject> {
  /// The properties that the order depends on.
  let dependencies: [ElementKey]
  /// Less than 0 if the first element comes first, more than 0 if the second does.
  let compare: (Element, Element) -> Int
  /// The same for positions of an array, whose values are read once.
  let comparing: ([Element]) -> (Int, Int) -> Int

  private init(
    dependencies: [ElementKey], compare: @escaping (Element, Element) -> Int,
    comparing: @escaping ([Element]) -> (Int, Int) -> Int
  ) {
    self.dependencies = dependencies
    self.compare = compare
    self.comparing = comparing
  }

  @usableFromInline
  init(
    _ property: PartialKeyPath<Element>, _ compare: @escaping (Element, Element) -> Int,
    _ comparing: @escaping ([Element]) -> (Int, Int) -> Int
  ) {
    self.init(dependencies: [.property(property)], compare: compare, comparing: comparing)
  }

  /// Less than 0 if the first value comes first, more than 0 if the second does.
  @inlinable
  static func order<Value>(
    _ first: Value, _ second: Value, _ isFirst: (Value, Value) -> Bool
  ) -> Int { isFirst(first, second) ? -1 : isFirst(second, first) ? 1 : 0 }

  // MARK: By property

  /// Elements with a smaller value come first.
  @inlinable
  public static func ascending<Value: Comparable>(_ property: KeyPath<Element, Value>) -> SortKey {
    by(property, first: <)
  }

  /// Elements with a larger value come first.
  @inlinable
  public static func descending<Value: Comparable>(_ property: KeyPath<Element, Value>) -> SortKey {
    by(property, first: >)
  }

  /// Elements without a value come first, and then those with a smaller one.
  @inlinable
  public static func ascending<Value: Comparable>(
    _ property: KeyPath<Element, Value?>
  ) -> SortKey {
    by(property) { first, second in
      guard let second else { return false }
      return first.map { $0 < second } ?? true
    }
  }

  /// Elements with a larger value come first, and those without one last.
  @inlinable
  public static func descending<Value: Comparable>(
    _ property: KeyPath<Element, Value?>
  ) -> SortKey {
    by(property) { first, second in
      guard let first else { return false }
      return second.map { first > $0 } ?? true
    }
  }

  /// Elements come in the order of a property's values that `isFirst` tells: whether the first value
  /// comes before the second, and they are not equal.
  @inlinable
  public static func by<Value>(
    _ property: KeyPath<Element, Value>, first isFirst: @escaping (Value, Value) -> Bool
  ) -> SortKey {
    let read = reader(of: property)
    return SortKey(property, { order(read($0), read($1), isFirst) }) { elements in
      let values = values(of: property, in: elements)
      return { order(values[$0], values[$1], isFirst) }
    }
  }

  // MARK: By name

  /// Elements with a smaller value for the key path come first, those without one before all.
  ///
  /// Numbers of all types are compared as numbers; values of another type are compared with their
  /// like, and are equal to all others. So is the value of an element that has no such key.
  public static func ascending(_ keyPath: String) -> SortKey { by(keyPath, sign: 1) }

  /// Elements with a larger value for the key path come first, those without one last.
  ///
  /// As ``ascending(_:)-(String)``.
  public static func descending(_ keyPath: String) -> SortKey { by(keyPath, sign: -1) }

  private static func by(_ keyPath: String, sign: Int) -> SortKey {
    func read(_ element: Element) -> Any? {
      // An element that has no such key is sorted as one without a value.
      do { return try element.value(forKeyPath: keyPath) } catch { return nil }
    }
    return SortKey(
      dependencies: [.name(keyPath)],
      compare: { sign * compareValues(read($0), read($1)) },
      comparing: { elements in
        let values = elements.map(read)
        return { sign * compareValues(values[$0], values[$1]) }
      })
  }

  // MARK: By closure

  /// Elements come in the order that a closure tells.
  ///
  /// - Parameters:
  ///   - properties: The properties that the closure reads. Without them, elements are sorted anew
  ///     only when ``ArrayController/rearrange()`` asks for it.
  ///   - isFirst: Whether the first element comes before the second, and they are not equal.
  public static func by(
    dependingOn properties: [PartialKeyPath<Element>] = [],
    _ isFirst: @escaping (Element, Element) -> Bool
  ) -> SortKey {
    SortKey(
      dependencies: properties.map { .property($0) }, compare: { order($0, $1, isFirst) },
      comparing: { elements in { order(elements[$0], elements[$1], isFirst) } })
  }
}

extension Array {
  /// The positions of elements in the order that the keys tell. Elements that no key tells apart
  /// keep their order, with any sorting algorithm.
  func order<Object>(of objects: [Object]) -> [Int] where Element == SortKey<Object> {
    let compare = map { $0.comparing(objects) }
    if compare.count == 1 {
      let compare = compare[0]
      return objects.indices.sorted { first, second in
        let order = compare(first, second)
        return order == 0 ? first < second : order < 0
      }
    }
    return objects.indices.sorted { first, second in
      for compare in compare {
        let order = compare(first, second)
        if order != 0 { return order < 0 }
      }
      return first < second
    }
  }
}

/// The values of a property.
@usableFromInline
func values<Element: KVObject, Value>(
  of property: KeyPath<Element, Value>, in elements: [Element]
) -> [Value] { PropertyEnd(property).values(of: elements) }

/// Code that reads a property.
@usableFromInline
func reader<Element: KVObject, Value>(
  of property: KeyPath<Element, Value>
) -> (Element) -> Value {
  let end = PropertyEnd(property)
  return { end.value(of: $0) }
}

// MARK: - Values of any type

/// Less than 0 if the first value comes first, more than 0 if the second does, 0 if nothing tells
/// them apart. Nil comes before all else.
func compareValues(_ first: Any?, _ second: Any?) -> Int {
  guard let first else { return second == nil ? 0 : -1 }
  guard let second else { return 1 }
  if let first = first as? any Comparable, let order = compareLike(first, second) { return order }
  if let first = number(first), let second = number(second) {
    return first < second ? -1 : first > second ? 1 : 0
  }
  return 0
}

/// The order of two values of one type; nil if they are of two.
private func compareLike<Value: Comparable>(_ first: Value, _ second: Any) -> Int? {
  guard let second = second as? Value else { return nil }
  return first < second ? -1 : second < first ? 1 : 0
}

private func number(_ value: Any) -> Double? {
  switch value {
  case let value as any BinaryInteger: Double(value)
  case let value as any BinaryFloatingPoint: Double(value)
  case let value as Bool: value ? 1 : 0
  default: nil
  }
}
