internal import CIsa

extension RuntimeObject {
  /// The value for `key`, as the message `valueForKey:` answers.
  ///
  /// - Returns: A boxed number or struct comes as the value inside; a string or a collection as the
  ///   object that it is, whose ``RuntimeValue/string``, ``RuntimeValue/array`` and so on read it.
  /// - Throws: `KeyValueError.Code.undefinedKey`;
  ///   `KeyValueError.Code.incompatible` for a type that KVC does not box,
  ///   such as a pointer; ``get(_:as:)`` reads those too.
  /// - Note: Source `valueForKey:`, NSKeyValueCoding.h.
  public func value(forKey key: String) throws(KeyValueError) -> RuntimeValue {
    try takeValue(key) { kvc_copy_value(id, key, $0) }
  }

  /// Sets the value for `key`, as the message `setValue:forKey:` does: by a setter, else in the
  /// ivar.
  ///
  /// Numbers are converted to the key's number type, and so are texts that begin with one; a text
  /// for an object's key is a string object; nil for a key that is not an object sends
  /// `setNilValueForKey:`.
  ///
  /// - Throws: `KeyValueError.Code.undefinedKey`;
  ///   `KeyValueError.Code.nilValue`;
  ///   `KeyValueError.Code.incompatible`.
  /// - Note: Source `setValue:forKey:`, NSKeyValueCoding.h.
  public func setValue(_ value: RuntimeValue, forKey key: String) throws(KeyValueError) {
    try setBoxed(value, key) { kvc_set_value(id, key, $0) }
  }

  /// The value of any type for `key`, read without boxing.
  ///
  /// - Throws: `KeyValueError.Code.undefinedKey`; `KeyValueError`.
  public func get(_ key: String) throws(KeyValueError) -> RuntimeValue {
    try read(key)
  }

  /// The value for `key` as a Swift type.
  ///
  ///     let age = try person.get("age", as: Int.self)
  ///
  /// - Throws: `KeyValueError.Code.undefinedKey`;
  ///   `KeyValueError.Code.incompatible` if the value is of another kind,
  ///   or too large.
  public func get<Value: RuntimeConvertible>(
    _ key: String, as type: Value.Type = Value.self
  ) throws(KeyValueError) -> Value {
    try converted(try get(key), key)
  }

  /// The value as a Swift type.
  func converted<Value: RuntimeConvertible>(
    _ value: RuntimeValue, _ key: String
  ) throws(KeyValueError) -> Value {
    if let converted = Value(runtimeValue: value) { return converted }
    let reason = "\(value), a “\(value.encoding)”, is no \(Value.self)"
    throw KeyValueError(.incompatible, key: key, className: isa.original.name, reason: reason)
  }

  /// Sets the value of any type for `key` without boxing it; a text for an object's key is a string
  /// object.
  ///
  ///     try person.set("age", 41)
  ///
  /// - Throws: As ``setValue(_:forKey:)``.
  public func set(_ key: String, _ value: RuntimeValue) throws(KeyValueError) {
    try write(value, key)
  }

  /// Sets the value for `key` from a Swift value.
  ///
  /// - Throws: As ``setValue(_:forKey:)``.
  @_disfavoredOverload
  public func set(_ key: String, _ value: some RuntimeConvertible) throws(KeyValueError) {
    try set(key, value.runtimeValue)
  }
}
