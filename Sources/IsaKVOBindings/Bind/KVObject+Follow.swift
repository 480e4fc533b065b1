public import IsaKVO
internal import IsaKeyValue

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
  ///   - isSame: If given, a value that is the same as the one before it is not passed on.
  /// - Returns: The binding, which this object owns: it may be thrown away.
  /// - Throws: `KeyValueError.Code.notObservable` for a key path that cannot be observed;
  ///   `KeyValueError.Code.unsupported` for a class that cannot be registered. Nothing is bound then,
  ///   and what was bound before stays.
  @discardableResult
  public func follow<Source: KeyValueObservable, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, of source: Source, _ path: KeyPath<Source, Value>,
    suppressing isSame: ((Value, Value) -> Bool)? = nil
  ) throws(KeyValueError) -> Binding {
    try follow(end, source, path, isSame, convert: nil)
  }

  /// Has a property follow what is made of one of another object.
  ///
  ///     try label.follow(\.text, of: person, \.age) { "\($0) years" }
  ///
  /// - Parameter transform: Runs where the source is changed. An error of the first time, this
  ///   throws; later the binding's `onError` is told, and the property stays.
  /// - Throws: As the form without it; `KeyValueError.Code.invalid` with what `transform` throws.
  @discardableResult
  public func follow<Source: KeyValueObservable, Input, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, of source: Source, _ path: KeyPath<Source, Input>,
    suppressing isSame: ((Input, Input) -> Bool)? = nil,
    as transform: @escaping (Input) throws -> Value
  ) throws(KeyValueError) -> Binding {
    try follow(end, source, path, isSame, convert: transform)
  }

  /// Has a property follow what a transformer makes of one of another object.
  @discardableResult
  public func follow<Source: KeyValueObservable, Input, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, of source: Source, _ path: KeyPath<Source, Input>,
    _ transformer: Transformer<Input, Value>, suppressing isSame: ((Input, Input) -> Bool)? = nil
  ) throws(KeyValueError) -> Binding {
    try follow(end, source, path, isSame, convert: transformer.forward)
  }

  /// Has a property follow one that may have no value, such as one behind an optional.
  ///
  ///     try label.follow(\.text, of: person, \.home?.city, ifNil: "homeless")
  ///
  /// - Parameter placeholder: The value where there is none.
  @discardableResult
  public func follow<Source: KeyValueObservable, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, of source: Source,
    _ path: KeyPath<Source, Value?>,
    ifNil placeholder: Value, suppressing isSame: ((Value?, Value?) -> Bool)? = nil
  ) throws(KeyValueError) -> Binding {
    try follow(end, source, path, isSame) { $0 ?? placeholder }
  }

  /// Makes a binding of one direction.
  ///
  /// - Parameter delivery: Makes the later pushes; nil if each is made where the change is.
  func follow<Source: KeyValueObservable, Input, Value>(
    _ end: ReferenceWritableKeyPath<Self, Value>, _ source: Source, _ path: KeyPath<Source, Input>,
    _ isSame: ((Input, Input) -> Bool)?, convert: ((Input) throws -> Value)?,
    _ delivery: PushDelivery? = nil
  ) throws(KeyValueError) -> Binding {
    let binding = Binding(try boundEnd(end), of: self, to: source, try BindingEnd(path, of: source))
    let model = PropertyEnd(path)
    let pushing = OneWay(binding, PropertyEnd<Self, Value>(end), model, convert)
    let delivered = delivery?(binding) { value, _ in pushing.receive(value) }
    let tell = delivered?.send ?? { pushing.receive($0) }
    do throws(KeyValueError) {
      let control = try model.register(on: source, suppressing: isSame, telling: tell)
      binding.add(delivered?.ending(control) ?? control)
      // Behind the registration, so that no change on another thread is missed.
      let input = model.value(of: source)
      let first = try firstValue(input, binding.end, convert)
      try install(binding)
      pushing.start(first, of: input, to: self)
    } catch {
      binding.end(byTarget: ())
      throw error
    }
    delivered?.begin()
    return binding
  }
}

extension PropertyEnd where Root: KeyValueObservable {
  /// Registers code that is told of each change, or of those to another value.
  fileprivate func register(
    on root: Root, suppressing isSame: ((Value, Value) -> Bool)?,
    telling tell: @escaping (UnsafeRawPointer) -> Void
  ) throws(KeyValueError) -> any RegistrationControl {
    guard let isSame else { return try observe(on: root, telling: tell) }
    return try root.register(keyPath, [.old, .new], suppressing: isSame) { root, _ in
      withUnsafePointer(to: value(of: root)) { tell($0) }
    }
  }
}

// MARK: - Making a binding

extension KeyValueObservable {
  /// The name of a property that is to be bound.
  func boundEnd<Value>(_ keyPath: KeyPath<Self, Value>) throws(KeyValueError) -> BindingEnd {
    do throws(KeyValueError) { return try BindingEnd(keyPath, of: self) } catch {
      // A property need not be one that can be observed in order to be set.
      if error.code == .notObservable { return .path(keyPath) }
      throw error
    }
  }

  /// The first value that a binding shows.
  func firstValue<Input, Value>(
    _ input: Input, _ end: BindingEnd, _ convert: ((Input) throws -> Value)?
  ) throws(KeyValueError) -> Value {
    guard let convert else { return input as! Value }
    do { return try convert(input) } catch { throw bindingError(error, input, end) }
  }

  /// Has this object own a binding in place of the one that its property has.
  func install(_ binding: Binding) throws(KeyValueError) {
    let list: BindingList
    do throws(KeyValueError) { list = try kept { BindingList() } } catch {
      binding.end(byTarget: ())
      throw error
    }
    BindingList.end(list.replace(with: binding))
    reportRing(from: binding)
  }
}

extension KVObject {
  /// The bindings of this object's properties, latest first.
  public final var bindings: [Binding] {
    BindingList.of(self, makes: false)?.bindings.filter(\.isValid) ?? []
  }

  /// Ends all bindings of this object's properties. Those of other objects to its own stand.
  public final func unbindAll() {
    BindingList.of(self, makes: false)?.bindings.forEach { $0.unbind() }
  }
}

extension KeyValueObservable {
  /// Ends the binding of a property, if it has one; the property keeps its value.
  public func unbind(_ end: PartialKeyPath<Self>) { binding(of: end)?.unbind() }

  /// The binding of a property; nil if it has none.
  public func binding(of end: PartialKeyPath<Self>) -> Binding? {
    let name = try? name(partial: end)
    return bindings.first { binding in
      switch (binding.end, name) {
      case (.name(let bound), .keys(let keys)): bound == keys
      case (.path(let bound), _): bound == end
      default: false
      }
    }
  }
}
