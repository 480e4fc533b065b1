public import Foundation
public import IsaKVO
internal import IsaKeyValue

// MARK: - One key

extension KeyValueObservable {
  /// The value for `key`, a number as an `NSNumber`; nil, and a misuse, for a key that there is not.
  ///
  /// - Note: Source `valueForKey:`, NSKeyValueCoding.h.
  public func value(forKey key: String) -> Any? {
    endingMisuse(nil) { () throws(KeyValueError) in
      foundationValue(try forwardValue(key))
    }
  }

  /// Sets the value for `key`; a key that there is not, nil for a key that cannot be nil and a value
  /// of another type are a misuse, and the value is then as it was.
  ///
  /// - Note: Source `setValue:forKey:`, NSKeyValueCoding.h.
  public func setValue(_ value: Any?, forKey key: String) {
    endingMisuse(()) { () throws(KeyValueError) in
      try forwardSetValue(value, key)
    }
  }
}

// MARK: - Refusals

extension KeyValueObservable {
  /// The base class's answer for a key that the class does not know, for an override to end in: the
  /// call that led there fails.
  ///
  /// - Note: Source `valueForUndefinedKey:`, NSKeyValueCoding.h.
  public func value(forUndefinedKey key: String) -> Any? {
    refuse(undefined(key, "valueForUndefinedKey:"))
    return nil
  }

  /// The same for setting one.
  ///
  /// - Note: Source `setValue:forUndefinedKey:`, NSKeyValueCoding.h.
  public func setValue(_ value: Any?, forUndefinedKey key: String) {
    refuse(undefined(key, "setValue:forUndefinedKey:"))
  }

  /// The same for setting nil for a key that is not optional.
  ///
  /// - Note: Source `setNilValueForKey:`, NSKeyValueCoding.h.
  public func setNilValueForKey(_ key: String) { refuse(noNil(key)) }
}

// MARK: - Key paths

extension KeyValueObservable {
  /// The value at the end of a key path, which may hold operators, as `"members.@avg.age"`.
  ///
  /// - Note: Source `valueForKeyPath:`, NSKeyValueCoding.h.
  public func value(forKeyPath keyPath: String) -> Any? {
    endingMisuse(nil) { () throws(KeyValueError) in
      foundationValue(try forwardValue(path: keyPath))
    }
  }

  /// Sets the value at the end of a key path.
  ///
  /// - Note: Source `setValue:forKeyPath:`, NSKeyValueCoding.h.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    endingMisuse(()) { () throws(KeyValueError) in
      try forwardSetValue(value, path: keyPath)
    }
  }
}

// MARK: - Many keys

extension KeyValueObservable {
  /// The values for the keys, `NSNull` for nil.
  ///
  /// - Note: Source `dictionaryWithValuesForKeys:`, NSKeyValueCoding.h.
  public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    endingMisuse([:]) { () throws(KeyValueError) in
      try forwardValues(keys).mapValues(foundationElement)
    }
  }

  /// Sets each key to its value, to nil for `NSNull`, which GNUstep's profile sets as it is.
  ///
  /// - Note: Source `setValuesForKeysWithDictionary:`, NSKeyValueCoding.h.
  public func setValuesForKeys(_ keyedValues: [String: Any]) {
    endingMisuse(()) { () throws(KeyValueError) in
      try forwardSetValues(keyedValues)
    }
  }
}

// MARK: - To-many keys

#if !canImport(ObjectiveC)
  extension KeyValueObservable {
    /// The to-many key `key` as an array: reading and changing it reads and changes the object, which
    /// announces each change with its indexes.
    ///
    /// - Note: Source `mutableArrayValueForKey:`, NSKeyValueCoding.h.
    public func mutableArrayValue(forKey key: String) -> NSMutableArray {
      (self as? NSKVObject)?.mutableArrayValue(forKey: key) ?? keyedArray(key)
    }

    /// The to-many key at the end of a key path, as ``mutableArrayValue(forKey:)``.
    ///
    /// - Note: Source `mutableArrayValueForKeyPath:`, NSKeyValueCoding.h.
    public func mutableArrayValue(forKeyPath keyPath: String) -> NSMutableArray {
      keyedArray(keyPath)
    }

    /// The to-many key `key` as a set: reading and changing it reads and changes the object.
    ///
    /// - Note: Source `mutableSetValueForKey:`, NSKeyValueCoding.h.
    public func mutableSetValue(forKey key: String) -> NSMutableSet {
      (self as? NSKVObject)?.mutableSetValue(forKey: key) ?? keyedSet(key)
    }

    /// The to-many key at the end of a key path, as ``mutableSetValue(forKey:)``.
    ///
    /// - Note: Source `mutableSetValueForKeyPath:`, NSKeyValueCoding.h.
    public func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
      keyedSet(keyPath)
    }
  }

  extension KVObject {
    final func keyedArray(_ keyPath: String) -> NSMutableArray {
      endingMisuse(NSMutableArray()) { () throws(KeyValueError) in
        KeyedArray(try arrayHandle(atKeyPath: keyPath))
      }
    }

    final func keyedSet(_ keyPath: String) -> NSMutableSet {
      endingMisuse(NSMutableSet()) { () throws(KeyValueError) in
        KeyedSet(try setHandle(atKeyPath: keyPath))
      }
    }
  }
#endif
