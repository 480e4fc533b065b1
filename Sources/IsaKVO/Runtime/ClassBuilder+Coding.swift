extension ClassBuilder {
  /// Makes instances answer keys that neither an accessor nor an ivar stands for.
  ///
  ///     let bag = try ClassBuilder("Bag")
  ///       .undefinedKeys { bag, key in key == "size" ? 3 : nil }
  ///       .register().allocate()
  ///     try bag.value(forKey: "size")          // 3
  ///
  /// - Parameters:
  ///   - get: Takes the object and the key. Nil leaves the key to the superclass, which refuses it
  ///     unless it has such a method too; the object nil is `.nilObject`.
  ///   - set: Takes the object, the value and the key; false leaves the key to the superclass.
  /// - Throws: As ``method(_:_:_:)-(_,_,(MethodCall)->RuntimeValue)``.
  /// - Note: Source `valueForUndefinedKey:` and `setValue:forUndefinedKey:`, NSKeyValueCoding.h.
  @discardableResult
  public func undefinedKeys(
    get: @escaping @Sendable (RuntimeObject, String) -> RuntimeValue?,
    set: (@Sendable (RuntimeObject, RuntimeValue, String) -> Bool)? = nil
  ) throws(RuntimeError) -> ClassBuilder {
    try method("valueForUndefinedKey:", .readsKey, IsaKVO.method(reading: get))
    if let set {
      try method("setValue:forUndefinedKey:", .writesKey, IsaKVO.method(writing: set))
    }
    return self
  }

  /// Makes instances answer keys in their own way before any accessor or ivar is looked for.
  ///
  /// - Parameters:
  ///   - get: Takes the object and the key. Nil leaves the key to the superclass, which looks for
  ///     an accessor or ivar; the object nil is `.nilObject`.
  ///   - set: Takes the object, the value and the key; false leaves the key to the superclass.
  /// - Throws: As ``method(_:_:_:)-(_,_,(MethodCall)->RuntimeValue)``.
  /// - Note: Source `valueForKey:` and `setValue:forKey:`, NSKeyValueCoding.h.
  @discardableResult
  public func keys(
    get: @escaping @Sendable (RuntimeObject, String) -> RuntimeValue?,
    set: (@Sendable (RuntimeObject, RuntimeValue, String) -> Bool)? = nil
  ) throws(RuntimeError) -> ClassBuilder {
    try method("valueForKey:", .readsKey, IsaKVO.method(reading: get))
    if let set { try method("setValue:forKey:", .writesKey, IsaKVO.method(writing: set)) }
    return self
  }
}
