public import IsaRuntime

extension KeyValueObservable {
  /// The array of a property, whose changes tell observers which elements came and went.
  ///
  ///     try team.mutableArrayValue(for: \.members).append(ann)
  ///
  /// - Parameter keyPath: A wrapped or declared property of this object, or of one that the key
  ///   path leads to at this moment.
  /// - Throws: `KeyValueError.Code.undefinedKey` for a key path to any other
  ///   property; `KeyValueError` if the class cannot be registered.
  /// - Note: Source `mutableArrayValueForKey:`, NSKeyValueCoding.h.
  public func mutableArrayValue<Element>(
    for keyPath: ReferenceWritableKeyPath<Self, [Element]>
  ) throws(KeyValueError) -> ArrayProxy<Element> {
    let (object, key) = try codedEnd(of: keyPath)
    return ArrayProxy(try ArrayPlace(object, key: key))
  }

  /// The set of a property, whose changes tell observers which elements came and went.
  ///
  ///     try page.mutableSetValue(for: \.tags).insert("new")
  ///
  /// - Throws: As ``mutableArrayValue(for:)``.
  /// - Note: Source `mutableSetValueForKey:`, NSKeyValueCoding.h.
  public func mutableSetValue<Element>(
    for keyPath: ReferenceWritableKeyPath<Self, Set<Element>>
  ) throws(KeyValueError) -> SetProxy<Element> {
    let (object, key) = try codedEnd(of: keyPath)
    return SetProxy(try SetPlace(object, key: key))
  }
}

// MARK: - By name

extension KVObject {
  /// The array for a key path, as ``mutableArrayValue(forKey:)``; the last key's object has it.
  ///
  /// - Note: Source `mutableArrayValueForKeyPath:`, NSKeyValueCoding.h.
  @_disfavoredOverload
  public func mutableArrayValue(
    forKeyPath keyPath: String
  ) throws(KeyValueError) -> MutableArrayProxy {
    try coded().mutableArrayValue(forKeyPath: keyPath)
  }

  /// The set for a key path, as ``mutableSetValue(forKey:)``; the last key's object has it.
  ///
  /// - Note: Source `mutableSetValueForKeyPath:`, NSKeyValueCoding.h.
  @_disfavoredOverload
  public func mutableSetValue(
    forKeyPath keyPath: String
  ) throws(KeyValueError) -> MutableSetProxy {
    try coded().mutableSetValue(forKeyPath: keyPath)
  }

  /// The object as one of the runtime's.
  final func coded() throws(KeyValueError) -> RuntimeObject {
    try RuntimeObject(self)
  }
}
