public import IsaKVO

extension KeyValueObservable {
  /// Keeps a property and one of another object the same, in both directions.
  ///
  ///     try field.bind(\.text, to: person, \.name)
  ///
  /// The property is set to the source's value at once. From then on, whichever is set sets the other,
  /// on the same thread and before the setter returns; each end's observers are told once. Where a
  /// property's setter stores another value than it was given, because it trims or clamps, the
  /// other end takes the stored value.
  ///
  /// - Parameters:
  ///   - end: The property to be bound. A binding that it has ends.
  ///   - source: The object to bind it to; it is not kept, and may be this one.
  ///   - path: A key path that can be observed, and set.
  ///   - validates: Whether the source's `validateValue(_:forKey:)` judges each value before it is
  ///     written back. A value that it refuses leaves the source as it is, and `onError` is told; a
  ///     value that it replaces is shown.
  ///   - file: The call's file, for the event log.
  ///   - line: The call's line.
  /// - Returns: The binding, which this object owns: it may be thrown away.
  /// - Throws: `KeyValueError.Code.notObservable` for a key path that cannot be observed;
  ///   `KeyValueError.Code.unsupported` for a class that cannot be registered. Nothing is bound then,
  ///   and what was bound before stays.
  @discardableResult
  public func bind<Source: KeyValueObservable, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, to source: Source,
    _ path: ReferenceWritableKeyPath<Source, Value>, validates: Bool = false,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(BindingPlan(end, path, validates: validates), source, file, line)
  }

  /// Keeps a property and what a transformer makes of one of another object in step.
  ///
  ///     try field.bind(\.text, to: person, \.age, .text)
  ///
  /// An error of the transformer's way back refuses a value: the source stays, and `onError` is told.
  /// Without a way back the binding is of one direction.
  ///
  /// - Throws: As the form without it; `KeyValueError.Code.invalid` with what the transformer throws
  ///   for the first value.
  @discardableResult
  public func bind<Source: KeyValueObservable, Input, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, to source: Source,
    _ path: ReferenceWritableKeyPath<Source, Input>, _ transformer: Transformer<Input, Value>,
    validates: Bool = false, file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(BindingPlan(end, path, transformer, validates: validates), source, file, line)
  }

  /// Keeps a property in step with a property behind an optional.
  ///
  ///     try field.bind(\.text, to: list, \.selected, \.name, ifNil: "")
  ///
  /// `first` leads to the object, if there is one, and `rest` to the property of that object. While there
  /// is no object in between, the property has the placeholder, and what it is set to is dropped. The
  /// placeholder is never written back.
  @discardableResult
  public func bind<Source: KeyValueObservable, Middle: KeyValueObservable, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, to source: Source,
    _ first: KeyPath<Source, Middle?>, _ rest: ReferenceWritableKeyPath<Middle, Value>,
    ifNil placeholder: Value, validates: Bool = false,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(
      BindingPlan(end, first, rest, ifNil: placeholder, validates: validates), source, file, line)
  }

  /// Keeps a property and one of another object that may have no value in step. The placeholder is shown
  /// where there is no value, and never written back by itself.
  @discardableResult
  public func bind<Source: KeyValueObservable, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, to source: Source,
    _ path: ReferenceWritableKeyPath<Source, Value?>, ifNil placeholder: Value,
    validates: Bool = false, file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try make(BindingPlan(end, path, ifNil: placeholder, validates: validates), source, file, line)
  }
}
