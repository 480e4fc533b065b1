internal import CIsa

// MARK: - A value

extension RuntimeObject {
  /// Announces a change of `key`; ends with ``didChangeValue(forKey:)`` on the same thread. Such
  /// pairs may nest and interleave.
  ///
  /// - Throws: `KeyValueError` when memory is short; the change is then not
  ///   announced.
  public func willChangeValue(forKey key: String) throws(KeyValueError) {
    try ask(key) { kvo_will_change(id, key) }
  }

  /// Ends the latest change of `key` announced on this thread and tells the observers; without one
  /// it does nothing.
  ///
  /// - Throws: `KeyValueError.Code.wrongThread` if the change was announced on another
  ///   thread.
  public func didChangeValue(forKey key: String) throws(KeyValueError) {
    try ask(key) { kvo_did_change(id, key) }
  }

  /// Runs `body` between the announcement of a change of `key` and its end, however `body` ends.
  ///
  ///     try person.change("age") { try person.poke(ivar: "_age", 42) }
  ///
  /// When memory is too short to announce the change, `body` runs without.
  public func change<Result, Failure: Error>(
    _ key: String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let status = answered(key) { kvo_will_change(id, key) }.status
    defer { if status == ISA_OK { _ = withAnswers { kvo_did_change(id, key) } } }
    return try body()
  }
}

// MARK: - Elements in order

extension RuntimeObject {
  /// Announces an insertion, removal or replacement of elements of an ordered to-many key; ends
  /// with ``didChange(_:valuesAt:forKey:)``. `indexes` are the elements' indexes after an insertion,
  /// before a removal.
  ///
  /// - Throws: `KeyValueError` for the kind `setting` and when memory is short;
  ///   `KeyValueError` for a negative index. The change is then not announced.
  /// - Note: Source `willChange:valuesAtIndexes:forKey:`, NSKeyValueObserving.h.
  public func willChange(
    _ kind: ChangeKind, valuesAt indexes: [Int], forKey key: String
  ) throws(KeyValueError) {
    try ask(key) {
      withIndexSet(indexes) { kvo_will_change_indexes(id, kind.constant, $0, key) }
    }
  }

  /// Ends the change that ``willChange(_:valuesAt:forKey:)`` announced, and tells the observers.
  ///
  /// - Throws: `KeyValueError.Code.wrongThread`; `KeyValueError` if there
  ///   is nothing at an index: the observers are told nevertheless, without what cannot be read.
  public func didChange(
    _ kind: ChangeKind, valuesAt indexes: [Int], forKey key: String
  ) throws(KeyValueError) {
    try ask(key) {
      withIndexSet(indexes) { kvo_did_change_indexes(id, kind.constant, $0, key) }
    }
  }

  /// Runs `body` between the announcement of a change of elements and its end, however `body` ends.
  ///
  ///     try team.change("members", .insertion, at: [0]) { try roster.insert(ann, at: 0) }
  ///
  /// - Throws: As ``willChange(_:valuesAt:forKey:)``, and `body` does not run then; what `body`
  ///   throws; else as ``didChange(_:valuesAt:forKey:)``.
  public func change<Result>(
    _ key: String, _ kind: ChangeKind, at indexes: [Int], _ body: () throws -> Result
  ) throws -> Result {
    try willChange(kind, valuesAt: indexes, forKey: key)
    let result = Swift.Result(catching: body)
    let end = Swift.Result { () throws(KeyValueError) in
      try didChange(kind, valuesAt: indexes, forKey: key)
    }
    let value = try result.get()
    try end.get()
    return value
  }
}

// MARK: - Elements without order

extension RuntimeObject {
  /// Announces a change of an unordered to-many key by `objects`; ends with
  /// ``didChangeValue(forKey:withSetMutation:using:)``. Observers are told of the difference that
  /// it makes to the value at this moment.
  ///
  /// - Throws: `KeyValueError` when memory is short; the change is then not
  ///   announced.
  /// - Note: Source `willChangeValueForKey:withSetMutation:usingObjects:`, NSKeyValueObserving.h.
  public func willChangeValue(
    forKey key: String, withSetMutation mutation: SetMutation, using objects: [RuntimeValue]
  ) throws(KeyValueError) {
    let set = RuntimeValue.set(objects)
    try ask(key) {
      kvo_will_change_set(id, key, mutation.constant, set.object?.id)
    }
  }

  /// Ends the change that ``willChangeValue(forKey:withSetMutation:using:)`` announced, and tells
  /// the observers.
  ///
  /// - Throws: `KeyValueError.Code.wrongThread`.
  public func didChangeValue(
    forKey key: String, withSetMutation mutation: SetMutation, using objects: [RuntimeValue]
  ) throws(KeyValueError) {
    let set = RuntimeValue.set(objects)
    try ask(key) {
      kvo_did_change_set(id, key, mutation.constant, set.object?.id)
    }
  }

  /// Runs `body` between the announcement of a change by `objects` and its end, however `body`
  /// ends.
  ///
  ///     try page.change("tags", .union, with: ["new"]) { try tags.insert("new") }
  ///
  /// - Throws: As ``willChangeValue(forKey:withSetMutation:using:)``, and `body` does not run then;
  ///   what `body` throws; else as ``didChangeValue(forKey:withSetMutation:using:)``.
  public func change<Result>(
    _ key: String, _ mutation: SetMutation, with objects: [RuntimeValue],
    _ body: () throws -> Result
  ) throws -> Result {
    try willChangeValue(forKey: key, withSetMutation: mutation, using: objects)
    let result = Swift.Result(catching: body)
    let end = Swift.Result { () throws(KeyValueError) in
      try didChangeValue(forKey: key, withSetMutation: mutation, using: objects)
    }
    let value = try result.get()
    try end.get()
    return value
  }
}
