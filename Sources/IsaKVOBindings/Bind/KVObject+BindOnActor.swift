// Bindings whose source is changed elsewhere than on the actor to which the target belongs.
public import IsaKVO

// MARK: - One direction

extension KeyValueObservable {
  /// Has a property of an object of an actor follow one of an object that others change.
  ///
  ///     actor Screen {
  ///       let label = Label()
  ///
  ///       func show(_ download: Download) throws {
  ///         try label.follow(\.text, of: download, \.state, delivery: .on(self))
  ///       }
  ///     }
  ///
  /// The property is set to the source's value at once. Each later change sets it once, in order, on the
  /// actor; the source's setter does not wait. The actor is held weakly, and the binding ends with it.
  /// Once ``Binding/unbind()`` has returned, no push begins, also of what was set before.
  ///
  /// This has to be called on the actor that `delivery` names. If `isSame` is given, a value that is the
  /// same as the value before it is not passed on. It runs where the source is changed.
  ///
  /// - Returns: The binding, which this object owns: it may be thrown away.
  /// - Throws: As the form without a delivery; `KeyValueError.Code.wrongThread` where this is called on
  ///   another actor, or on none.
  @discardableResult
  public func follow<Source: KeyValueObservable, Value: Sendable, Isolation: Actor>(
    _ end: ReferenceWritableKeyPath<Self, Value>, of source: Source, _ path: KeyPath<Source, Value>,
    suppressing isSame: (@Sendable (Value, Value) -> Bool)? = nil,
    delivery: KeyValueDelivery<KeyValueActor<Isolation>>,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(BindingPlan(end, path, suppressing: isSame), source, delivery, isolation, file, line)
  }

  /// Has a property of an object of an actor follow what is made of one of an object that others change.
  ///
  /// `transform` runs on the actor, and may throw: an error of the first time, this throws; later the
  /// binding's `onError` is told there, and the property stays.
  @discardableResult
  public func follow<Source: KeyValueObservable, Input: Sendable, Value, Isolation: Actor>(
    _ end: ReferenceWritableKeyPath<Self, Value>, of source: Source, _ path: KeyPath<Source, Input>,
    suppressing isSame: (@Sendable (Input, Input) -> Bool)? = nil,
    delivery: KeyValueDelivery<KeyValueActor<Isolation>>,
    isolation: isolated (any Actor)? = #isolation,
    as transform: @escaping (Input) throws -> Value,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(
      BindingPlan(end, path, Transformer(transform), suppressing: isSame), source, delivery,
      isolation, file, line)
  }

  /// Has a property of an object of an actor follow what a transformer makes of one of an object that
  /// others change. The transformer runs on the actor.
  @discardableResult
  public func follow<Source: KeyValueObservable, Input: Sendable, Value, Isolation: Actor>(
    _ end: ReferenceWritableKeyPath<Self, Value>, of source: Source, _ path: KeyPath<Source, Input>,
    _ transformer: Transformer<Input, Value>,
    suppressing isSame: (@Sendable (Input, Input) -> Bool)? = nil,
    delivery: KeyValueDelivery<KeyValueActor<Isolation>>,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(
      BindingPlan(end, path, transformer, suppressing: isSame), source, delivery, isolation, file,
      line)
  }

  /// Has a property of an object of an actor follow one, of an object that others change, that may have
  /// no value. The placeholder is the value then.
  @discardableResult
  public func follow<Source: KeyValueObservable, Value: Sendable, Isolation: Actor>(
    _ end: ReferenceWritableKeyPath<Self, Value>, of source: Source,
    _ path: KeyPath<Source, Value?>, ifNil placeholder: Value,
    suppressing isSame: (@Sendable (Value?, Value?) -> Bool)? = nil,
    delivery: KeyValueDelivery<KeyValueActor<Isolation>>,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(
      BindingPlan(end, path, .showing(placeholder), suppressing: isSame), source, delivery,
      isolation, file, line)
  }
}

// MARK: - Both directions

extension KeyValueObservable {
  /// Keeps a property of an object of an actor and one of an object that others change the same.
  ///
  /// The property is set to the source's value at once. Each later change of the source sets it once, in
  /// order, on the actor. To set the property sets the source at once, on the actor; the source has to
  /// bear that. If it was set while changes of the source were on their way, the last of those shows
  /// what the source has when it arrives, so that the ends agree.
  ///
  /// The actor is held weakly, and the binding ends with it. Once ``Binding/unbind()`` has returned, no
  /// push begins, also of what was set before.
  ///
  /// This has to be called on the actor that `delivery` names. With `validates`, the validator is asked
  /// on that actor.
  ///
  /// - Returns: The binding, which this object owns: it may be thrown away.
  /// - Throws: As the form without a delivery; `KeyValueError.Code.wrongThread` where this is called on
  ///   another actor, or on none.
  @discardableResult
  public func bind<Source: KeyValueObservable, Value: Sendable, Isolation: Actor>(
    _ end: ReferenceWritableKeyPath<Self, Value>, to source: Source,
    _ path: ReferenceWritableKeyPath<Source, Value>, validates: Bool = false,
    delivery: KeyValueDelivery<KeyValueActor<Isolation>>,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(BindingPlan(end, path, validates: validates), source, delivery, isolation, file, line)
  }

  /// Keeps a property of an object of an actor, and what a transformer makes of one of an object that
  /// others change, in step. Both ways of the transformer run on the actor.
  @discardableResult
  public func bind<Source: KeyValueObservable, Input: Sendable, Value, Isolation: Actor>(
    _ end: ReferenceWritableKeyPath<Self, Value>, to source: Source,
    _ path: ReferenceWritableKeyPath<Source, Input>, _ transformer: Transformer<Input, Value>,
    validates: Bool = false, delivery: KeyValueDelivery<KeyValueActor<Isolation>>,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(
      BindingPlan(end, path, transformer, validates: validates), source, delivery, isolation, file,
      line)
  }

  /// Keeps a property of an object of an actor in step with a property behind an optional of an
  /// object that others change. The placeholder is shown while there is no object in between, and never
  /// written back.
  @discardableResult
  public func bind<
    Source: KeyValueObservable, Middle: KeyValueObservable, Value: Sendable, Isolation: Actor
  >(
    _ end: ReferenceWritableKeyPath<Self, Value>, to source: Source,
    _ first: KeyPath<Source, Middle?>, _ rest: ReferenceWritableKeyPath<Middle, Value>,
    ifNil placeholder: Value, validates: Bool = false,
    delivery: KeyValueDelivery<KeyValueActor<Isolation>>,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(
      BindingPlan(end, first, rest, ifNil: placeholder, validates: validates), source, delivery,
      isolation, file, line)
  }

  /// Keeps a property of an object of an actor in step with a property, perhaps without a value, of
  /// an object that others change. The placeholder is shown where there is no value, and never written
  /// back by itself.
  @discardableResult
  public func bind<Source: KeyValueObservable, Value: Sendable, Isolation: Actor>(
    _ end: ReferenceWritableKeyPath<Self, Value>, to source: Source,
    _ path: ReferenceWritableKeyPath<Source, Value?>, ifNil placeholder: Value,
    validates: Bool = false, delivery: KeyValueDelivery<KeyValueActor<Isolation>>,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(
      BindingPlan(end, path, ifNil: placeholder, validates: validates), source, delivery,
      isolation, file, line)
  }
}

// MARK: - By name

extension KVObject {
  /// Has what a name stands for show the value at a key path of an object that others change, on an
  /// actor.
  ///
  ///     try field.bind(.value, to: account, withKeyPath: "name", delivery: .on(self))
  ///
  /// The value is shown at once. Each later change shows once, on the actor, what the source has when
  /// the change has arrived. The actor is held weakly, and the binding ends with it. Once
  /// ``Binding/unbind()`` has returned, nothing is shown any more.
  ///
  /// Edits belong to the actor, too, and set the source there. This has to be called on the actor.
  ///
  /// - Throws: As the form without a delivery; `KeyValueError.Code.wrongThread` where this is called on
  ///   another actor, or on none.
  @discardableResult
  public final func bind<Isolation: Actor>(
    _ name: BindingName, to source: KVObject, withKeyPath keyPath: String,
    options: BindingOptions = BindingOptions(),
    delivery: KeyValueDelivery<KeyValueActor<Isolation>>,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try checkCall(delivery, isolation, name.rawValue)
    return try bindNamed(
      name, source, keyPath, options, DeliveredPushes.by(delivery, Void.self), file, line)
  }
}
