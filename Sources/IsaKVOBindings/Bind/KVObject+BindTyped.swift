public import IsaKVO
internal import IsaKeyValue

extension KeyValueObservable {
  /// Keeps a property and one of another object the same, in both directions.
  ///
  ///     try field.bind(\.text, to: person, \.name)
  ///
  /// The property is set to the source's value at once. From then on, whichever is set sets the other,
  /// on the same thread and before the setter returns; each end's observers are told once. A property
  /// that makes another value of what it is given, such as one that trims or clamps, has the other end
  /// take that over.
  ///
  /// - Parameters:
  ///   - end: The property to be bound. A binding that it has ends.
  ///   - source: The object to bind it to; it is not kept, and may be this one.
  ///   - path: A key path that can be observed, and set.
  ///   - validates: Whether the source's `validateValue(_:forKey:)` judges each value before it is
  ///     written back. A value that it refuses leaves the source as it is, and `onError` is told; one
  ///     that it replaces is shown.
  /// - Returns: The binding, which this object owns: it may be thrown away.
  /// - Throws: `KeyValueError.Code.notObservable` for a key path that cannot be observed;
  ///   `KeyValueError.Code.unsupported` for a class that cannot be registered. Nothing is bound then,
  ///   and what was bound before stays.
  @discardableResult
  public func bind<Source: KeyValueObservable, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, to source: Source,
    _ path: ReferenceWritableKeyPath<Source, Value>, validates: Bool = false
  ) throws(KeyValueError) -> Binding {
    try bind(end, source, path, convert: nil, ways(to: source, path, validates))
  }

  /// Keeps a property and what a transformer makes of one of another object in step.
  ///
  ///     try field.bind(\.text, to: person, \.age, .text)
  ///
  /// - Parameter transformer: An error of its way back refuses a value: the source stays, and `onError`
  ///   is told. Without a way back the binding is of one direction.
  /// - Throws: As the form without it; `KeyValueError.Code.invalid` with what the transformer throws
  ///   for the first value.
  @discardableResult
  public func bind<Source: KeyValueObservable, Input, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, to source: Source,
    _ path: ReferenceWritableKeyPath<Source, Input>, _ transformer: Transformer<Input, Value>,
    validates: Bool = false
  ) throws(KeyValueError) -> Binding {
    try bind(end, source, path, convert: transformer, ways(to: source, path, validates))
  }

  /// Keeps a property and one that is behind an optional in step.
  ///
  ///     try field.bind(\.text, to: list, \.selected, \.name, ifNil: "")
  ///
  /// While there is no object in between, the property has the placeholder, and what it is set to is
  /// dropped.
  ///
  /// - Parameters:
  ///   - first: Leads to the object, if there is one.
  ///   - rest: The property of that object.
  ///   - placeholder: It is never written back.
  @discardableResult
  public func bind<Source: KeyValueObservable, Middle: KeyValueObservable, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, to source: Source,
    _ first: KeyPath<Source, Middle?>, _ rest: ReferenceWritableKeyPath<Middle, Value>,
    ifNil placeholder: Value, validates: Bool = false
  ) throws(KeyValueError) -> Binding {
    try bind(
      end, source, first.appending(path: \.[optional: rest]), convert: .showing(placeholder),
      ways(through: first, rest, validates))
  }

  /// Keeps a property and one of another object that may have no value in step.
  ///
  /// - Parameter placeholder: Shown where there is no value, and never written back by itself.
  @discardableResult
  public func bind<Source: KeyValueObservable, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, to source: Source,
    _ path: ReferenceWritableKeyPath<Source, Value?>, ifNil placeholder: Value,
    validates: Bool = false
  ) throws(KeyValueError) -> Binding {
    try bind(
      end, source, path, convert: .showing(placeholder),
      ways(to: source, path, validates, isPlaceholder: { $0 == nil }))
  }

  /// Makes a binding of both directions, or of one where there is no way back.
  ///
  /// - Parameter delivery: Makes the later pushes to this object; nil if each is made where the change
  ///   is.
  func bind<Source: KeyValueObservable, Input, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, _ source: Source, _ path: KeyPath<Source, Input>,
    convert: Transformer<Input, Value>?, _ ways: WritingBack<Source, Input>,
    _ delivery: PushDelivery? = nil
  ) throws(KeyValueError) -> Binding {
    let property = PropertyEnd<Self, Value>(end), model = PropertyEnd(path)
    let binding = Binding(try boundEnd(end), of: self, to: source, try BindingEnd(path, of: source))
    let pushing = TwoWay(binding, property, model, convert, ways)
    let delivered = delivery?(binding) { pushing.receiveDelivered($0, isLast: $1) }
    do throws(KeyValueError) {
      let control = try model.observe(on: source, telling: delivered?.send ?? pushing.receiver())
      binding.add(delivered?.ending(control) ?? control)
      // Behind the registration, so that no change on another thread is missed.
      let input = model.value(of: source)
      let first = try firstValue(input, binding.end, convert?.forward)
      if convert?.isReversible ?? true {
        binding.add(try property.observe(on: self) { pushing.receiveBack($0) })
      }
      try install(binding)
      pushing.start(first, of: input, to: self)
    } catch {
      binding.end(byTarget: ())
      throw error
    }
    delivered?.begin()
    return binding
  }

  /// How values are written back to a property.
  func ways<Source: KeyValueObservable, Input>(
    to source: Source, _ path: ReferenceWritableKeyPath<Source, Input>, _ validates: Bool,
    isPlaceholder: @escaping (Input) -> Bool = { _ in false }
  ) -> WritingBack<Source, Input> {
    WritingBack(
      validate: validates ? { try judged($1, for: path, of: $0) } : nil,
      isPlaceholder: isPlaceholder)
  }

  /// How values are written back to a property behind an optional.
  func ways<Source: KeyValueObservable, Middle: KeyValueObservable, Value>(
    through first: KeyPath<Source, Middle?>, _ rest: ReferenceWritableKeyPath<Middle, Value>,
    _ validates: Bool
  ) -> WritingBack<Source, Value?> {
    var ways = WritingBack<Source, Value?>(isPlaceholder: { $0 == nil })
    ways.write = { source, value in
      if let value { source[keyPath: first]?[keyPath: rest] = value }
    }
    if validates {
      ways.validate = { source, value in
        guard let middle = source[keyPath: first], let value else { return value }
        return try judged(value, for: rest, of: middle)
      }
    }
    return ways
  }
}

extension Transformer where Source == Target? {
  /// Shows a placeholder for nil.
  static func showing(_ placeholder: Target) -> Transformer {
    Transformer {
      $0 ?? placeholder
    } back: {
      .some($0)
    }
  }
}

/// The value that a validator leaves of one.
private func judged<Root: KeyValueObservable, Value>(
  _ value: Value, for path: KeyPath<Root, Value>, of root: Root
) throws -> Value {
  let (object, key) = try root.codedEnd(of: path)
  var left: Any? = value
  try object.validateValue(&left, forKey: key)
  if let value = converted(left, to: Value.self) { return value }
  throw KeyValueError(
    .incompatible, key: key,
    reason: "the validator of “\(key)” replaced a value by one of another type: \(left as Any)")
}

extension Optional {
  /// The value behind a key path, or nil.
  subscript<Value>(optional path: KeyPath<Wrapped, Value>) -> Value? {
    self.map { $0[keyPath: path] }
  }
}
