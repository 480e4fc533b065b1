// Where a typed key path ends: the object that has the property, and the property's key.

internal import IsaKeyValue

extension KeyValueObservable {
  /// The end of a key path that is made of keys, or leads to one through constants.
  ///
  /// - Throws: `KeyValueError.Code.undefinedKey` if it is more than that;
  ///   `KeyValueError.Code.nilValue` if it leads to nothing.
  package func codedEnd<Value>(
    of keyPath: KeyPath<Self, Value>
  ) throws(KeyValueError) -> (object: KVObject, key: String) {
    try end(of: keyPath, else: .undefinedKey)
  }

  /// The same, for observing: `KeyValueError.Code.notObservable` in either case.
  func observedEnd<Value>(
    of keyPath: KeyPath<Self, Value>
  ) throws(KeyValueError) -> (object: KVObject, key: String) {
    try end(of: keyPath, else: .notObservable)
  }

  private func end<Value>(
    of keyPath: KeyPath<Self, Value>, else code: KeyValueError.Code
  ) throws(KeyValueError) -> (object: KVObject, key: String) {
    guard let keys = try foundKeys(of: keyPath) else {
      if let end = endBehindConstants(of: keyPath) { return end }
      throw KeyValueError(
        code, key: keyPath.text, className: className,
        reason: "\(keyPath.text) of \(Self.self) is neither a wrapped nor a declared property",
        cure: "wrap it with @Dynamic, or declare it in `keys`")
    }
    guard let dot = keys.lastIndex(of: ".") else { return (self, keys) }
    let path = String(keys[..<dot])
    guard let object = try value(forKeyPath: path) as? KVObject else {
      throw KeyValueError(
        code == .undefinedKey ? .nilValue : code, key: path, className: className,
        reason: "“\(path)” of \(Self.self) is nil, so that \(keyPath.text) leads to no object")
    }
    return (object, String(keys[keys.index(after: dot)...]))
  }

  /// The keys; nil for a key path that is made of more than keys.
  private func foundKeys<Value>(
    of keyPath: KeyPath<Self, Value>
  ) throws(KeyValueError) -> String? {
    _ = try observedID()
    if let key = registration?.followedKey(keyPath) { return key }
    do throws(KeyValueError) { return try keys(of: keyPath) ?? followedKeys(of: keyPath) } catch {
      if error.code == .notObservable { return nil }
      throw error
    }
  }

  /// The keys of a computed property, of an object that others lead to, that its class has declared.
  private func followedKeys(of keyPath: AnyKeyPath) -> String? {
    declaredEnd(of: keyPath, FindingProbe.follow(keyPath, from: self), isFollowed: true)
  }

  /// The end of a key path that leads through constants, which have no key.
  private func endBehindConstants(of keyPath: AnyKeyPath) -> (object: KVObject, key: String)? {
    let steps = keyPath.steps
    guard let properties = try? ClassRegistration.of(Self.self).properties(along: steps),
      properties.count == steps.count, case .key(let field, _)? = properties.last
    else { return nil }
    var object: KVObject = self
    for property in properties.dropLast() {
      guard let next = property.value(in: object) as? KVObject else { return nil }
      object = next
    }
    return (object, field.key)
  }
}

extension NamedProperty {
  fileprivate func value(in object: KVObject) -> Any? {
    switch self {
    case .key(let field, _): try? object.value(forKey: field.key)
    case .constant(let property): constantValue(of: object, property)
    }
  }
}
