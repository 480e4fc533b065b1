public import Foundation
public import IsaKVO
public import IsaKeyValue

/// A base class whose methods by name have Apple's signatures, so that a subclass overrides them as on
/// Apple systems and calls `super`.
///
///     class Person: NSKVObject {
///       @Dynamic var name = ""
///
///       override func setValue(_ value: Any?, forKey key: String) {
///         print("set", key)
///         super.setValue(value, forKey: key)
///       }
///     }
///
/// In all else it is a `KVObject`. A call that fails is a misuse of any caller; in a call of the
/// runtime's own, such as one of a key path through the object, that call fails.
open class NSKVObject: KVObject, ForeignBase {
  package static var foreignBase: KVObject.Type { NSKVObject.self }

  // MARK: Key-value coding

  /// The value for `key`, a number as an `NSNumber`; nil, and a misuse, for a key that there is not.
  ///
  /// - Note: Source `valueForKey:`, NSKeyValueCoding.h.
  open override func value(forKey key: String) -> Any? {
    ending(nil) { () throws(KeyValueError) in foundationValue(try rootValue(key)) }
  }

  /// Sets the value for `key`; a key that there is not, nil for a key that cannot be nil and a value
  /// of another type are a misuse, and the value is then as it was.
  ///
  /// - Note: Source `setValue:forKey:`, NSKeyValueCoding.h.
  open override func setValue(_ value: Any?, forKey key: String) {
    ending(()) { () throws(KeyValueError) in try rootSetValue(value, key) }
  }

  /// The value at the end of a key path, which may hold operators, as `"members.@avg.age"`.
  ///
  /// - Note: Source `valueForKeyPath:`, NSKeyValueCoding.h.
  open override func value(forKeyPath keyPath: String) -> Any? {
    ending(nil) { () throws(KeyValueError) in foundationValue(try rootExactValue(path: keyPath)) }
  }

  /// Sets the value at the end of a key path.
  ///
  /// - Note: Source `setValue:forKeyPath:`, NSKeyValueCoding.h.
  open override func setValue(_ value: Any?, forKeyPath keyPath: String) {
    ending(()) { () throws(KeyValueError) in try rootSetValue(value, path: keyPath) }
  }

  /// The values for the keys, `NSNull` for nil.
  ///
  /// - Note: Source `dictionaryWithValuesForKeys:`, NSKeyValueCoding.h.
  open override func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }) { first, _ in first }
  }

  /// Sets each key to its value, in the order of their names, to nil for `NSNull`, which
  /// GNUstep's profile sets as it is.
  ///
  /// - Note: Source `setValuesForKeysWithDictionary:`, NSKeyValueCoding.h.
  open override func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues.sorted(by: { $0.key < $1.key }) {
      setValue(isNil(value) ? nil : value, forKey: key)
    }
  }

  // MARK: Observers that are objects

  /// Registers `observer`, which is told by `observeValue(forKeyPath:of:change:context:)`. A
  /// registration that fails is a misuse.
  ///
  /// - Note: Source `addObserver:forKeyPath:options:context:`, NSKeyValueObserving.h.
  open override func addObserver(
    _ observer: KVObject, forKeyPath keyPath: String, options: ObservationOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    ending(()) { () throws(KeyValueError) in
      try rootAdd(observer, keyPath, options.union(.foreignNames), context)
    }
  }

  /// Removes the latest registration of `observer` for `keyPath`, with any context. A removal that
  /// matches no registration is a misuse.
  ///
  /// - Note: Source `removeObserver:forKeyPath:`, NSKeyValueObserving.h.
  open override func removeObserver(_ observer: KVObject, forKeyPath keyPath: String) {
    ending(()) { () throws(KeyValueError) in try rootRemove(observer, keyPath) }
  }

  /// Removes the latest registration of `observer` for `keyPath` that has exactly this context.
  ///
  /// - Note: Source `removeObserver:forKeyPath:context:`, NSKeyValueObserving.h.
  open override func removeObserver(
    _ observer: KVObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) {
    ending(()) { () throws(KeyValueError) in try rootRemove(observer, keyPath, context) }
  }

  private func ending<Value>(
    _ fallback: Value, _ call: () throws(KeyValueError) -> Value
  ) -> Value {
    do {
      return try call()
    } catch {
      end(error)
      return fallback
    }
  }

  #if !canImport(ObjectiveC)
    // MARK: To-many keys

    /// The to-many key `key` as an array: reading and changing it reads and changes the object, which
    /// announces each change with its indexes.
    ///
    /// - Note: Source `mutableArrayValueForKey:`, NSKeyValueCoding.h.
    open func mutableArrayValue(forKey key: String) -> NSMutableArray { keyedArray(key) }

    /// The to-many key `key` as a set: reading and changing it reads and changes the object.
    ///
    /// - Note: Source `mutableSetValueForKey:`, NSKeyValueCoding.h.
    open func mutableSetValue(forKey key: String) -> NSMutableSet { keyedSet(key) }
  #endif
}
