internal import CIsa

extension RuntimeObject {
  /// Asks whether `value` may be set for `key`; the class's validator may replace it.
  ///
  ///     var age: RuntimeValue = 300
  ///     try person.validateValue(&age, forKey: "age")
  ///
  /// A key without a validator takes any value. Setting a value does not ask.
  ///
  /// - Throws: ``CodingError/invalid(_:className:error:)`` if the validator refuses;
  ///   ``CodingError/runtime(_:)``.
  /// - Note: Source `validateValue:forKey:error:`, NSKeyValueCoding.h.
  public func validateValue(
    _ value: inout RuntimeValue, forKey key: String
  ) throws(CodingError) {
    let answer = askValidator(&value) { kvc_validate_value(id, key, $0, $1, &$2) }
    try CodingError.check(answer.outcome, key: key, isa.original.name)
    if answer.isValid { return }
    throw .invalid(key, className: isa.original.name, error: answer.cause)
  }

  /// Asks the object that all but the last key lead to, as ``validateValue(_:forKey:)``.
  ///
  /// - Throws: Also ``CodingError/undefinedKey(_:className:details:)``.
  /// - Note: Source `validateValue:forKeyPath:error:`, NSKeyValueCoding.h.
  public func validateValue(
    _ value: inout RuntimeValue, forKeyPath keyPath: String
  ) throws(CodingError) {
    let answer = askValidator(&value) { kvc_validate_value_for_path(id, keyPath, $0, $1, &$2) }
    try CodingError.check(answer.outcome, key: keyPath, isa.original.name)
    if answer.isValid { return }
    throw .invalid(keyPath, className: isa.original.name, error: answer.cause)
  }

  /// The value that the validator of `key` makes of `value`, to be set then.
  ///
  ///     try person.set("age", person.validated(300, forKey: "age"))
  ///
  /// - Throws: As ``validateValue(_:forKey:)``.
  public func validated(
    _ value: RuntimeValue, forKey key: String
  ) throws(CodingError) -> RuntimeValue {
    var value = value
    try validateValue(&value, forKey: key)
    return value
  }
}
