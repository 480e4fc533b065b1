// Changes announced by key path rather than by name.

public import IsaKeyValue

extension KeyValueObservable {
  /// The end of a key path whose change is announced; nil, and a misuse, if it is not one of keys.
  private func announced<Value>(
    _ keyPath: KeyPath<Self, Value>, _ file: StaticString, _ line: UInt
  ) -> (object: KVObject, key: String)? {
    endingMisuse(nil, file, line) { () throws(KeyValueError) in try observedEnd(of: keyPath) }
  }
}

// MARK: - A value

extension KeyValueObservable {
  /// Announces that a property is about to change; pair with ``didChangeValue(for:file:line:)`` on the same
  /// thread.
  ///
  /// - Parameters:
  ///   - keyPath: A wrapped or declared property of this object, or of an object that the key path
  ///     leads to at this moment. Any other is a misuse, and nothing is announced, here as in all
  ///     announcements.
  ///   - file: The call's file, for the report of a misuse.
  ///   - line: The call's line.
  /// - Note: Source `willChangeValue(for:)` of Foundation's Swift overlay.
  public func willChangeValue<Value>(
    for keyPath: KeyPath<Self, Value>, file: StaticString = #fileID, line: UInt = #line
  ) {
    guard let (object, key) = announced(keyPath, file, line) else { return }
    object.willChangeValue(forKey: key)
  }

  /// Ends the change that ``willChangeValue(for:file:line:)`` announced, and tells the observers.
  ///
  /// - Note: Source `didChangeValue(for:)` of Foundation's Swift overlay.
  public func didChangeValue<Value>(
    for keyPath: KeyPath<Self, Value>, file: StaticString = #fileID, line: UInt = #line
  ) {
    guard let (object, key) = announced(keyPath, file, line) else { return }
    object.didChangeValue(forKey: key)
  }

  /// Runs `body` between the announcement of a change and its end, however `body` ends. It runs too
  /// where the key path is a misuse.
  ///
  ///     account.withChange(of: \.balance) { store.balance = 7 }
  ///
  /// - Throws: The error that `body` throws.
  @discardableResult
  public func withChange<Value, Result, Failure>(
    of keyPath: KeyPath<Self, Value>,
    file: StaticString = #fileID, line: UInt = #line, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let (object, key) = announced(keyPath, file, line) else { return try body() }
    object.willChangeValue(forKey: key)
    defer { object.didChangeValue(forKey: key) }
    return try body()
  }
}

// MARK: - Elements in order

extension KeyValueObservable {
  /// Announces that elements of an ordered collection are about to change; pair with
  /// ``didChange(_:valuesAt:for:file:line:)``. `indexes` are the elements' indexes after an insertion,
  /// before a removal.
  ///
  /// - Note: Source `willChange(_:valuesAt:for:)` of Foundation's Swift overlay.
  public func willChange<Value>(
    _ kind: ChangeKind, valuesAt indexes: some Sequence<Int>, for keyPath: KeyPath<Self, Value>,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    guard let (object, key) = announced(keyPath, file, line) else { return }
    object.willChange(kind, valuesAt: Array(indexes), forKey: key)
  }

  /// Ends the change that ``willChange(_:valuesAt:for:file:line:)`` announced, and tells the observers.
  ///
  /// - Note: Source `didChange(_:valuesAt:for:)` of Foundation's Swift overlay.
  public func didChange<Value>(
    _ kind: ChangeKind, valuesAt indexes: some Sequence<Int>, for keyPath: KeyPath<Self, Value>,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    guard let (object, key) = announced(keyPath, file, line) else { return }
    object.didChange(kind, valuesAt: Array(indexes), forKey: key)
  }

  /// Runs `body` between the announcement of a change of elements and its end, however `body` ends.
  ///
  ///     team.withChange(of: \.members, .insertion, at: [0]) { roster.insert(ann, at: 0) }
  ///
  /// - Throws: The error that `body` throws.
  @discardableResult
  public func withChange<Value, Result, Failure>(
    of keyPath: KeyPath<Self, Value>, _ kind: ChangeKind, at indexes: [Int],
    file: StaticString = #fileID, line: UInt = #line, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let (object, key) = announced(keyPath, file, line) else { return try body() }
    object.willChange(kind, valuesAt: Array(indexes), forKey: key)
    defer { object.didChange(kind, valuesAt: Array(indexes), forKey: key) }
    return try body()
  }
}

// MARK: - Elements without order

extension KeyValueObservable {
  /// Announces that a set is about to change by `elements`; pair with
  /// ``didChangeValue(for:withSetMutation:using:file:line:)-(KeyPath<Self,Set<Element>>,_,_,_,_)``.
  /// Observers are told of the difference that it makes to the value at this moment.
  ///
  /// - Note: Source `willChangeValue(for:withSetMutation:using:)` of Foundation's Swift overlay.
  public func willChangeValue<Element>(
    for keyPath: KeyPath<Self, Set<Element>>, withSetMutation mutation: SetMutation,
    using elements: Set<Element>, file: StaticString = #fileID, line: UInt = #line
  ) {
    willChange(keyPath, mutation, elements, file, line)
  }

  /// The same for a property that may have no set.
  public func willChangeValue<Element>(
    for keyPath: KeyPath<Self, Set<Element>?>, withSetMutation mutation: SetMutation,
    using elements: Set<Element>, file: StaticString = #fileID, line: UInt = #line
  ) {
    willChange(keyPath, mutation, elements, file, line)
  }

  /// Ends the change that
  /// ``willChangeValue(for:withSetMutation:using:file:line:)-(KeyPath<Self,Set<Element>>,_,_,_,_)``
  /// announced, and tells the observers.
  ///
  /// - Note: Source `didChangeValue(for:withSetMutation:using:)` of Foundation's Swift overlay.
  public func didChangeValue<Element>(
    for keyPath: KeyPath<Self, Set<Element>>, withSetMutation mutation: SetMutation,
    using elements: Set<Element>, file: StaticString = #fileID, line: UInt = #line
  ) {
    didChange(keyPath, mutation, elements, file, line)
  }

  /// The same for a property that may have no set.
  public func didChangeValue<Element>(
    for keyPath: KeyPath<Self, Set<Element>?>, withSetMutation mutation: SetMutation,
    using elements: Set<Element>, file: StaticString = #fileID, line: UInt = #line
  ) {
    didChange(keyPath, mutation, elements, file, line)
  }

  /// Runs `body` between the announcement of a change by `elements` and its end, however `body`
  /// ends.
  ///
  ///     page.withChange(of: \.tags, .union, by: ["new"]) { store.add("new") }
  ///
  /// - Throws: The error that `body` throws.
  @discardableResult
  public func withChange<Element, Result, Failure>(
    of keyPath: KeyPath<Self, Set<Element>>, _ mutation: SetMutation, by elements: Set<Element>,
    file: StaticString = #fileID, line: UInt = #line, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try change(keyPath, mutation, elements, file, line, body)
  }

  /// The same for a property that may have no set.
  @discardableResult
  public func withChange<Element, Result, Failure>(
    of keyPath: KeyPath<Self, Set<Element>?>, _ mutation: SetMutation, by elements: Set<Element>,
    file: StaticString = #fileID, line: UInt = #line, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try change(keyPath, mutation, elements, file, line, body)
  }

  private func willChange<Value, Element>(
    _ keyPath: KeyPath<Self, Value>, _ mutation: SetMutation, _ elements: Set<Element>,
    _ file: StaticString, _ line: UInt
  ) {
    guard let (object, key) = announced(keyPath, file, line) else { return }
    object.willChangeValue(
      forKey: key, withSetMutation: mutation, using: Set<AnyHashable>(elements))
  }

  private func didChange<Value, Element>(
    _ keyPath: KeyPath<Self, Value>, _ mutation: SetMutation, _ elements: Set<Element>,
    _ file: StaticString, _ line: UInt
  ) {
    guard let (object, key) = announced(keyPath, file, line) else { return }
    object.didChangeValue(
      forKey: key, withSetMutation: mutation, using: Set<AnyHashable>(elements))
  }

  private func change<Value, Element, Result, Failure>(
    _ keyPath: KeyPath<Self, Value>, _ mutation: SetMutation, _ elements: Set<Element>,
    _ file: StaticString, _ line: UInt, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let (object, key) = announced(keyPath, file, line) else { return try body() }
    let objects = Set<AnyHashable>(elements)
    object.willChangeValue(forKey: key, withSetMutation: mutation, using: objects)
    defer { object.didChangeValue(forKey: key, withSetMutation: mutation, using: objects) }
    return try body()
  }
}
