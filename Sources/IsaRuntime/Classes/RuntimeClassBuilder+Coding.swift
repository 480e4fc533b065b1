extension RuntimeClassBuilder {
  /// Makes instances answer keys that neither an accessor nor an ivar stands for.
  ///
  ///     let bag = try RuntimeClassBuilder("Bag")
  ///       .undefinedKeys { bag, key in key == "size" ? 3 : nil }
  ///       .register().allocate()
  ///     try bag.value(forKey: "size")          // 3
  ///
  /// - Parameters:
  ///   - get: Takes the object and the key. Nil leaves the key to the superclass, which refuses it
  ///     unless it has such a method too; the object nil is `.nilObject`.
  ///   - set: Takes the object, the value and the key; false leaves the key to the superclass.
  /// - Throws: As ``method(_:_:_:)-(_,_,(RuntimeMethodCall)->RuntimeValue)``.
  /// - Note: Source `valueForUndefinedKey:` and `setValue:forUndefinedKey:`, NSKeyValueCoding.h.
  @discardableResult
  public func undefinedKeys(
    get: @escaping @Sendable (RuntimeObject, String) -> RuntimeValue?,
    set: (@Sendable (RuntimeObject, RuntimeValue, String) -> Bool)? = nil
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    try method("valueForUndefinedKey:", .readsKey, IsaRuntime.method(reading: get))
    if let set {
      try method("setValue:forUndefinedKey:", .writesKey, IsaRuntime.method(writing: set))
    }
    return self
  }

  /// Makes instances say what nil sets for a key that cannot be nil.
  ///
  /// - Parameter set: Takes the object and the key; false leaves the key to the superclass, which
  ///   refuses it.
  /// - Throws: As ``method(_:_:_:)-(_,_,(RuntimeMethodCall)->RuntimeValue)``.
  /// - Note: Source `setNilValueForKey:`, NSKeyValueCoding.h.
  @discardableResult
  public func nilValues(
    set: @escaping @Sendable (RuntimeObject, String) -> Bool
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    try method("setNilValueForKey:", "i@:*", IsaRuntime.method(settingNil: set))
  }

  /// Makes instances answer keys in their own way before any accessor or ivar is looked for.
  ///
  /// - Parameters:
  ///   - get: Takes the object and the key. Nil leaves the key to the superclass, which looks for
  ///     an accessor or ivar; the object nil is `.nilObject`.
  ///   - set: Takes the object, the value and the key; false leaves the key to the superclass.
  /// - Throws: As ``method(_:_:_:)-(_,_,(RuntimeMethodCall)->RuntimeValue)``.
  /// - Note: Source `valueForKey:` and `setValue:forKey:`, NSKeyValueCoding.h.
  @discardableResult
  public func keys(
    get: @escaping @Sendable (RuntimeObject, String) -> RuntimeValue?,
    set: (@Sendable (RuntimeObject, RuntimeValue, String) -> Bool)? = nil
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    try method("valueForKey:", .readsKey, IsaRuntime.method(reading: get))
    if let set { try method("setValue:forKey:", .writesKey, IsaRuntime.method(writing: set)) }
    return self
  }

  /// Gives the class a validator of `key`, which ``RuntimeObject/validateValue(_:forKey:)`` asks.
  ///
  ///     try RuntimeClassBuilder("Person").property("age", .int64)
  ///       .validator("age") { person, value in
  ///         guard let age = value.int, age >= 0 else { throw AgeError.negative }
  ///         value = RuntimeValue(min(age, 150))
  ///       }
  ///
  /// `validate` takes the object and the value, which it may replace. Throwing refuses the value, and
  /// the error's text becomes the cause.
  ///
  /// - Throws: As ``method(_:_:_:)-(_,_,(RuntimeMethodCall)->RuntimeValue)``.
  /// - Note: Source `validate<Key>:error:`, NSKeyValueCoding.h.
  @discardableResult
  public func validator(
    _ key: String,
    _ validate: @escaping @Sendable (RuntimeObject, inout RuntimeValue) throws -> Void
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    let selector = RuntimeSelector("validate\(key.asNamePart):error:")
    return try method(selector, "B@:^@^@", IsaRuntime.method(validating: validate))
  }

  /// Says whether keys may be read and set in the ivars of instances where there is no accessor;
  /// they may, unless said otherwise.
  ///
  /// - Throws: As ``method(_:_:_:)-(_,_,(RuntimeMethodCall)->RuntimeValue)``.
  /// - Note: Source `accessInstanceVariablesDirectly`, NSKeyValueCoding.h.
  @discardableResult
  public func accessesIvars(_ accesses: Bool) throws(KeyValueError) -> RuntimeClassBuilder {
    try classMethod("accessInstanceVariablesDirectly", "B@:") { _ in RuntimeValue(accesses) }
  }
}
