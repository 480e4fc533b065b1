internal import CIsa

extension RuntimeObject {
  /// A Swift object, such as a `KVObject`, as the runtime's object that it is.
  ///
  /// - Throws: `KeyValueError.Code.unsupported` if its class cannot be registered.
  public convenience init(_ object: some RuntimeAdopted) throws(KeyValueError) {
    self.init(unsafeAddress: try object.runtimeAddress())
  }

  /// The Swift object that this one is, if it is one of a class that may be used anywhere.
  public func swiftObject<Object: RuntimeAdopted & Sendable>(as type: Object.Type) -> Object? {
    unsafeSwiftObject as? Object
  }

  /// The Swift object that this one is, if it is one, of any class.
  ///
  /// Unsafe because a reference like this one may be handed to any thread, and an object that is not
  /// `Sendable` may not: the caller must be where the object may be used.
  public var unsafeSwiftObject: AnyObject? {
    AdoptedClasses.adopter(of: isa.original.cls)?.object(id)
  }
}

extension RuntimeAdopted {
  /// The array for a key, changed by way of the object: observers are told which elements came and
  /// went.
  ///
  /// - Throws: As ``RuntimeObject/mutableArrayValue(forKey:)``.
  /// - Note: Source `mutableArrayValueForKey:`, NSKeyValueCoding.h.
  @_disfavoredOverload
  public func mutableArrayValue(forKey key: String) throws(KeyValueError) -> MutableArrayProxy {
    try RuntimeObject(self).mutableArrayValue(forKey: key)
  }

  /// The set for a key, changed by way of the object.
  ///
  /// - Throws: As ``RuntimeObject/mutableSetValue(forKey:)``.
  /// - Note: Source `mutableSetValueForKey:`, NSKeyValueCoding.h.
  @_disfavoredOverload
  public func mutableSetValue(forKey key: String) throws(KeyValueError) -> MutableSetProxy {
    try RuntimeObject(self).mutableSetValue(forKey: key)
  }

  /// The array at the end of a key path, as ``mutableArrayValue(forKey:)``.
  ///
  /// - Throws: As ``RuntimeObject/mutableArrayValue(forKeyPath:)``.
  @_disfavoredOverload
  public func mutableArrayValue(
    forKeyPath keyPath: String
  ) throws(KeyValueError) -> MutableArrayProxy {
    try RuntimeObject(self).mutableArrayValue(forKeyPath: keyPath)
  }

  /// The set at the end of a key path, as ``mutableSetValue(forKey:)``.
  ///
  /// - Throws: As ``RuntimeObject/mutableSetValue(forKeyPath:)``.
  @_disfavoredOverload
  public func mutableSetValue(
    forKeyPath keyPath: String
  ) throws(KeyValueError) -> MutableSetProxy {
    try RuntimeObject(self).mutableSetValue(forKeyPath: keyPath)
  }
}
