// What the module with Apple's names is made of, and nobody else needs.

// MARK: - Key-value coding

extension KVObject {
  /// The value at the end of a key path.
  package final func codedValue(atKeyPath keyPath: String) throws(CodingError) -> Any? {
    try codedObject().value(forKeyPath: keyPath).any
  }

  /// Sets the value at the end of a key path.
  package final func setCodedValue(_ value: Any?, atKeyPath keyPath: String) throws(CodingError) {
    try codedObject().setValue(RuntimeValue(any: value), forKeyPath: keyPath)
  }

  /// The values for the keys; nil where one is nil.
  package final func codedValues(forKeys keys: [String]) throws(CodingError) -> [String: Any?] {
    var values: [String: Any?] = [:]
    for key in keys { values[key] = .some(try value(forKey: key)) }
    return values
  }

  /// Sets each key to its value, in the order of the keys' names.
  package final func setCodedValues(_ values: [String: Any?]) throws(CodingError) {
    for (key, value) in values.sorted(by: { $0.key < $1.key }) { try setValue(value, forKey: key) }
  }

  /// The array for a key or at the end of a key path.
  package final func arrayProxy(atKeyPath path: String) throws(CodingError) -> MutableArrayProxy {
    try codedObject().mutableArrayValue(forKeyPath: path)
  }

  /// The set for a key or at the end of a key path.
  package final func setProxy(atKeyPath path: String) throws(CodingError) -> MutableSetProxy {
    try codedObject().mutableSetValue(forKeyPath: path)
  }

  private func codedObject() throws(CodingError) -> RuntimeObject {
    RuntimeObject(retaining: try codedID())
  }
}

extension RuntimeValue {
  /// The value that stands for a Swift value of any type.
  package init(any value: Any?) {
    let id = copyObject(value)
    self.init(id.map { RuntimeObject(adopting: $0) })
  }

  /// The Swift value; nil for nil.
  package var any: Any? { (try? boxedObject()).flatMap { IsaKVO.anyValue($0.id) } }
}

// MARK: - Announcing changes

extension KVObject {
  /// Announces a change of an unordered to-many key.
  package final func willChange(
    _ key: String, _ mutation: SetMutation, _ objects: [Any]
  ) throws(ObservingError) {
    let object = RuntimeObject(retaining: try observedID())
    try object.willChangeValue(
      forKey: key, withSetMutation: mutation, using: objects.map { RuntimeValue(any: $0) })
  }

  /// Ends a change of an unordered to-many key.
  package final func didChange(
    _ key: String, _ mutation: SetMutation, _ objects: [Any]
  ) throws(ObservingError) {
    let object = RuntimeObject(retaining: try observedID())
    try object.didChangeValue(
      forKey: key, withSetMutation: mutation, using: objects.map { RuntimeValue(any: $0) })
  }
}

// MARK: - What classes say of key paths

extension KVObject {
  /// Asks, once for each class and key, what a class says of the properties that a key path leads
  /// through, and of those that it names in its answers.
  package final func ask(
    _ keyPath: AnyKeyPath,
    _ answer: (KVObject, AnyKeyPath) -> (affecting: Set<AnyKeyPath>, isAutomatic: Bool)?
  ) {
    guard (try? runtimeID()) != nil, let registration else { return }
    if let key = registration.declaredKey(keyPath) {
      return note(key, keyPath, registration, answer)
    }
    let reads = KeyPathProbe.follow(keyPath, from: self)
    if reads.count == 1, let read = reads.first, read.object === self {
      return note(read.field.key, keyPath, registration, answer)
    }
    for read in reads {
      guard let registration = read.object.registration else { continue }
      read.object.note(read.field.key, read.keyPath, registration, answer)
    }
  }

  private func note(
    _ key: String, _ keyPath: AnyKeyPath, _ registration: ClassRegistration,
    _ answer: (KVObject, AnyKeyPath) -> (affecting: Set<AnyKeyPath>, isAutomatic: Bool)?
  ) {
    guard registration.isNew(key) else { return }
    guard let (affecting, isAutomatic) = answer(self, keyPath) else { return }
    let paths = affecting.flatMap { path -> [String] in
      if let key = registration.declaredKey(path) { return [key] }
      return KeyPathProbe.follow(path, from: self).paths(from: self)
    }
    registration.note(key, affectedBy: Set(paths).subtracting([key]), isAutomatic: isAutomatic)
    for path in affecting { ask(path, answer) }
  }

  /// Puts the changes that observers of this one's class are told into another form.
  package final func setChangeForm(_ form: @escaping ChangeForm) {
    guard (try? runtimeID()) != nil else { return }
    registration?.changeForm.withLock { $0 = form }
  }
}
