internal import CIsa

extension RuntimeObject {
  /// The to-many key `key` as an array that can be read and changed.
  ///
  /// It is changed by the accessors that the class has for that (`insertObject:in<Key>AtIndex:` and
  /// so on), else by its setter with a changed copy, else in its ivar.
  ///
  /// - Throws: `KeyValueError`. A key that cannot be changed throws at the first
  ///   change.
  /// - Note: Source `mutableArrayValueForKey:`, NSKeyValueCoding.h.
  public func mutableArrayValue(forKey key: String) throws(KeyValueError) -> MutableArrayProxy {
    try MutableArrayProxy(
      CollectionHandle(of: id, key, .values) { kvc_proxy_make_array(id, key, $0) })
  }

  /// The to-many key at the end of a key path, as ``mutableArrayValue(forKey:)``.
  ///
  /// - Throws: Also `KeyValueError.Code.undefinedKey`, and
  ///   `KeyValueError.Code.nilValue` for nil on the way.
  public func mutableArrayValue(
    forKeyPath keyPath: String
  ) throws(KeyValueError) -> MutableArrayProxy {
    try MutableArrayProxy(
      CollectionHandle(of: id, keyPath, .values) { kvc_proxy_make_array_for_path(id, keyPath, $0) })
  }

  /// The to-many key `key` as an ordered set that can be read and changed. Otherwise as
  /// ``mutableArrayValue(forKey:)``.
  ///
  /// - Note: Source `mutableOrderedSetValueForKey:`, NSKeyValueCoding.h.
  public func mutableOrderedSetValue(
    forKey key: String
  ) throws(KeyValueError) -> MutableOrderedSetProxy {
    try MutableOrderedSetProxy(
      CollectionHandle(of: id, key, .values) { kvc_proxy_make_ordered_set(id, key, $0) })
  }

  /// The to-many key at the end of a key path. Otherwise as ``mutableArrayValue(forKeyPath:)``.
  public func mutableOrderedSetValue(
    forKeyPath keyPath: String
  ) throws(KeyValueError) -> MutableOrderedSetProxy {
    try MutableOrderedSetProxy(
      CollectionHandle(of: id, keyPath, .values) {
        kvc_proxy_make_ordered_set_for_path(id, keyPath, $0)
      })
  }

  /// The to-many key `key` as a set that can be read and changed: by `add<Key>Object:` and so on,
  /// else as ``mutableArrayValue(forKey:)``.
  ///
  /// - Note: Source `mutableSetValueForKey:`, NSKeyValueCoding.h.
  public func mutableSetValue(forKey key: String) throws(KeyValueError) -> MutableSetProxy {
    try MutableSetProxy(CollectionHandle(of: id, key, .values) { kvc_proxy_make_set(id, key, $0) })
  }

  /// The to-many key at the end of a key path. Otherwise as ``mutableArrayValue(forKeyPath:)``.
  public func mutableSetValue(
    forKeyPath keyPath: String
  ) throws(KeyValueError) -> MutableSetProxy {
    try MutableSetProxy(
      CollectionHandle(of: id, keyPath, .values) { kvc_proxy_make_set_for_path(id, keyPath, $0) })
  }
}

extension ElementCoder<RuntimeValue> {
  /// Values of any type, boxed and unboxed.
  static let values = ElementCoder(
    copy: { makeBox($0, &$1) }, read: { RuntimeValue(unboxing: $0) })
}
