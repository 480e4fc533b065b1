internal import CIsa
public import IsaKeyValue

extension KVObject {
  /// The value for `key` as a Swift type.
  ///
  ///     let age = try person.value(forKey: "age", as: Int.self)
  ///
  /// Numbers are converted as `NSNumber` does.
  ///
  /// - Throws: `KeyValueError.Code.undefinedKey`;
  ///   `KeyValueError.Code.incompatible` if the value is of another type.
  public func value<Value>(
    forKey key: String, as type: Value.Type
  ) throws(KeyValueError) -> Value {
    try typed(try value(forKey: key), key)
  }

  /// The value at the end of a key path as a Swift type.
  ///
  ///     let cities = try team.value(forKeyPath: "members.place.city", as: [String?].self)
  ///
  /// - Throws: As ``value(forKeyPath:)``; `KeyValueError.Code.incompatible`
  ///   if the value is of another type.
  public func value<Value>(
    forKeyPath keyPath: String, as type: Value.Type
  ) throws(KeyValueError) -> Value {
    try typed(try value(forKeyPath: keyPath), keyPath)
  }

  private func typed<Value>(_ value: Any?, _ key: String) throws(KeyValueError) -> Value {
    if let typed = converted(value, to: Value.self) { return typed }
    throw KeyValueError(
      expected: writtenName(of: Value.self), not: value, key: key, className: className)
  }

  /// The value that may be set for a key instead of `value`, as ``validateValue(_:forKey:)`` has it.
  public func validated(_ value: Any?, forKey key: String) throws -> Any? {
    var value = value
    try validateValue(&value, forKey: key)
    return value
  }
}

// MARK: - Many keys

extension KVObject {
  /// The base class's answer for ``dictionaryWithValues(forKeys:)``.
  package final func rootValues(_ keys: [String]) throws(KeyValueError) -> [String: Any] {
    var values: [String: Any] = [:]
    for key in keys { values[key] = try value(forKey: key) ?? KeyValueNull() }
    return values
  }

  /// The base class's code for ``setValuesForKeys(_:)``.
  package final func rootSetValues(_ values: [String: Any]) throws(KeyValueError) {
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      try setValue(isNil(value) ? nil : value, forKey: key)
    }
  }

  /// Whether a value of ``setValuesForKeys(_:)`` sets nil: null does, except to GNUstep.
  package final func isNil(_ value: Any) -> Bool {
    standsForNil(value) && profileInUse == .apple
  }

  /// The profile of the object's class, which may be one made at run time.
  private var profileInUse: KeyValueProfile {
    (try? runtimeID()).flatMap { KeyValueProfile(isa_class_get_profile(isa_object_get_class($0))) }
      ?? type(of: self).profile
  }
}
