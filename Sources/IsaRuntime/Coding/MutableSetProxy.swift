internal import CIsa

/// A to-many key as a set: reading and changing it reads and changes the object that has the key,
/// which announces each change with the elements that came or went.
///
///     let tags = try page.mutableSetValue(forKey: "tags")
///     try tags.insert("new")
///     try tags.formUnion(["a", "b"])
///
/// It looks at the object anew each time. Elements come out of their boxes: a number is a number.
public struct MutableSetProxy: Sendable {
  private let handle: CollectionHandle<RuntimeValue>

  init(_ handle: CollectionHandle<RuntimeValue>) { self.handle = handle }

  /// A set object that can change; nil for any other object.
  public init?(_ object: RuntimeObject) {
    guard let handle = CollectionHandle(object.id, KVC_KIND_SET, .values) else { return nil }
    self.init(handle)
  }

  /// The set as the object that it is.
  public var object: RuntimeObject { RuntimeObject(retaining: handle.id) }

  /// The elements at this moment.
  public var elements: Set<RuntimeValue> { Set(handle.elements) }

  /// How many elements there are at this moment.
  public var count: Int { handle.count }

  /// Whether there are none.
  public var isEmpty: Bool { count == 0 }

  /// Whether an element is equal to `value`.
  public func contains(_ value: RuntimeValue) -> Bool { handle.contains(value) }

  /// Adds an element, unless there is an equal one.
  ///
  /// - Throws: As ``OrderedProxy/append(_:)-(RuntimeValue)``; the same of all changes.
  public func insert(_ value: RuntimeValue) throws(KeyValueError) {
    try handle.add(value)
  }

  /// Adds a Swift value.
  ///
  /// - Throws: As the form for values.
  @_disfavoredOverload
  public func insert(_ value: some RuntimeConvertible) throws(KeyValueError) {
    try insert(value.runtimeValue)
  }

  /// Removes the element that is equal to `value`, if there is one.
  ///
  /// - Throws: As ``insert(_:)-(RuntimeValue)``.
  public func remove(_ value: RuntimeValue) throws(KeyValueError) {
    try handle.remove(value)
  }

  /// Removes the element that is equal to a Swift value, if there is one.
  ///
  /// - Throws: As the form for values.
  @_disfavoredOverload
  public func remove(_ value: some RuntimeConvertible) throws(KeyValueError) {
    try remove(value.runtimeValue)
  }

  /// Adds elements.
  ///
  /// - Throws: As ``insert(_:)-(RuntimeValue)``.
  public func formUnion(_ values: [RuntimeValue]) throws(KeyValueError) {
    try handle.formUnion(values)
  }

  /// Removes elements.
  ///
  /// - Throws: As ``insert(_:)-(RuntimeValue)``.
  public func subtract(_ values: [RuntimeValue]) throws(KeyValueError) {
    try handle.subtract(values)
  }

  /// Removes all but these elements.
  ///
  /// - Throws: As ``insert(_:)-(RuntimeValue)``.
  public func formIntersection(_ values: [RuntimeValue]) throws(KeyValueError) {
    try handle.formIntersection(values)
  }

  /// Removes everything.
  ///
  /// - Throws: As ``insert(_:)-(RuntimeValue)``.
  public func removeAll() throws(KeyValueError) {
    try handle.removeAll()
  }

  /// Gives the set these elements instead of its own.
  ///
  /// - Throws: As ``insert(_:)-(RuntimeValue)``.
  public func setElements(_ values: [RuntimeValue]) throws(KeyValueError) {
    try handle.setElements(values)
  }
}

extension MutableSetProxy: Sequence {
  /// Walks the elements that are there at this moment.
  public func makeIterator() -> IndexingIterator<[RuntimeValue]> {
    handle.elements.makeIterator()
  }
}

extension MutableSetProxy: CustomStringConvertible {
  /// The elements for people: `[1, "two"]`.
  public var description: String { handle.elements.description }
}
