internal import CIsa

// MARK: - Key paths

extension RuntimeObject {
  /// The value at the end of a key path, as the message `valueForKeyPath:` answers. Nil on the way
  /// is nil.
  ///
  ///     try team.value(forKeyPath: "leader.name")
  ///     try team.value(forKeyPath: "members.@avg.age")
  ///
  /// - Parameter keyPath: Keys joined by dots, operators such as `@count`, `@sum`, `@avg`, `@min`,
  ///   `@max` and `@distinctUnionOfObjects` among them.
  /// - Returns: As ``value(forKey:)``. A sum or an average that no number type holds exactly is a
  ///   number object with all its digits, which ``RuntimeValue/double`` rounds.
  /// - Throws: `KeyValueError.Code.undefinedKey`;
  ///   `KeyValueError.Code.overflow` for the average of what is no number;
  ///   `KeyValueError` for an operator that does not exist or meets what it does not
  ///   understand; `KeyValueError.Code.unrecognizedSelector` likewise.
  /// - Note: Source `valueForKeyPath:`, NSKeyValueCoding.h.
  public func value(forKeyPath keyPath: String) throws(KeyValueError) -> RuntimeValue {
    SwiftBox.makeClasses()
    return try takeValue(keyPath) { kvc_copy_value_for_path(id, keyPath, $0) }
  }

  /// Sets the last key of a key path on the object that the others lead to, as the message
  /// `setValue:forKeyPath:` does; nil on the way swallows the value.
  ///
  /// - Throws: As ``setValue(_:forKey:)``.
  /// - Note: Source `setValue:forKeyPath:`, NSKeyValueCoding.h.
  public func setValue(
    _ value: RuntimeValue, forKeyPath keyPath: String
  ) throws(KeyValueError) {
    try setBoxed(value, keyPath) { kvc_set_value_for_path(id, keyPath, $0) }
  }

  /// The value at the end of a key path as a Swift type; one of a type that KVC does not box, such
  /// as a C string, is read from the object that the other keys lead to.
  ///
  ///     let cities = try team.get(keyPath: "members.city", as: [String].self)
  ///
  /// - Throws: As ``value(forKeyPath:)``; `KeyValueError.Code.incompatible`
  ///   if the value is of another kind, or too large.
  public func get<Value: RuntimeConvertible>(
    keyPath: String, as type: Value.Type = Value.self
  ) throws(KeyValueError) -> Value {
    let value: RuntimeValue
    do throws(KeyValueError) {
      value = try self.value(forKeyPath: keyPath)
    } catch {
      let failure: KeyValueError = error
      guard failure.code == .undefinedKey, let end = try end(of: keyPath) else { throw failure }
      value = try end.object.get(end.key)
    }
    return try converted(value, keyPath)
  }

  /// Sets the value at the end of a key path; one of a type that KVC does not box, such as a C
  /// string, on the object that the other keys lead to.
  ///
  /// - Throws: As ``setValue(_:forKeyPath:)``.
  public func set(keyPath: String, _ value: RuntimeValue) throws(KeyValueError) {
    do throws(KeyValueError) {
      try setValue(value, forKeyPath: keyPath)
    } catch {
      let failure: KeyValueError = error
      guard failure.code == .undefinedKey, let end = try end(of: keyPath) else { throw failure }
      try end.object.set(end.key, value)
    }
  }

  /// Sets the value at the end of a key path from a Swift value.
  ///
  /// - Throws: As ``setValue(_:forKeyPath:)``.
  @_disfavoredOverload
  public func set(keyPath: String, _ value: some RuntimeConvertible) throws(KeyValueError) {
    try set(keyPath: keyPath, value.runtimeValue)
  }

  /// The last key of a key path and the object that has it; nil where there is none.
  private func end(
    of keyPath: String
  ) throws(KeyValueError) -> (object: RuntimeObject, key: String)? {
    guard let dot = keyPath.lastIndex(of: ".") else { return (self, keyPath) }
    let object = try value(forKeyPath: String(keyPath[..<dot])).object
    return object.map { ($0, String(keyPath[keyPath.index(after: dot)...])) }
  }
}

// MARK: - Many keys

extension RuntimeObject {
  /// The values for the keys, nil where one is nil.
  ///
  /// - Throws: As ``value(forKey:)``, of the first value that cannot be had.
  /// - Note: Source `dictionaryWithValuesForKeys:`, NSKeyValueCoding.h.
  public func dictionaryWithValues(
    forKeys keys: [String]
  ) throws(KeyValueError) -> [String: RuntimeValue] {
    let names = RuntimeValue.array(keys.map { RuntimeValue($0) })
    let all = keys.joined(separator: ", ")
    let values = try takeValue(all) { kvc_copy_values(id, names.object?.id, $0) }
    return (values.dictionary ?? [:]).mapValues { $0.isNull ? .nilObject : $0 }
  }

  /// Sets each key to its value by ``setValue(_:forKey:)``, in the order of the keys' names.
  ///
  /// The null object sets nil, under GNUstep's profile itself; nil is handed on as the null object.
  ///
  /// - Throws: As ``setValue(_:forKey:)``, of the first value that cannot be set; those before it
  ///   stay set.
  /// - Note: Source `setValuesForKeysWithDictionary:`, NSKeyValueCoding.h.
  public func setValuesForKeys(_ values: [String: RuntimeValue]) throws(KeyValueError) {
    try setValuesForKeys(RuntimeValue.dictionary(values))
  }

  /// Sets each key of a dictionary object to its value, in the order of the dictionary. Otherwise as
  /// the form for a Swift dictionary.
  ///
  /// - Throws: Also `KeyValueError.Code.incompatible` for a value that is no dictionary.
  public func setValuesForKeys(_ dictionary: RuntimeValue) throws(KeyValueError) {
    let keys = (dictionary.entries ?? []).compactMap(\.key.string).joined(separator: ", ")
    try ask(keys) { kvc_set_values(id, dictionary.object?.id) }
  }
}
