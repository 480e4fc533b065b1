public import IsaKVO

extension KeyValueObservable {
  /// Has a property follow one of another object, in one direction.
  ///
  ///     try label.follow(\.text, of: person, \.name)
  ///
  /// The property is set to the source's value at once, and then whenever that is set, by the thread
  /// that sets it and before its setter returns; `didSet` and overrides run. Setting the property by
  /// other means is allowed, and lasts until the source changes.
  ///
  /// - Parameters:
  ///   - end: The property that is to follow: any that can be set. A binding that it has ends.
  ///   - source: The object to follow; it is not kept, and may be this one.
  ///   - path: A key path that can be observed.
  ///   - isSame: If given, a value that is the same as the value before it is not passed on.
  ///   - file: The call's file, for the event log.
  ///   - line: The call's line.
  /// - Returns: The binding, which this object owns: it may be thrown away.
  /// - Throws: `KeyValueError.Code.notObservable` for a key path that cannot be observed;
  ///   `KeyValueError.Code.unsupported` for a class that cannot be registered. Nothing is bound then,
  ///   and what was bound before stays.
  @discardableResult
  public func follow<Source: KeyValueObservable, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, of source: Source, _ path: KeyPath<Source, Value>,
    suppressing isSame: ((Value, Value) -> Bool)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(BindingPlan(end, path, suppressing: isSame), source, file, line)
  }

  /// Has a property follow what is made of one of another object.
  ///
  ///     try label.follow(\.text, of: person, \.age) { "\($0) years" }
  ///
  /// `transform` runs where the source is changed. An error of the first time, this throws; later the
  /// binding's `onError` is told, and the property stays.
  ///
  /// - Throws: As the form without it; `KeyValueError.Code.invalid` with what `transform` throws.
  @discardableResult
  public func follow<Source: KeyValueObservable, Input, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, of source: Source, _ path: KeyPath<Source, Input>,
    suppressing isSame: ((Input, Input) -> Bool)? = nil,
    as transform: @escaping (Input) throws -> Value,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(
      BindingPlan(end, path, Transformer(transform), suppressing: isSame), source, file, line)
  }

  /// Has a property follow what a transformer makes of one of another object.
  @discardableResult
  public func follow<Source: KeyValueObservable, Input, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, of source: Source, _ path: KeyPath<Source, Input>,
    _ transformer: Transformer<Input, Value>, suppressing isSame: ((Input, Input) -> Bool)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(BindingPlan(end, path, transformer, suppressing: isSame), source, file, line)
  }

  /// Has a property follow another that may have no value, such as a property behind an optional.
  ///
  ///     try label.follow(\.text, of: person, \.home?.city, ifNil: "homeless")
  ///
  /// The placeholder is the value where there is none.
  @discardableResult
  public func follow<Source: KeyValueObservable, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, of source: Source,
    _ path: KeyPath<Source, Value?>,
    ifNil placeholder: Value, suppressing isSame: ((Value?, Value?) -> Bool)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(BindingPlan(end, path, .showing(placeholder), suppressing: isSame), source, file, line)
  }
}

extension KVObject {
  /// The bindings of this object's properties, latest first.
  public final var bindings: [Binding] {
    BindingList.of(self, makes: false)?.bindings.filter(\.isValid) ?? []
  }

  /// Ends all bindings of this object's properties. Bindings of other objects to these properties
  /// stand.
  public final func unbindAll() {
    BindingList.of(self, makes: false)?.bindings.forEach { $0.unbind() }
  }
}

extension KeyValueObservable {
  /// Ends the binding of a property, if it has one; the property keeps its value.
  public func unbind(_ end: PartialKeyPath<Self>) { binding(of: end)?.unbind() }

  /// The binding of a property; nil if it has none.
  public func binding(of end: PartialKeyPath<Self>) -> Binding? {
    let name = try? pathName(of: end)
    return bindings.first { $0.end == name || $0.end == .path(end) }
  }
}
