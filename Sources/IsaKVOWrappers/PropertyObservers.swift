public import IsaKVO
internal import IsaKeyValue

/// The closures that an object's properties have, kept by the object itself.
final class PropertyObservers: Sendable {
  private let observations = Locked<[PathName: [KeyValueObservation]]>([:])

  func add(_ observation: KeyValueObservation, _ path: PathName) {
    let ended = observations.withLock { observations in
      let known = observations[path] ?? []
      observations[path] = known.filter { $0.isValid } + [observation]
      return known
    }
    withExtendedLifetime(ended) {}
  }

  func remove(_ path: PathName) {
    let removed = observations.withLock { $0.removeValue(forKey: path) }
    removed?.forEach { $0.invalidate() }
  }

  func removeAll() {
    let removed = observations.withLock { observations in
      defer { observations = [:] }
      return observations.values.flatMap { $0 }
    }
    removed.forEach { $0.invalidate() }
  }
}

extension KeyValueObservable {
  /// Calls a closure when a property changes, for as long as the object lives.
  ///
  ///     person.observeProperty(\.age) { person, old, new in print(old, new) }
  ///
  /// There is nothing to keep and nothing to end, though `unobserveProperty(_:)` does. A property
  /// may have any number of closures; each ends with its own object only.
  ///
  /// The closure is handed the object; if it captured it, the object would never go. An element change
  /// hands over the elements that went and the elements that came.
  public func observeProperty<Value>(
    _ keyPath: KeyPath<Self, Value>,
    changed: @escaping (_ object: Self, _ old: Value, _ new: Value) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    keep(keyPath, file, line) { () throws(KeyValueError) in
      try register(keyPath, [.old, .new]) { object, change in notify(object, change, changed) }
    }
  }

  /// Calls a closure when a property changes, for as long as both the object and `owner` live.
  ///
  ///     person.observeProperty(\.age, owner: self) { view, person, old, new in … }
  ///
  /// The owner is held weakly, and handed to the closure.
  public func observeProperty<Value, Owner: AnyObject>(
    _ keyPath: KeyPath<Self, Value>, owner: Owner,
    changed: @escaping (_ owner: Owner, _ object: Self, _ old: Value, _ new: Value) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    keep(keyPath, file, line) { () throws(KeyValueError) in
      try register(keyPath, [.old, .new], until: owner) { owner, object, change in
        notify(object, change) { changed(owner, $0, $1, $2) }
      }
    }
  }

  /// Keeps what observes a property, unless it is a misuse.
  private func keep<Value>(
    _ keyPath: KeyPath<Self, Value>, _ file: StaticString, _ line: UInt,
    _ register: () throws(KeyValueError) -> any RegistrationControl
  ) {
    endingMisuse((), file, line) { () throws(KeyValueError) in
      let path = try name(of: keyPath)
      let observation = KeyValueObservation(try register())
      try kept(PropertyObservers.init).add(observation, path)
    }
  }

  /// Ends all closures of one of the object's properties; nothing happens if there are none.
  public func unobserveProperty<Value>(_ keyPath: KeyPath<Self, Value>) {
    // A key path without a name cannot have been observed.
    guard let path = try? name(of: keyPath) else { return }
    try? kept(PropertyObservers.init).remove(path)
  }

  /// Ends all closures of the object's properties, not closures of other objects.
  public func unobserveProperties() { try? kept(PropertyObservers.init).removeAll() }
}

/// Tells both values, if there are both.
private func notify<Root, Value>(
  _ object: Root, _ change: ValueChange<Value>, _ changed: (Root, Value, Value) -> Void
) {
  guard let old = change.oldValue, let new = change.newValue else { return }
  changed(object, old, new)
}
