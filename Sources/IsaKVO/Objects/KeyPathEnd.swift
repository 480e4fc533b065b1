// Where a typed key path ends: the object that has the property, and the property's key.

extension KeyValueObservable {
  /// The end of a key path that is made of keys.
  ///
  /// - Throws: ``CodingError/undefinedKey(_:className:details:)`` if it is more than that;
  ///   ``CodingError/nilValue(_:className:details:)`` if it leads to nothing.
  func codedEnd<Value>(
    of keyPath: KeyPath<Self, Value>
  ) throws(CodingError) -> (object: KVObject, key: String) {
    let found: String?
    do throws(ObservingError) { found = try keys(of: keyPath) } catch {
      let failure: ObservingError = error
      if case .runtime(let cause) = failure { throw .runtime(cause) }
      found = nil
    }
    guard let keys = found else { throw undefined(keyPath) }
    guard let dot = keys.lastIndex(of: ".") else { return (self, keys) }
    let path = String(keys[..<dot])
    guard let object = try value(forKeyPath: path) as? KVObject else {
      throw .nilValue(path, className: "\(Self.self)")
    }
    return (object, String(keys[keys.index(after: dot)...]))
  }

  /// The same, for observing.
  func observedEnd<Value>(
    of keyPath: KeyPath<Self, Value>
  ) throws(ObservingError) -> (object: KVObject, key: String) {
    do throws(CodingError) { return try codedEnd(of: keyPath) } catch {
      let failure: CodingError = error
      if case .runtime(let cause) = failure { throw .runtime(cause) }
      throw .notObservable(
        keyPath: "\(keyPath)",
        details: ErrorDetails(
          exceptionName: "NSInvalidArgumentException", reason: failure.reason))
    }
  }

  private func undefined(_ keyPath: AnyKeyPath) -> CodingError {
    .undefinedKey(
      "\(keyPath)", className: "\(Self.self)",
      details: ErrorDetails(
        exceptionName: "NSUnknownKeyException",
        reason: "\(keyPath) of \(Self.self) is neither a wrapped nor a declared property"))
  }
}
