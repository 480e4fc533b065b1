// Changes announced by key path rather than by name.

public import IsaRuntime

// MARK: - A value

extension KeyValueObservable {
  /// Announces that a property is about to change; pair with ``didChangeValue(for:)`` on the same
  /// thread.
  ///
  /// - Parameter keyPath: A wrapped or declared property of this object, or of one that the key
  ///   path leads to at this moment.
  /// - Throws: `KeyValueError.Code.notObservable` for a key path to any other
  ///   property; `KeyValueError` if the class cannot be registered. The same of all
  ///   announcements.
  /// - Note: Source `willChangeValue(for:)` of Foundation's Swift overlay.
  @_disfavoredOverload
  public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) throws(KeyValueError) {
    let (object, key) = try observedEnd(of: keyPath)
    object.willChangeValue(forKey: key)
  }

  /// Ends the change that ``willChangeValue(for:)`` announced, and tells the observers.
  ///
  /// - Throws: As ``willChangeValue(for:)``.
  /// - Note: Source `didChangeValue(for:)` of Foundation's Swift overlay.
  @_disfavoredOverload
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) throws(KeyValueError) {
    let (object, key) = try observedEnd(of: keyPath)
    object.didChangeValue(forKey: key)
  }

  /// Runs `body` between the announcement of a change and its end, however `body` ends.
  ///
  ///     try account.withChange(of: \.balance) { store.balance = 7 }
  ///
  /// - Throws: As ``willChangeValue(for:)``, and `body` does not run then; what `body` throws.
  @discardableResult
  public func withChange<Value, Result>(
    of keyPath: KeyPath<Self, Value>, _ body: () throws -> Result
  ) throws -> Result {
    let (object, key) = try observedEnd(of: keyPath)
    object.willChangeValue(forKey: key)
    defer { object.didChangeValue(forKey: key) }
    return try body()
  }
}

// MARK: - Elements in order

extension KeyValueObservable {
  /// Announces that elements of an ordered collection are about to change; pair with
  /// ``didChange(_:valuesAt:for:)``.
  ///
  /// - Parameter indexes: Those of the elements after an insertion, before a removal.
  /// - Throws: As ``willChangeValue(for:)``.
  /// - Note: Source `willChange(_:valuesAt:for:)` of Foundation's Swift overlay.
  @_disfavoredOverload
  public func willChange<Value>(
    _ kind: ChangeKind, valuesAt indexes: [Int], for keyPath: KeyPath<Self, Value>
  ) throws(KeyValueError) {
    let (object, key) = try observedEnd(of: keyPath)
    object.willChange(kind, valuesAt: indexes, forKey: key)
  }

  /// Ends the change that ``willChange(_:valuesAt:for:)`` announced, and tells the observers.
  ///
  /// - Throws: As ``willChangeValue(for:)``.
  /// - Note: Source `didChange(_:valuesAt:for:)` of Foundation's Swift overlay.
  @_disfavoredOverload
  public func didChange<Value>(
    _ kind: ChangeKind, valuesAt indexes: [Int], for keyPath: KeyPath<Self, Value>
  ) throws(KeyValueError) {
    let (object, key) = try observedEnd(of: keyPath)
    object.didChange(kind, valuesAt: indexes, forKey: key)
  }

  /// Runs `body` between the announcement of a change of elements and its end, however `body` ends.
  ///
  ///     try team.withChange(of: \.members, .insertion, at: [0]) { roster.insert(ann, at: 0) }
  ///
  /// - Throws: As ``willChangeValue(for:)``, and `body` does not run then; what `body` throws.
  @discardableResult
  public func withChange<Value, Result>(
    of keyPath: KeyPath<Self, Value>, _ kind: ChangeKind, at indexes: [Int],
    _ body: () throws -> Result
  ) throws -> Result {
    let (object, key) = try observedEnd(of: keyPath)
    object.willChange(kind, valuesAt: indexes, forKey: key)
    defer { object.didChange(kind, valuesAt: indexes, forKey: key) }
    return try body()
  }
}

// MARK: - Elements without order

extension KeyValueObservable {
  /// Announces that a set is about to change by `elements`; pair with
  /// ``didChangeValue(for:withSetMutation:using:)``. Observers are told of the difference that it
  /// makes to the value at this moment.
  ///
  /// - Throws: As ``willChangeValue(for:)``.
  /// - Note: Source `willChangeValue(for:withSetMutation:using:)` of Foundation's Swift overlay.
  @_disfavoredOverload
  public func willChangeValue<Element>(
    for keyPath: KeyPath<Self, Set<Element>>, withSetMutation mutation: SetMutation,
    using elements: Set<Element>
  ) throws(KeyValueError) {
    let (object, key) = try observedEnd(of: keyPath)
    object.willChangeValue(
      forKey: key, withSetMutation: mutation, using: Set<AnyHashable>(elements))
  }

  /// Ends the change that ``willChangeValue(for:withSetMutation:using:)`` announced, and tells the
  /// observers.
  ///
  /// - Throws: As ``willChangeValue(for:)``.
  /// - Note: Source `didChangeValue(for:withSetMutation:using:)` of Foundation's Swift overlay.
  @_disfavoredOverload
  public func didChangeValue<Element>(
    for keyPath: KeyPath<Self, Set<Element>>, withSetMutation mutation: SetMutation,
    using elements: Set<Element>
  ) throws(KeyValueError) {
    let (object, key) = try observedEnd(of: keyPath)
    object.didChangeValue(
      forKey: key, withSetMutation: mutation, using: Set<AnyHashable>(elements))
  }

  /// Runs `body` between the announcement of a change by `elements` and its end, however `body`
  /// ends.
  ///
  ///     try page.withChange(of: \.tags, .union, by: ["new"]) { store.add("new") }
  ///
  /// - Throws: As ``willChangeValue(for:)``, and `body` does not run then; what `body` throws.
  @discardableResult
  public func withChange<Element, Result>(
    of keyPath: KeyPath<Self, Set<Element>>, _ mutation: SetMutation, by elements: Set<Element>,
    _ body: () throws -> Result
  ) throws -> Result {
    let (object, key) = try observedEnd(of: keyPath)
    let objects = Set<AnyHashable>(elements)
    object.willChangeValue(forKey: key, withSetMutation: mutation, using: objects)
    defer { object.didChangeValue(forKey: key, withSetMutation: mutation, using: objects) }
    return try body()
  }
}
