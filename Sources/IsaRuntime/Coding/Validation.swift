internal import CIsa

extension RuntimeObject {
  /// Asks whether `value` may be set for `key`; the class's validator may replace it.
  ///
  ///     var age: RuntimeValue = 300
  ///     try person.validateValue(&age, forKey: "age")
  ///
  /// A key without a validator takes any value. Setting a value does not ask.
  ///
  /// - Throws: `KeyValueError.Code.invalid` if the validator refuses;
  ///   `KeyValueError`.
  /// - Note: Source `validateValue:forKey:error:`, NSKeyValueCoding.h.
  public func validateValue(
    _ value: inout RuntimeValue, forKey key: String
  ) throws(KeyValueError) {
    try askValidator(&value, key) { kvc_validate_value(id, key, $0, $1, &$2) }
  }

  /// Asks the object that all but the last key lead to, as ``validateValue(_:forKey:)``.
  ///
  /// - Throws: Also `KeyValueError.Code.undefinedKey`.
  /// - Note: Source `validateValue:forKeyPath:error:`, NSKeyValueCoding.h.
  public func validateValue(
    _ value: inout RuntimeValue, forKeyPath keyPath: String
  ) throws(KeyValueError) {
    try askValidator(&value, keyPath) { kvc_validate_value_for_path(id, keyPath, $0, $1, &$2) }
  }

  /// The value that the validator of `key` makes of `value`, to be set then.
  ///
  ///     try person.set("age", person.validated(300, forKey: "age"))
  ///
  /// - Throws: As ``validateValue(_:forKey:)``.
  public func validated(
    _ value: RuntimeValue, forKey key: String
  ) throws(KeyValueError) -> RuntimeValue {
    var value = value
    try validateValue(&value, forKey: key)
    return value
  }
}
