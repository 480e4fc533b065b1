extension KVObject {
  /// The value for `key` as a Swift type.
  ///
  ///     let age = try person.value(forKey: "age", as: Int.self)
  ///
  /// Numbers are converted as `NSNumber` does.
  ///
  /// - Throws: ``CodingError/undefinedKey(_:className:details:)``;
  ///   ``CodingError/incompatible(_:className:reason:details:)`` if the value is of another type.
  public func value<Value>(
    forKey key: String, as type: Value.Type
  ) throws(CodingError) -> Value {
    try typed(try value(forKey: key), key)
  }

  /// The value at the end of a key path as a Swift type.
  ///
  ///     let cities = try team.value(forKeyPath: "members.place.city", as: [String?].self)
  ///
  /// - Throws: As ``value(forKeyPath:)``; ``CodingError/incompatible(_:className:reason:details:)``
  ///   if the value is of another type.
  public func value<Value>(
    forKeyPath keyPath: String, as type: Value.Type
  ) throws(CodingError) -> Value {
    try typed(try value(forKeyPath: keyPath), keyPath)
  }

  private func typed<Value>(_ value: Any?, _ key: String) throws(CodingError) -> Value {
    if let typed = converted(value, to: Value.self) { return typed }
    throw .incompatible(
      key, className: registration?.name ?? "\(type(of: self))",
      reason: "expected a value of type \(Value.self), not \(describe(value))")
  }

  /// The value that may be set for a key instead of `value`, as ``validateValue(_:forKey:)`` has it.
  public func validated(_ value: Any?, forKey key: String) throws -> Any? {
    var value = value
    try validateValue(&value, forKey: key)
    return value
  }
}
