extension RuntimeClassBuilder {
  /// Declares that key paths affect `key`: its observers are told when one of them changes.
  ///
  ///     try RuntimeClassBuilder("Person")
  ///       .property("first", .object).property("last", .object)
  ///       .method("full", "@@:") { call in fullName(call.receiver) }
  ///       .key("full", affectedBy: ["first", "last"])
  ///
  /// - Throws: As ``method(_:_:_:)-(_,_,(RuntimeMethodCall)->RuntimeValue)``.
  /// - Note: Source `keyPathsForValuesAffecting<Key>`, NSKeyValueObserving.h.
  @discardableResult
  public func key(
    _ key: String, affectedBy keyPaths: Set<String>
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    try self.key(key, affectedBy: keyPaths.sorted())
  }

  /// Declares the key paths that affect `key`, which are observed in this order.
  ///
  /// - Throws: As ``method(_:_:_:)-(_,_,(RuntimeMethodCall)->RuntimeValue)``.
  @discardableResult
  public func key(
    _ key: String, affectedBy keyPaths: [String]
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    try classMethod(
      RuntimeSelector("keyPathsForValuesAffecting\(key.asNamePart)"), .asksKeyPaths,
      IsaRuntime.method(answeringInOrder: { _ in keyPaths }))
  }

  /// Declares what affects `key` by a closure, which is asked when the key is observed. It takes the
  /// class that is asked.
  ///
  /// - Throws: As ``method(_:_:_:)-(_,_,(RuntimeMethodCall)->RuntimeValue)``.
  @discardableResult
  public func key(
    _ key: String, affectedBy keyPaths: @escaping @Sendable (RuntimeClass) -> Set<String>
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    try classMethod(
      RuntimeSelector("keyPathsForValuesAffecting\(key.asNamePart)"), .asksKeyPaths,
      IsaRuntime.method(answeringInOrder: { keyPaths($0).sorted() }))
  }

  /// Declares what affects any key by a closure.
  ///
  ///     .keyPathsForValuesAffecting { _, key, inherited in
  ///       key == "total" ? inherited.union(["price", "count"]) : inherited
  ///     }
  ///
  /// - Parameter keyPaths: Takes the class that is asked, the key, and what the superclass answers,
  ///   which comes of ``key(_:affectedBy:)-(_,Set<String>)`` and of
  ///   ``RuntimeClass/setKeys(_:triggering:)``.
  /// - Throws: As ``method(_:_:_:)-(_,_,(RuntimeMethodCall)->RuntimeValue)``.
  /// - Note: Source `keyPathsForValuesAffectingValueForKey:`, NSKeyValueObserving.h.
  @discardableResult
  public func keyPathsForValuesAffecting(
    _ keyPaths: @escaping @Sendable (RuntimeClass, String, Set<String>) -> Set<String>
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    try classMethod(
      "keyPathsForValuesAffectingValueForKey:", .asksKeyPathsOfKey,
      IsaRuntime.method(answering: keyPaths))
  }

  /// Declares that `keys` affect `dependentKey`, as ``RuntimeClass/setKeys(_:triggering:)``.
  @discardableResult
  public func setKeys(
    _ keys: [String], triggering dependentKey: String
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    try runtimeClass.setKeys(keys, triggering: dependentKey)
    return self
  }

  /// Says whether setting `key` notifies by itself; it does, unless said otherwise.
  ///
  /// - Throws: As ``method(_:_:_:)-(_,_,(RuntimeMethodCall)->RuntimeValue)``.
  /// - Note: Source `automaticallyNotifiesObserversOf<Key>`, NSKeyValueObserving.h.
  @discardableResult
  public func automaticallyNotifies(
    _ key: String, _ notifies: Bool
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    let selector = RuntimeSelector("automaticallyNotifiesObserversOf\(key.asNamePart)")
    return try classMethod(selector, "B@:") { _ in RuntimeValue(notifies) }
  }

  /// Says for any key whether setting it notifies by itself.
  ///
  /// - Parameter notifies: Takes the key; nil leaves it to the superclass.
  /// - Throws: As ``method(_:_:_:)-(_,_,(RuntimeMethodCall)->RuntimeValue)``.
  /// - Note: Source `automaticallyNotifiesObserversForKey:`, NSKeyValueObserving.h.
  @discardableResult
  public func automaticallyNotifies(
    _ notifies: @escaping @Sendable (String) -> Bool?
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    try classMethod("automaticallyNotifiesObserversForKey:", "B@:*") { call in
      if let answer = call.arguments[0].string.flatMap(notifies) { return RuntimeValue(answer) }
      return (try? call.callSuper()) ?? true
    }
  }
}
