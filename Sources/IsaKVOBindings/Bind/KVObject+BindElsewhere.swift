// Bindings of both directions whose source is changed elsewhere than where the target belongs.
public import IsaKVO

// MARK: - To the main actor

extension KeyValueObservable where Self: MainActorObject {
  /// Keeps a property of an object of the main actor and one of an object that others change the same.
  ///
  ///     try field.bind(\.text, to: account, \.name, delivery: .mainActor)
  ///
  /// The property is set to the source's value at once. Each later change of the source sets it once, in
  /// order: before the setter returns if the change is made on the main actor, else later. To set the
  /// property sets the source at once, on the main actor; the source has to bear that. If it was set
  /// while changes of the source were on their way, the last of those shows what the source has when it
  /// arrives, so that the ends agree.
  ///
  /// Once ``Binding/unbind()`` has returned, no push begins, also of what was set before.
  ///
  /// With `validates`, the validator is asked on the main actor.
  ///
  /// - Returns: The binding, which this object owns: it may be thrown away.
  /// - Throws: As the form without a delivery.
  @MainActor @discardableResult
  public func bind<Source: KeyValueObservable, Value: Sendable>(
    _ end: ReferenceWritableKeyPath<Self, Value>, to source: Source,
    _ path: ReferenceWritableKeyPath<Source, Value>, validates: Bool = false,
    delivery: KeyValueDelivery<MainActor>, file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(BindingPlan(end, path, validates: validates), source, delivery, file, line)
  }

  /// Keeps a property of an object of the main actor, and what a transformer makes of one of an object
  /// that others change, in step. Both ways of the transformer run on the main actor.
  @MainActor @discardableResult
  public func bind<Source: KeyValueObservable, Input: Sendable, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, to source: Source,
    _ path: ReferenceWritableKeyPath<Source, Input>, _ transformer: Transformer<Input, Value>,
    validates: Bool = false, delivery: KeyValueDelivery<MainActor>,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(
      BindingPlan(end, path, transformer, validates: validates), source, delivery, file, line)
  }

  /// Keeps a property of an object of the main actor in step with a property behind an optional of
  /// an object that others change. The placeholder is shown while there is no object in between, and
  /// never written back.
  @MainActor @discardableResult
  public func bind<Source: KeyValueObservable, Middle: KeyValueObservable, Value: Sendable>(
    _ end: ReferenceWritableKeyPath<Self, Value>, to source: Source,
    _ first: KeyPath<Source, Middle?>, _ rest: ReferenceWritableKeyPath<Middle, Value>,
    ifNil placeholder: Value, validates: Bool = false, delivery: KeyValueDelivery<MainActor>,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(
      BindingPlan(end, first, rest, ifNil: placeholder, validates: validates), source, delivery,
      file, line)
  }

  /// Keeps a property of an object of the main actor in step with a property, perhaps without a
  /// value, of an object that others change. The placeholder is shown where there is no value, and never
  /// written back by itself.
  @MainActor @discardableResult
  public func bind<Source: KeyValueObservable, Value: Sendable>(
    _ end: ReferenceWritableKeyPath<Self, Value>, to source: Source,
    _ path: ReferenceWritableKeyPath<Source, Value?>, ifNil placeholder: Value,
    validates: Bool = false, delivery: KeyValueDelivery<MainActor>,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(
      BindingPlan(end, path, ifNil: placeholder, validates: validates), source, delivery, file, line
    )
  }
}

// MARK: - To a queue or an executor

extension KeyValueObservable where Self: Sendable {
  /// Keeps properties of two objects that several threads may use the same, this one's being set on a
  /// queue or an executor.
  ///
  ///     try index.bind(\.title, to: page, \.title, delivery: .queue(queue))
  ///
  /// The property is set to the source's value at once, on the thread of this call. Each later change of
  /// the source sets it once, in order, where the delivery leads. To set the property sets the source at
  /// once, on the thread that does so. If it was set while changes of the source were on their way, the
  /// last of those shows what the source has when it arrives. So the ends agree if the property is set
  /// where the delivery leads; set elsewhere at the same time, it has two writers, of which either may
  /// be the last.
  ///
  /// Once ``Binding/unbind()`` has returned, no push begins, also of what was set before.
  ///
  /// With `validates`, the validator is asked on the thread that sets the property.
  ///
  /// - Returns: The binding, which this object owns: it may be thrown away.
  /// - Throws: As the form without a delivery.
  @discardableResult
  public func bind<Source: KeyValueObservable & Sendable, Value: Sendable>(
    _ end: ReferenceWritableKeyPath<Self, Value> & Sendable, to source: Source,
    _ path: ReferenceWritableKeyPath<Source, Value> & Sendable, validates: Bool = false,
    delivery: KeyValueDelivery<KeyValueQueue>, file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(BindingPlan(end, path, validates: validates), source, delivery, file, line)
  }

  /// Keeps a property of one object that several threads may use, and what is made of one of another, in
  /// step, this one's being set on a queue or an executor.
  ///
  /// `transform` runs where the delivery leads, and may throw. `back` runs on the thread that sets the
  /// property, and may throw to refuse a value.
  @discardableResult
  public func bind<Source: KeyValueObservable & Sendable, Input: Sendable, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value> & Sendable, to source: Source,
    _ path: ReferenceWritableKeyPath<Source, Input> & Sendable, validates: Bool = false,
    delivery: KeyValueDelivery<KeyValueQueue>,
    as transform: @escaping @Sendable (Input) throws -> Value,
    back: @escaping @Sendable (Value) throws -> Input,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(
      BindingPlan(end, path, Transformer(transform, back: back), validates: validates), source,
      delivery, file, line)
  }
}
