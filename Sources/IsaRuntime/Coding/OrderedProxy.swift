internal import CIsa

/// A to-many key as an array.
///
///     let names = try team.mutableArrayValue(forKey: "names")
///     try names.append("Ann")
///     try names.remove(at: 0)
///     for name in names { print(name) }
public typealias MutableArrayProxy = OrderedProxy<ArrayKind>

/// A to-many key as an ordered set: an element that would be there twice is not inserted
/// again.
///
///     let names = try team.mutableOrderedSetValue(forKey: "names")
///     try names.append("Ann")
///     try names.formUnion(["Ann", "Bob"])
public typealias MutableOrderedSetProxy = OrderedProxy<OrderedSetKind>

/// Which ordered collection an ``OrderedProxy`` is.
public protocol OrderedKind: Sendable {
  /// The kind of its objects.
  static var boxKind: RuntimeBoxKind { get }
}

/// An array.
public enum ArrayKind: OrderedKind {
  /// That of arrays.
  public static var boxKind: RuntimeBoxKind { .array }
}

/// An ordered set.
public enum OrderedSetKind: OrderedKind {
  /// That of ordered sets.
  public static var boxKind: RuntimeBoxKind { .orderedSet }
}

/// A to-many key as an ordered collection: reading and changing it reads and changes the object that
/// has the key, which announces each change with its indexes.
///
/// It looks at the object anew each time. Elements come out of their boxes: a number is a number.
public struct OrderedProxy<Kind: OrderedKind>: Sendable {
  private let handle: CollectionHandle<RuntimeValue>

  init(_ handle: CollectionHandle<RuntimeValue>) { self.handle = handle }

  /// An object of the kind that can change; nil for any other object.
  public init?(_ object: RuntimeObject) {
    let kind = Kind.boxKind.constant
    guard let handle = CollectionHandle(object.id, kind, .values) else { return nil }
    self.init(handle)
  }

  /// The collection as the object that it is.
  public var object: RuntimeObject { RuntimeObject(retaining: handle.id) }

  /// The elements at this moment.
  public var elements: [RuntimeValue] { handle.elements }

  /// The element at `index`.
  ///
  /// - Throws: `KeyValueError.Code.outOfRange`; `KeyValueError`.
  public func element(at index: Int) throws(KeyValueError) -> RuntimeValue {
    try handle.element(at: index)
  }

  /// The first index of an element that is equal to `value`.
  public func firstIndex(of value: RuntimeValue) -> Int? { handle.firstIndex(of: value) }

  /// Whether an element is equal to `value`.
  public func contains(_ value: RuntimeValue) -> Bool { handle.contains(value) }
}

// MARK: - Changing one element

extension OrderedProxy {
  /// Adds an element at the end.
  ///
  /// - Throws: `KeyValueError.Code.undefinedKey` if the object has no way to
  ///   change the key; `KeyValueError.Code.unrecognizedSelector` if what it
  ///   has cannot change; `KeyValueError.Code.outOfRange`;
  ///   `KeyValueError`. The same of all changes.
  public func append(_ value: RuntimeValue) throws(KeyValueError) {
    try handle.add(value)
  }

  /// Adds a Swift value at the end.
  ///
  /// - Throws: As the form for values.
  @_disfavoredOverload
  public func append(_ value: some RuntimeConvertible) throws(KeyValueError) {
    try append(value.runtimeValue)
  }

  /// Inserts an element before the element at `index`.
  ///
  /// - Throws: As ``append(_:)-(RuntimeValue)``.
  public func insert(_ value: RuntimeValue, at index: Int) throws(KeyValueError) {
    try handle.insert(value, at: index)
  }

  /// Inserts a Swift value before the element at `index`.
  ///
  /// - Throws: As the form for values.
  @_disfavoredOverload
  public func insert(_ value: some RuntimeConvertible, at index: Int) throws(KeyValueError) {
    try insert(value.runtimeValue, at: index)
  }

  /// Removes the element at `index`.
  ///
  /// - Throws: As ``append(_:)-(RuntimeValue)``.
  public func remove(at index: Int) throws(KeyValueError) {
    try handle.remove(at: index)
  }

  /// Puts an element in the place of the element at `index`.
  ///
  /// - Throws: As ``append(_:)-(RuntimeValue)``.
  public func replace(at index: Int, with value: RuntimeValue) throws(KeyValueError) {
    try handle.replace(at: index, with: value)
  }

  /// Puts a Swift value in the place of the element at `index`.
  ///
  /// - Throws: As the form for values.
  @_disfavoredOverload
  public func replace(
    at index: Int, with value: some RuntimeConvertible
  ) throws(KeyValueError) {
    try replace(at: index, with: value.runtimeValue)
  }
}

// MARK: - Changing many elements

extension OrderedProxy {
  /// Inserts elements at the indexes that they have afterwards.
  ///
  /// - Throws: As ``append(_:)-(RuntimeValue)``; `KeyValueError` if the counts differ.
  public func insert(
    contentsOf values: [RuntimeValue], at indexes: [Int]
  ) throws(KeyValueError) {
    try handle.insert(contentsOf: values, at: indexes)
  }

  /// Removes the elements at indexes.
  ///
  /// - Throws: As ``append(_:)-(RuntimeValue)``.
  public func remove(at indexes: [Int]) throws(KeyValueError) {
    try handle.remove(at: indexes)
  }

  /// Puts elements in the places of those at indexes.
  ///
  /// - Throws: As ``insert(contentsOf:at:)``.
  public func replace(
    at indexes: [Int], with values: [RuntimeValue]
  ) throws(KeyValueError) {
    try handle.replace(at: indexes, with: values)
  }

  /// Removes everything.
  ///
  /// - Throws: As ``append(_:)-(RuntimeValue)``.
  public func removeAll() throws(KeyValueError) {
    try handle.removeAll()
  }

  /// Gives the collection these elements instead of its own.
  ///
  /// - Throws: As ``append(_:)-(RuntimeValue)``.
  public func setElements(_ values: [RuntimeValue]) throws(KeyValueError) {
    try handle.setElements(values)
  }
}

// MARK: - Arrays

extension MutableArrayProxy {
  /// Adds elements at the end, at one go.
  ///
  /// - Throws: As ``append(_:)-(RuntimeValue)``.
  public func append(contentsOf values: [RuntimeValue]) throws(KeyValueError) {
    try handle.append(contentsOf: values)
  }

  /// Removes every element that is equal to `value`, if there is one.
  ///
  /// - Throws: As ``append(_:)-(RuntimeValue)``.
  public func removeAll(equalTo value: RuntimeValue) throws(KeyValueError) {
    try handle.remove(value)
  }
}

// MARK: - Ordered sets

extension MutableOrderedSetProxy {
  /// Removes the element that is equal to `value`, if there is one.
  ///
  /// - Throws: As ``append(_:)-(RuntimeValue)``.
  public func remove(_ value: RuntimeValue) throws(KeyValueError) {
    try handle.remove(value)
  }

  /// Adds the elements at the end that are not there yet.
  ///
  /// - Throws: As ``append(_:)-(RuntimeValue)``.
  public func formUnion(_ values: [RuntimeValue]) throws(KeyValueError) {
    try handle.formUnion(values)
  }

  /// Removes elements.
  ///
  /// - Throws: As ``append(_:)-(RuntimeValue)``.
  public func subtract(_ values: [RuntimeValue]) throws(KeyValueError) {
    try handle.subtract(values)
  }

  /// Removes all but these elements.
  ///
  /// - Throws: As ``append(_:)-(RuntimeValue)``.
  public func formIntersection(_ values: [RuntimeValue]) throws(KeyValueError) {
    try handle.formIntersection(values)
  }
}

// MARK: - As a collection

extension OrderedProxy: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }

  /// How many elements there are at this moment.
  public var endIndex: Int { handle.count }

  /// The element at `position`; an index beyond the end stops the process.
  public subscript(position: Int) -> RuntimeValue {
    do throws(KeyValueError) { return try handle.element(at: position) } catch {
      fatalError("OrderedProxy: no element \(position): \(error.reason)")
    }
  }

  /// Walks the elements that are there at this moment.
  public func makeIterator() -> IndexingIterator<[RuntimeValue]> { elements.makeIterator() }
}

extension OrderedProxy: CustomStringConvertible {
  /// The elements for people: `[1, "two"]`.
  public var description: String { elements.description }
}
