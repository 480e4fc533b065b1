public import Foundation
public import IsaKVO

// `caller` tells the call of an override to `super` from any other: see KVObject.forward.

// MARK: - One key

extension KVObject {
  /// The value for `key`, a number as an `NSNumber`; nil, and a misuse, for a key that there is not.
  ///
  /// - Note: Source `valueForKey:`, NSKeyValueCoding.h.
  public final func value(
    forKey key: String, calledFrom caller: StaticString = #function
  ) -> Any? {
    endingMisuse(nil) { () throws(KeyValueError) in
      foundationValue(try forwardValue(key, caller))
    }
  }

  /// Sets the value for `key`; a key that there is not, nil for a key that cannot be nil and a value
  /// of another type are a misuse, and the value is then as it was.
  ///
  /// - Note: Source `setValue:forKey:`, NSKeyValueCoding.h.
  public final func setValue(
    _ value: Any?, forKey key: String, calledFrom caller: StaticString = #function
  ) {
    endingMisuse(()) { () throws(KeyValueError) in
      try forwardSetValue(swiftValue(value), key, caller)
    }
  }
}

// MARK: - Key paths

extension KVObject {
  /// The value at the end of a key path, which may hold operators, as `"members.@avg.age"`.
  ///
  /// - Note: Source `valueForKeyPath:`, NSKeyValueCoding.h.
  public final func value(
    forKeyPath keyPath: String, calledFrom caller: StaticString = #function
  ) -> Any? {
    endingMisuse(nil) { () throws(KeyValueError) in
      foundationValue(try forwardValue(path: keyPath, caller))
    }
  }

  /// Sets the value at the end of a key path.
  ///
  /// - Note: Source `setValue:forKeyPath:`, NSKeyValueCoding.h.
  public final func setValue(
    _ value: Any?, forKeyPath keyPath: String, calledFrom caller: StaticString = #function
  ) {
    endingMisuse(()) { () throws(KeyValueError) in
      try forwardSetValue(swiftValue(value), path: keyPath, caller)
    }
  }
}

// MARK: - Many keys

extension KVObject {
  /// The values for the keys, `NSNull` for nil.
  ///
  /// - Note: Source `dictionaryWithValuesForKeys:`, NSKeyValueCoding.h.
  public final func dictionaryWithValues(
    forKeys keys: [String], calledFrom caller: StaticString = #function
  ) -> [String: Any] {
    endingMisuse([:]) { () throws(KeyValueError) in
      try forwardValues(keys, caller).mapValues { foundationValue($0) ?? NSNull() }
    }
  }

  /// Sets each key to its value, to nil for `NSNull`.
  ///
  /// - Note: Source `setValuesForKeysWithDictionary:`, NSKeyValueCoding.h.
  public final func setValuesForKeys(
    _ keyedValues: [String: Any], calledFrom caller: StaticString = #function
  ) {
    endingMisuse(()) { () throws(KeyValueError) in
      try forwardSetValues(keyedValues.mapValues { swiftElement($0) ?? KeyValueNull() }, caller)
    }
  }
}

// MARK: - To-many keys

#if !canImport(ObjectiveC)
  extension KVObject {
    /// The to-many key `key` as an array: reading and changing it reads and changes the object, which
    /// announces each change with its indexes.
    ///
    /// - Note: Source `mutableArrayValueForKey:`, NSKeyValueCoding.h.
    public final func mutableArrayValue(forKey key: String) -> NSMutableArray {
      mutableArrayValue(forKeyPath: key)
    }

    /// The to-many key at the end of a key path, as ``mutableArrayValue(forKey:)``.
    ///
    /// - Note: Source `mutableArrayValueForKeyPath:`, NSKeyValueCoding.h.
    public final func mutableArrayValue(forKeyPath keyPath: String) -> NSMutableArray {
      endingMisuse(NSMutableArray()) { () throws(KeyValueError) in
        KeyedArray(try arrayProxy(atKeyPath: keyPath))
      }
    }

    /// The to-many key `key` as a set: reading and changing it reads and changes the object.
    ///
    /// - Note: Source `mutableSetValueForKey:`, NSKeyValueCoding.h.
    public final func mutableSetValue(forKey key: String) -> NSMutableSet {
      mutableSetValue(forKeyPath: key)
    }

    /// The to-many key at the end of a key path, as ``mutableSetValue(forKey:)``.
    ///
    /// - Note: Source `mutableSetValueForKeyPath:`, NSKeyValueCoding.h.
    public final func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
      endingMisuse(NSMutableSet()) { () throws(KeyValueError) in
        KeyedSet(try setProxy(atKeyPath: keyPath))
      }
    }
  }
#endif
