// Several keys that change as one.

internal import IsaKeyValue

extension KeyValueObservable {
  /// Announces that properties change together: no observer is told of one of them before all have
  /// changed.
  ///
  ///     list.withChanges(of: [\.rows, \.selection]) {
  ///       list.rows.removeLast()
  ///       list.selection = list.rows.count - 1
  ///     }
  ///
  /// Each observer is told once for each property that it observes, with the value from before
  /// `body` and the value behind it, also if `body` throws. A computed property is computed behind
  /// it, and told of once for each of the properties that it depends on. In `body` the wrapped ones
  /// among the properties are set without being announced one by one; all else is told as ever, and
  /// so is what is set by name or by a proxy.
  ///
  /// - Parameters:
  ///   - keyPaths: Wrapped or declared properties of this object, or of the objects that the key
  ///     paths lead to at this moment. Any other is a misuse, and not announced.
  ///   - file: The call's file, for the report of a misuse.
  ///   - line: The call's line.
  ///   - body: Sets the properties.
  /// - Throws: The error that `body` throws.
  @discardableResult
  public func withChanges<Result, Failure>(
    of keyPaths: [PartialKeyPath<Self>], file: StaticString = #fileID, line: UInt = #line,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let ends = keyPaths.compactMap { keyPath in
      endingMisuse(nil, file, line) { () throws(KeyValueError) -> ChangingKey? in
        let (object, key) = try observedEnd(partial: keyPath)
        return ChangingKey(object: object, key: key)
      }
    }
    return try changing(ends, body)
  }
}

extension KVObject {
  /// Announces that keys change together, as `withChanges(of:)` does properties: no observer is told of
  /// one of them before all have changed.
  ///
  /// A key without an accessor is announced as well.
  ///
  /// - Throws: The error that `body` throws.
  @discardableResult
  public final func withChanges<Result, Failure>(
    ofKeys keys: [String], _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try changing(keys.map { ChangingKey(object: self, key: $0) }, body)
  }
}

/// A key that is about to change.
private struct ChangingKey: Equatable {
  let object: KVObject
  let key: String

  static func == (first: Self, second: Self) -> Bool {
    first.object === second.object && first.key.isKey(second.key)
  }

  /// Where the property stands, if it is a wrapped one.
  var place: UInt? {
    guard let field = object.registration?.fieldsByKey[key], field.offset > 0 else { return nil }
    return object.scopeIdentity + UInt(field.offset)
  }
}

private func changing<Result, Failure>(
  _ keys: [ChangingKey], _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  // Twice the same key would be told twice.
  let keys = keys.enumerated().filter { !keys[..<$0.offset].contains($0.element) }.map(\.element)
  for item in keys { item.object.willChangeValue(forKey: item.key) }
  defer { for item in keys.reversed() { item.object.didChangeValue(forKey: item.key) } }
  return try DeliveryScope.with(covered: keys.compactMap(\.place), body)
}
