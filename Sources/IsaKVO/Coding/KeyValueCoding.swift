internal import CIsa

extension RuntimeObject {
  /// The value for `key`, as the message `valueForKey:` answers.
  ///
  /// - Returns: A boxed number or struct comes as the value inside.
  /// - Throws: ``CodingError/undefinedKey(_:className:)``;
  ///   ``CodingError/incompatible(_:className:reason:)`` for a type that KVC does not box, such as
  ///   a pointer; ``get(_:as:)`` reads those too.
  /// - Note: Source `valueForKey:`, NSKeyValueCoding.h.
  public func value(forKey key: String) throws(CodingError) -> RuntimeValue {
    var box: isa_id?
    try CodingError.check(
      withAnswers { kvc_copy_value(id, key, &box) }, key: key, isa.original.name)
    defer { isa_object_release(box) }
    return RuntimeValue(unboxing: box)
  }

  /// Sets the value for `key`, as the message `setValue:forKey:` does: by a setter, else in the
  /// ivar.
  ///
  /// Numbers are converted to the key's number type; nil for a key that is not an object sends
  /// `setNilValueForKey:`.
  ///
  /// - Throws: ``CodingError/undefinedKey(_:className:)``; ``CodingError/nilValue(_:className:)``;
  ///   ``CodingError/incompatible(_:className:reason:)``.
  /// - Note: Source `setValue:forKey:`, NSKeyValueCoding.h.
  public func setValue(_ value: RuntimeValue, forKey key: String) throws(CodingError) {
    let box = try boxed(value, for: key)
    defer { isa_object_release(box) }
    try CodingError.check(withAnswers { kvc_set_value(id, key, box) }, key: key, isa.original.name)
  }

  /// The value for `key`, read without boxing, whatever its type.
  ///
  /// - Throws: ``CodingError/undefinedKey(_:className:)``; ``CodingError/runtime(_:)``.
  public func get(_ key: String) throws(CodingError) -> RuntimeValue {
    try read(key)
  }

  /// The value for `key` as a Swift type.
  ///
  ///     let age = try person.get("age", as: Int.self)
  ///
  /// - Throws: ``CodingError/undefinedKey(_:className:)``;
  ///   ``CodingError/incompatible(_:className:reason:)`` if the value is of another kind, or too
  ///   large.
  public func get<Value: RuntimeConvertible>(
    _ key: String, as type: Value.Type = Value.self
  ) throws(CodingError) -> Value {
    let value = try get(key)
    if let converted = Value(runtimeValue: value) { return converted }
    let reason = "\(value), a “\(value.encoding)”, is no \(Value.self)"
    throw .incompatible(key, className: isa.original.name, reason: reason)
  }

  /// Sets the value for `key` without boxing it, whatever its type.
  ///
  ///     try person.set("age", 41)
  ///
  /// - Throws: As ``setValue(_:forKey:)``.
  public func set(_ key: String, _ value: RuntimeValue) throws(CodingError) {
    try CodingError.check(write(value, key), key: key, isa.original.name)
  }

  /// Sets the value for `key` from a Swift value.
  ///
  /// - Throws: As ``setValue(_:forKey:)``.
  @_disfavoredOverload
  public func set(_ key: String, _ value: some RuntimeConvertible) throws(CodingError) {
    try set(key, value.runtimeValue)
  }
}

extension RuntimeObject {
  /// Whether the class knows `key`: by an accessor, an ivar that may be accessed, or a method of
  /// its own for any or for undefined keys.
  func knows(key: String) -> Bool {
    guard let first = key.first else { return false }
    let capital = first.uppercased() + key.dropFirst()
    let accessors = [
      key, "get\(capital)", "is\(capital)", "_\(key)", "_get\(capital)",
      "set\(capital):", "_set\(capital):", "setIs\(capital):",
    ]
    if accessors.contains(where: { answers($0) }) { return true }
    if overrides("valueForKey:") || overrides("valueForUndefinedKey:") { return true }
    let ivars = ["_\(key)", "_is\(capital)", key, "is\(capital)"]
    return accessesIvars && ivars.contains { isa_class_find_ivar(isa.cls, $0) != nil }
  }

  private func answers(_ name: String) -> Bool {
    isa_sel_find(name).map { isa_object_responds_to(id, $0) } ?? false
  }

  private func overrides(_ selector: Selector) -> Bool {
    isa.implementation(of: selector) != RuntimeClass.root.implementation(of: selector)
  }

  private var accessesIvars: Bool {
    let answer = try? isa.original.object.send("accessInstanceVariablesDirectly")
    return answer?.bool ?? true
  }
}
