internal import CIsa

// MARK: - Making collections

extension RuntimeValue {
  /// An array object.
  ///
  ///     try team.setValue(.array(["Ann", "Bob"]), forKey: "names")
  ///
  /// - Parameter elements: Kept as objects, null for nil. `.void` is no element, and stops the
  ///   process.
  /// - Parameter isMutable: Whether the array can change.
  public static func array(_ elements: [RuntimeValue], isMutable: Bool = false) -> RuntimeValue {
    let make = isMutable ? kvc_mutable_array_make : kvc_array_make
    return RuntimeValue(makeCollection(elements, make))
  }

  /// An ordered set object; of equal elements the first counts. Otherwise as
  /// ``array(_:isMutable:)``.
  public static func orderedSet(
    _ elements: [RuntimeValue], isMutable: Bool = false
  ) -> RuntimeValue {
    let make = isMutable ? kvc_mutable_ordered_set_make : kvc_ordered_set_make
    return RuntimeValue(makeCollection(elements, make))
  }

  /// A set object. Otherwise as ``array(_:isMutable:)``.
  public static func set(_ elements: [RuntimeValue], isMutable: Bool = false) -> RuntimeValue {
    let make = isMutable ? kvc_mutable_set_make : kvc_set_make
    return RuntimeValue(makeCollection(elements, make))
  }

  /// A dictionary object whose keys are strings. Otherwise as ``array(_:isMutable:)``.
  public static func dictionary(
    _ values: [String: RuntimeValue], isMutable: Bool = false
  ) -> RuntimeValue {
    let entries = values.sorted { $0.key < $1.key }.map { (RuntimeValue($0.key), $0.value) }
    return .dictionary(entries: entries, isMutable: isMutable)
  }

  /// A dictionary object with any keys that can be copied; of equal keys the last counts. Otherwise
  /// as ``array(_:isMutable:)``.
  public static func dictionary(
    entries: [(key: RuntimeValue, value: RuntimeValue)], isMutable: Bool = false
  ) -> RuntimeValue {
    RuntimeValue(makeDictionary(entries, isMutable: isMutable))
  }

  /// The object that stands for nil in collections.
  public static var null: RuntimeValue { RuntimeValue(RuntimeObject(retaining: kvc_null())) }
}

// MARK: - Reading collections

extension RuntimeValue {
  /// The elements of an array object, numbers, structs and the like taken out of their boxes.
  public var array: [RuntimeValue]? { elements { $0 == .array } }

  /// The elements of an ordered set object, in order.
  public var orderedSet: [RuntimeValue]? { elements { $0 == .orderedSet } }

  /// The elements of a set object.
  public var set: Set<RuntimeValue>? { elements(where: { $0 == .set }).map { Set($0) } }

  /// The values of a dictionary object by their keys, if the keys are strings.
  public var dictionary: [String: RuntimeValue]? {
    guard let entries else { return nil }
    let pairs = entries.compactMap { entry in entry.key.string.map { ($0, entry.value) } }
    guard pairs.count == entries.count else { return nil }
    return Dictionary(pairs) { _, last in last }
  }

  /// The keys and values of a dictionary object, in its order.
  public var entries: [(key: RuntimeValue, value: RuntimeValue)]? {
    guard let object, object.boxKind == .dictionary else { return nil }
    return Array(zip(keys(of: object), IsaRuntime.elements(of: object)))
  }

  /// The elements of any collection object; of a dictionary, its values.
  public var elements: [RuntimeValue]? { elements { $0.isCollection } }

  /// Whether the value is the object that stands for nil in collections.
  public var isNull: Bool { object?.boxKind == .null }

  private func elements(where isAsked: (RuntimeBoxKind) -> Bool) -> [RuntimeValue]? {
    guard let object, object.boxKind.map(isAsked) == true else { return nil }
    return IsaRuntime.elements(of: object)
  }
}
