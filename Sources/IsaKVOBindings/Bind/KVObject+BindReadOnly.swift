// The words of the compiler where a property that cannot be set is to be.
public import IsaKVO

extension KeyValueObservable {
  /// Not available: `bind` sets both properties, and one of these cannot be set.
  @available(
    *, unavailable,
    message: "bind sets both properties, and one of these cannot be set; write: follow(_:of:_:)"
  )
  @_disfavoredOverload @discardableResult
  public func bind<Source: KeyValueObservable, Value>(
    _ end: KeyPath<Self, Value>, to source: Source, _ path: KeyPath<Source, Value>,
    validates: Bool = false
  ) throws(KeyValueError) -> Binding { throw readOnly(path) }

  /// Not available: `bind` sets both properties, and one of these cannot be set.
  @available(
    *, unavailable,
    message: "bind sets both properties, and one of these cannot be set; write: follow(_:of:_:_:)"
  )
  @_disfavoredOverload @discardableResult
  public func bind<Source: KeyValueObservable, Input, Value>(
    _ end: KeyPath<Self, Value>, to source: Source, _ path: KeyPath<Source, Input>,
    _ transformer: Transformer<Input, Value>, validates: Bool = false
  ) throws(KeyValueError) -> Binding { throw readOnly(path) }

  /// Not available: `bind` sets both properties, and one of these cannot be set.
  @available(
    *, unavailable,
    message:
      "bind sets both properties, and one of these cannot be set; write: follow(_:of:_:ifNil:), or give bind the key paths on both sides of an optional"
  )
  @_disfavoredOverload @discardableResult
  public func bind<Source: KeyValueObservable, Value>(
    _ end: KeyPath<Self, Value>, to source: Source, _ path: KeyPath<Source, Value?>,
    ifNil placeholder: Value, validates: Bool = false
  ) throws(KeyValueError) -> Binding { throw readOnly(path) }

  /// Not available: `bind` sets both properties, and one of these cannot be set.
  @available(
    *, unavailable,
    message:
      "bind sets both properties, and one of these cannot be set; write: follow(_:of:_:ifNil:)"
  )
  @_disfavoredOverload @discardableResult
  public func bind<Source: KeyValueObservable, Middle: KeyValueObservable, Value>(
    _ end: KeyPath<Self, Value>, to source: Source, _ first: KeyPath<Source, Middle?>,
    _ rest: KeyPath<Middle, Value>, ifNil placeholder: Value, validates: Bool = false
  ) throws(KeyValueError) -> Binding { throw readOnly(rest) }

  /// Not available: `bind` sets both properties, and one of these cannot be set.
  @available(
    *, unavailable,
    message:
      "bind sets both properties, and one of these cannot be set; write: follow(_:of:_:delivery:)"
  )
  @_disfavoredOverload @discardableResult
  public func bind<Source: KeyValueObservable, Value, Place>(
    _ end: KeyPath<Self, Value>, to source: Source, _ path: KeyPath<Source, Value>,
    validates: Bool = false, delivery: KeyValueDelivery<Place>
  ) throws(KeyValueError) -> Binding { throw readOnly(path) }

  /// Not available: `follow` sets the property, and this one cannot be set.
  @available(
    *, unavailable, message: "follow sets the property, and this one cannot be set"
  )
  @_disfavoredOverload @discardableResult
  public func follow<Source: KeyValueObservable, Value>(
    _ end: KeyPath<Self, Value>, of source: Source, _ path: KeyPath<Source, Value>
  ) throws(KeyValueError) -> Binding { throw readOnly(end) }

  private func readOnly(_ path: AnyKeyPath) -> KeyValueError {
    KeyValueError(.notBindable, key: "\(path)", className: className)
  }
}
