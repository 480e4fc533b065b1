// MARK: - In order

extension RuntimeClassBuilder {
  /// Gives the class accessors of the elements of an ordered to-many key, instead of a collection.
  ///
  ///     try RuntimeClassBuilder("Team").orderedAccessors(
  ///       "members", count: { _ in roster.count }, object: { _, index in roster[index] },
  ///       insert: { _, member, index in roster.insert(member, at: index) },
  ///       remove: { _, index in roster.remove(at: index) })
  ///
  /// - Parameters:
  ///   - key: The to-many key.
  ///   - count: How many elements the object has.
  ///   - object: The element at an index; numbers and texts become objects.
  ///   - index: The place of an element; nil if it is not there. Without it the elements are asked
  ///     for one by one.
  ///   - insert: Inserts an element before an index.
  ///   - remove: Removes the element at an index.
  ///   - replace: Puts an element in another's place; without it one is removed and one inserted.
  /// - Throws: As ``method(_:_:_:)-(_,_,(RuntimeMethodCall)->RuntimeValue)``.
  /// - Note: Source `countOf<Key>`, `objectIn<Key>AtIndex:`, `indexIn<Key>OfObject:`,
  ///   `insertObject:in<Key>AtIndex:`, `removeObjectFrom<Key>AtIndex:`,
  ///   `replaceObjectIn<Key>AtIndex:withObject:`, NSKeyValueCoding.h.
  @discardableResult
  public func orderedAccessors(
    _ key: String, count: @escaping @Sendable (RuntimeObject) -> Int,
    object: @escaping @Sendable (RuntimeObject, Int) -> RuntimeValue,
    index: (@Sendable (RuntimeObject, RuntimeValue) -> Int?)? = nil,
    insert: (@Sendable (RuntimeObject, RuntimeValue, Int) -> Void)? = nil,
    remove: (@Sendable (RuntimeObject, Int) -> Void)? = nil,
    replace: (@Sendable (RuntimeObject, Int, RuntimeValue) -> Void)? = nil
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    let name = key.asNamePart
    try method(RuntimeSelector("countOf\(name)"), "Q@:") { call in
      RuntimeValue(count(call.receiver))
    }
    try method(RuntimeSelector("objectIn\(name)AtIndex:"), "@@:Q") { call in
      object(call.receiver, place(call, 0))
    }
    if let index {
      try method(RuntimeSelector("indexIn\(name)OfObject:"), "Q@:@") { call in
        RuntimeValue(index(call.receiver, element(call, 0)) ?? .max)
      }
    }
    return try orderedMutators(key, insert: insert, remove: remove, replace: replace)
  }

  /// Gives the class accessors that change an ordered to-many key, beside a getter.
  ///
  /// - Throws: As ``orderedAccessors(_:count:object:index:insert:remove:replace:)``.
  @discardableResult
  public func orderedMutators(
    _ key: String, insert: (@Sendable (RuntimeObject, RuntimeValue, Int) -> Void)? = nil,
    remove: (@Sendable (RuntimeObject, Int) -> Void)? = nil,
    replace: (@Sendable (RuntimeObject, Int, RuntimeValue) -> Void)? = nil
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    let name = key.asNamePart
    try mutator("insertObject:in\(name)AtIndex:", "v@:@Q", insert) { insert, call in
      insert(call.receiver, element(call, 0), place(call, 1))
    }
    try mutator("removeObjectFrom\(name)AtIndex:", "v@:Q", remove) { remove, call in
      remove(call.receiver, place(call, 0))
    }
    try mutator("replaceObjectIn\(name)AtIndex:withObject:", "v@:Q@", replace) { replace, call in
      replace(call.receiver, place(call, 0), element(call, 1))
    }
    return self
  }
}

// MARK: - Without order

extension RuntimeClassBuilder {
  /// Gives the class accessors of the elements of an unordered to-many key, instead of a set.
  ///
  /// - Parameters:
  ///   - key: The to-many key.
  ///   - elements: All elements of the object; numbers and texts become objects.
  ///   - add: Adds an element.
  ///   - remove: Removes an element.
  ///   - unite: Adds several elements at once.
  ///   - subtract: Removes several elements at once.
  ///   - intersect: Removes all but some elements.
  /// - Throws: As ``method(_:_:_:)-(_,_,(RuntimeMethodCall)->RuntimeValue)``.
  /// - Note: Source `countOf<Key>`, `enumeratorOf<Key>`, `memberOf<Key>:`, `add<Key>Object:`,
  ///   `remove<Key>Object:`, `add<Key>:`, `remove<Key>:`, `intersect<Key>:`, NSKeyValueCoding.h.
  @discardableResult
  public func unorderedAccessors(
    _ key: String, elements: @escaping @Sendable (RuntimeObject) -> [RuntimeValue],
    add: (@Sendable (RuntimeObject, RuntimeValue) -> Void)? = nil,
    remove: (@Sendable (RuntimeObject, RuntimeValue) -> Void)? = nil,
    unite: (@Sendable (RuntimeObject, [RuntimeValue]) -> Void)? = nil,
    subtract: (@Sendable (RuntimeObject, [RuntimeValue]) -> Void)? = nil,
    intersect: (@Sendable (RuntimeObject, [RuntimeValue]) -> Void)? = nil
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    let name = key.asNamePart
    try method(RuntimeSelector("countOf\(name)"), "Q@:") { call in
      RuntimeValue(elements(call.receiver).count)
    }
    try method(RuntimeSelector("enumeratorOf\(name)"), "@@:") { call in
      .array(elements(call.receiver))
    }
    try method(RuntimeSelector("memberOf\(name):"), "@@:@") { call in
      let wanted = element(call, 0)
      return elements(call.receiver).first { $0 == wanted } ?? .nilObject
    }
    return try unorderedMutators(
      key, add: add, remove: remove, unite: unite, subtract: subtract, intersect: intersect)
  }

  /// Gives the class accessors that change an unordered to-many key, beside a getter.
  ///
  /// - Throws: As ``unorderedAccessors(_:elements:add:remove:unite:subtract:intersect:)``.
  @discardableResult
  public func unorderedMutators(
    _ key: String, add: (@Sendable (RuntimeObject, RuntimeValue) -> Void)? = nil,
    remove: (@Sendable (RuntimeObject, RuntimeValue) -> Void)? = nil,
    unite: (@Sendable (RuntimeObject, [RuntimeValue]) -> Void)? = nil,
    subtract: (@Sendable (RuntimeObject, [RuntimeValue]) -> Void)? = nil,
    intersect: (@Sendable (RuntimeObject, [RuntimeValue]) -> Void)? = nil
  ) throws(KeyValueError) -> RuntimeClassBuilder {
    let name = key.asNamePart
    try mutator("add\(name)Object:", "v@:@", add) { $0($1.receiver, element($1, 0)) }
    try mutator("remove\(name)Object:", "v@:@", remove) { $0($1.receiver, element($1, 0)) }
    try mutator("add\(name):", "v@:@", unite) { $0($1.receiver, elements(of: $1)) }
    try mutator("remove\(name):", "v@:@", subtract) { $0($1.receiver, elements(of: $1)) }
    try mutator("intersect\(name):", "v@:@", intersect) { $0($1.receiver, elements(of: $1)) }
    return self
  }

  /// Adds a method that asks one of the closures that may be given; none for nil.
  private func mutator<Body: Sendable>(
    _ name: String, _ encoding: RuntimeTypeEncoding, _ body: Body?,
    _ ask: @escaping @Sendable (Body, RuntimeMethodCall) -> Void
  ) throws(KeyValueError) {
    if let body { try method(RuntimeSelector(name), encoding) { ask(body, $0) } }
  }
}

/// The element that an accessor was given, out of its box.
private func element(_ call: RuntimeMethodCall, _ number: Int) -> RuntimeValue {
  let value = call.arguments[number]
  return value.object?.boxKind == .string ? value : value.unboxed
}

/// The elements of the only argument, a collection.
private func elements(of call: RuntimeMethodCall) -> [RuntimeValue] {
  element(call, 0).elements ?? []
}

/// The index that an accessor was given.
private func place(_ call: RuntimeMethodCall, _ number: Int) -> Int {
  call.arguments[number].int ?? 0
}
