// Bindings of one direction whose source is changed elsewhere than where the target belongs.
public import IsaKVO

// MARK: - To the main actor

extension KeyValueObservable {
  /// Has a property of an object of the main actor follow one of an object that others change.
  ///
  ///     try label.follow(\.text, of: download, \.state, delivery: .mainActor)
  ///
  /// The property is set to the source's value at once. Of later changes each sets it once, in order:
  /// before the setter returns if the change is made on the main actor, else later, and by then the
  /// source may have changed again, or have gone. Once ``Binding/unbind()`` has returned, no push begins,
  /// also of what was set before.
  ///
  /// If `isSame` is given, a value that is the same as the value before it is not passed on. It runs
  /// where the source is changed.
  ///
  /// - Returns: The binding, which this object owns: it may be thrown away.
  /// - Throws: As the form without a delivery.
  @MainActor @discardableResult
  public func follow<Source: KeyValueObservable, Value: Sendable>(
    _ end: ReferenceWritableKeyPath<Self, Value>, of source: Source, _ path: KeyPath<Source, Value>,
    suppressing isSame: (@Sendable (Value, Value) -> Bool)? = nil,
    delivery: KeyValueDelivery<MainActor>, file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(BindingPlan(end, path, suppressing: isSame), source, delivery, file, line)
  }

  /// Has a property of an object of the main actor follow what is made of one of an object that others
  /// change.
  ///
  ///     try label.follow(\.text, of: download, \.share, delivery: .mainActor) { "\($0 * 100) %" }
  ///
  /// `transform` runs on the main actor, and may throw: an error of the first time, this throws; later
  /// the binding's `onError` is told there, and the property stays.
  @MainActor @discardableResult
  public func follow<Source: KeyValueObservable, Input: Sendable, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, of source: Source, _ path: KeyPath<Source, Input>,
    suppressing isSame: (@Sendable (Input, Input) -> Bool)? = nil,
    delivery: KeyValueDelivery<MainActor>,
    as transform: @escaping @MainActor (Input) throws -> Value,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    let transformer = Transformer<Input, Value> { input in
      let made = try MainActor.assumeIsolated { Unchecked(try transform(input)) }
      return made.value
    }
    return try make(
      BindingPlan(end, path, transformer, suppressing: isSame), source, delivery, file, line)
  }

  /// Has a property of an object of the main actor follow what a transformer makes of one of an object
  /// that others change. The transformer runs on the main actor.
  @MainActor @discardableResult
  public func follow<Source: KeyValueObservable, Input: Sendable, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, of source: Source, _ path: KeyPath<Source, Input>,
    _ transformer: Transformer<Input, Value>,
    suppressing isSame: (@Sendable (Input, Input) -> Bool)? = nil,
    delivery: KeyValueDelivery<MainActor>, file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(BindingPlan(end, path, transformer, suppressing: isSame), source, delivery, file, line)
  }

  /// Has a property of an object of the main actor follow one, of an object that others change, that may
  /// have no value. The placeholder is the value then.
  @MainActor @discardableResult
  public func follow<Source: KeyValueObservable, Value: Sendable>(
    _ end: ReferenceWritableKeyPath<Self, Value>, of source: Source,
    _ path: KeyPath<Source, Value?>, ifNil placeholder: Value,
    suppressing isSame: (@Sendable (Value?, Value?) -> Bool)? = nil,
    delivery: KeyValueDelivery<MainActor>, file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(
      BindingPlan(end, path, .showing(placeholder), suppressing: isSame), source, delivery, file,
      line)
  }
}

// MARK: - To a queue or an executor

extension KeyValueObservable where Self: Sendable {
  /// Has a property of an object that several threads may use follow one of another object, on a queue
  /// or an executor.
  ///
  ///     try index.follow(\.title, of: page, \.title, delivery: .queue(queue))
  ///
  /// The property is set to the source's value at once, on the thread of this call. Each later change
  /// sets it once, in order, where the delivery leads; the source's setter does not wait. Once
  /// ``Binding/unbind()`` has returned, no push begins, also of what was set before.
  ///
  /// If `isSame` is given, a value that is the same as the value before it is not passed on. It runs
  /// where the source is changed.
  ///
  /// - Returns: The binding, which this object owns: it may be thrown away.
  /// - Throws: As the form without a delivery.
  @discardableResult
  public func follow<Source: KeyValueObservable, Value: Sendable>(
    _ end: ReferenceWritableKeyPath<Self, Value> & Sendable, of source: Source,
    _ path: KeyPath<Source, Value>, suppressing isSame: (@Sendable (Value, Value) -> Bool)? = nil,
    delivery: KeyValueDelivery<KeyValueQueue>, file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(BindingPlan(end, path, suppressing: isSame), source, delivery, file, line)
  }

  /// Has a property of an object that several threads may use follow what is made of one of another
  /// object, on a queue or an executor.
  ///
  /// `transform` runs where the delivery leads, and may throw: an error of the first time, this throws;
  /// later the binding's `onError` is told there, and the property stays.
  @discardableResult
  public func follow<Source: KeyValueObservable, Input: Sendable, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value> & Sendable, of source: Source,
    _ path: KeyPath<Source, Input>, suppressing isSame: (@Sendable (Input, Input) -> Bool)? = nil,
    delivery: KeyValueDelivery<KeyValueQueue>,
    as transform: @escaping @Sendable (Input) throws -> Value,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(
      BindingPlan(end, path, Transformer(transform), suppressing: isSame), source, delivery, file,
      line)
  }

  /// Has a property of an object that several threads may use follow another that may have no
  /// value, on a queue or an executor. The placeholder is the value then.
  @discardableResult
  public func follow<Source: KeyValueObservable, Value: Sendable>(
    _ end: ReferenceWritableKeyPath<Self, Value> & Sendable, of source: Source,
    _ path: KeyPath<Source, Value?>, ifNil placeholder: Value,
    suppressing isSame: (@Sendable (Value?, Value?) -> Bool)? = nil,
    delivery: KeyValueDelivery<KeyValueQueue>, file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(
      BindingPlan(end, path, .showing(placeholder), suppressing: isSame), source, delivery, file,
      line)
  }
}
