// The functions of which the module with Apple's names is made, and which nobody else needs: its
// own functions hide the throwing ones of the same names.

package import IsaRuntime

// MARK: - To-many keys

extension KVObject {
  /// The array for a key or at the end of a key path.
  package final func arrayProxy(atKeyPath path: String) throws(KeyValueError) -> MutableArrayProxy {
    try coded().mutableArrayValue(forKeyPath: path)
  }

  /// The set for a key or at the end of a key path.
  package final func setProxy(atKeyPath path: String) throws(KeyValueError) -> MutableSetProxy {
    try coded().mutableSetValue(forKeyPath: path)
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

extension KeyValueObservable {
  package func announce<Value>(willChange keyPath: KeyPath<Self, Value>) throws(KeyValueError) {
    try willChangeValue(for: keyPath)
  }

  package func announce<Value>(didChange keyPath: KeyPath<Self, Value>) throws(KeyValueError) {
    try didChangeValue(for: keyPath)
  }

  package func announce<Value>(
    will kind: ChangeKind, at indexes: [Int], _ keyPath: KeyPath<Self, Value>
  ) throws(KeyValueError) {
    try willChange(kind, valuesAt: indexes, for: keyPath)
  }

  package func announce<Value>(
    did kind: ChangeKind, at indexes: [Int], _ keyPath: KeyPath<Self, Value>
  ) throws(KeyValueError) {
    try didChange(kind, valuesAt: indexes, for: keyPath)
  }

  package func announce<Element>(
    will mutation: SetMutation, _ set: Set<Element>, _ keyPath: KeyPath<Self, Set<Element>>
  ) throws(KeyValueError) {
    try willChangeValue(for: keyPath, withSetMutation: mutation, using: set)
  }

  package func announce<Element>(
    did mutation: SetMutation, _ set: Set<Element>, _ keyPath: KeyPath<Self, Set<Element>>
  ) throws(KeyValueError) {
    try didChangeValue(for: keyPath, withSetMutation: mutation, using: set)
  }
}

// MARK: - Declarations of classes about key paths

extension KVObject {
  /// Asks, once for each class and key, what a class says of the properties that a key path leads
  /// through, and of those that it names in its answers.
  package final func ask(
    _ keyPath: AnyKeyPath,
    _ answer: (KVObject, AnyKeyPath) -> (affecting: Set<AnyKeyPath>, isAutomatic: Bool)?
  ) {
    guard (try? runtimeID()) != nil, let registration else { return }
    if let key = registration.knownKey(keyPath) {
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
      if let key = registration.knownKey(path) { return [key] }
      return KeyPathProbe.follow(path, from: self).paths(from: self)
    }
    registration.note(key, affectedBy: Set(paths).subtracting([key]), isAutomatic: isAutomatic)
    for path in affecting { ask(path, answer) }
  }
}
