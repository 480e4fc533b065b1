internal import CIsa

// MARK: - Closures

extension RuntimeObject {
  /// Observes `keyPath` until the returned observation is invalidated or released.
  ///
  ///     let age = try person.observe("age", options: [.old, .new]) { change in
  ///       print(change.oldValue ?? "none", change.newValue ?? "none")
  ///     }
  ///
  /// - Parameters:
  ///   - keyPath: Keys joined by dots, such as `"address.city"`; at least one key.
  ///   - handler: Runs on the thread that set the value, before the setter returns.
  /// - Returns: The only owner of the observation; dropping it ends the observation.
  /// - Throws: ``ObservingError/notObservable(keyPath:)`` when a key has no accessor and no ivar;
  ///   ``ObservingError/invalidOptions(_:)``; ``ObservingError/runtime(_:)``.
  /// - Complexity: O(*n*) in the number of keys, plus one class pair for a class not observed
  ///   before.
  /// - Note: Source `addObserver(_:forKeyPath:options:context:)`; differences in docs/behaviour.md.
  public func observe(
    _ keyPath: String, options: ObservationOptions = [],
    handler: @escaping @Sendable (Change) -> Void
  ) throws(ObservingError) -> Observation {
    try observe(keyPath, options) { record, handle in
      handler(Change(record, keyPath: keyPath, ending: .closure(handle)))
    }
  }

  /// Observes `keyPath` with old and new as a Swift type, read where they stand.
  ///
  ///     let age = try person.observe("age", as: Int.self, options: [.old, .new]) { change in
  ///       print((change.newValue ?? 0) - (change.oldValue ?? 0))
  ///     }
  ///
  /// A value that is not of the type, nor can be converted to it, is left out of the change.
  ///
  /// - Parameter handler: Runs on the thread that set the value, before the setter returns.
  /// - Returns: The only owner of the observation; dropping it ends the observation.
  /// - Throws: As ``observe(_:options:handler:)``.
  @_specialize(where Value == Bool)
  @_specialize(where Value == Int)
  @_specialize(where Value == Int32)
  @_specialize(where Value == UInt)
  @_specialize(where Value == Float)
  @_specialize(where Value == Double)
  public func observe<Value: RuntimeConvertible>(
    _ keyPath: String, as type: Value.Type, options: ObservationOptions = [],
    handler: @escaping @Sendable (ValueChange<Value>) -> Void
  ) throws(ObservingError) -> Observation {
    // The usual types have code of their own, as the attributes say: the generic code looks up
    // metadata at each change, which costs more than all the rest.
    let reader = ValueReader<Value>()
    return try observe(keyPath, options) { record, handle in
      let old = reader.read(record.old_value)
      let new = reader.read(record.new_value)
      handler(ValueChange(record, old: old, new: new, handle: handle))
    }
  }

  private func observe(
    _ keyPath: String, _ options: ObservationOptions, _ deliver: @escaping ObserverBox.Handler
  ) throws(ObservingError) -> Observation {
    let first = keyPath.prefix { $0 != "." }
    guard knows(key: String(first)) else { throw .notObservable(keyPath: keyPath) }
    let (status, handle) = ObserverBox.register(deliver, on: id, keyPath, options)
    try ObservingError.check(status, keyPath: keyPath, isa.original.name, options: options)
    return Observation(handle)
  }
}

// MARK: - Observer objects

extension RuntimeObject {
  /// Registers `observer`, which is told by `observeValueForKeyPath:ofObject:change:context:`.
  ///
  /// The observer is held weakly (or strongly, by option), the observed object is not held. The
  /// same registration may be made again: it is then told twice and removed twice. A key that the
  /// class does not know is accepted.
  ///
  /// - Throws: ``ObservingError/invalidOptions(_:)``; ``ObservingError/notObservable(keyPath:)``
  ///   for a class or an object that does not descend from the root class;
  ///   ``ObservingError/coding(_:)`` if the initial notification has to carry a value and the key has
  ///   none;
  ///   ``ObservingError/runtime(_:)``.
  /// - Note: Source `addObserver:forKeyPath:options:context:`, NSKeyValueObserving.h.
  public func addObserver(
    _ observer: RuntimeObject, forKeyPath keyPath: String, options: ObservationOptions = [],
    context: ObservationContext = .none
  ) throws(ObservingError) {
    try ObservingError.check(
      kvo_add_observer(id, observer.id, keyPath, options.rawValue, context.pointer),
      keyPath: keyPath, isa.original.name, options: options)
  }

  /// Removes the latest registration of `observer` for `keyPath`, whatever its context.
  ///
  /// Once this has returned, the observer is not told any more on any thread.
  ///
  /// - Throws: ``ObservingError/notRegistered(keyPath:)``, and nothing changes.
  public func removeObserver(
    _ observer: RuntimeObject, forKeyPath keyPath: String
  ) throws(ObservingError) {
    try ObservingError.check(
      kvo_remove_observer(id, observer.id, keyPath), keyPath: keyPath, isa.original.name)
  }

  /// Removes the latest registration of `observer` for `keyPath` that has exactly this context.
  ///
  /// - Throws: ``ObservingError/notRegistered(keyPath:)``, and nothing changes.
  public func removeObserver(
    _ observer: RuntimeObject, forKeyPath keyPath: String, context: ObservationContext
  ) throws(ObservingError) {
    try ObservingError.check(
      kvo_remove_observer_context(id, observer.id, keyPath, context.pointer),
      keyPath: keyPath, isa.original.name)
  }
}

// MARK: - Manual notification

extension RuntimeObject {
  /// Announces a change of `key`; ends with ``didChangeValue(forKey:)`` on the same thread. Such
  /// pairs may nest and interleave.
  ///
  /// - Throws: ``ObservingError/runtime(_:)`` when memory is short; the change is then not
  ///   announced.
  public func willChangeValue(forKey key: String) throws(ObservingError) {
    try ObservingError.check(
      withAnswers { kvo_will_change(id, key) }, keyPath: key, isa.original.name)
  }

  /// Ends the latest change of `key` announced on this thread and tells the observers; without one
  /// it does nothing.
  ///
  /// - Throws: ``ObservingError/wrongThread(key:)`` if the change was announced on another thread.
  public func didChangeValue(forKey key: String) throws(ObservingError) {
    try ObservingError.check(
      withAnswers { kvo_did_change(id, key) }, keyPath: key, isa.original.name)
  }

  /// Runs `body` between the announcement of a change of `key` and its end, however `body` ends.
  ///
  ///     try person.change("age") { try person.poke(ivar: "_age", 42) }
  ///
  /// When memory is too short to announce the change, `body` runs without.
  public func change<Result, Failure: Error>(
    _ key: String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let status = kvo_will_change(id, key)
    defer { if status == ISA_OK { _ = kvo_did_change(id, key) } }
    return try body()
  }
}

// MARK: - Who observes

extension RuntimeObject {
  /// Whether anything is registered on the object.
  public var isObserved: Bool { kvo_is_observed(id) }

  /// What is registered on the object, in the order in which it was.
  public var registrations: [Registration] { copyRegistrations(of: id) }
}
