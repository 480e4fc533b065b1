public import IsaKeyValue

extension KeyValueObservable {
  /// Observes a property, and is told of no change between values that are the same.
  @usableFromInline
  func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, _ options: ObservationOptions,
    suppressing isSame: @escaping (Value, Value) -> Bool,
    _ changeHandler: @escaping (Self, ValueChange<Value>) -> Void,
    _ file: StaticString, _ line: UInt
  ) throws(KeyValueError) -> KeyValueObservation {
    KeyValueObservation(
      try registering(file, line) { () throws(KeyValueError) in
        try register(keyPath, options, suppressing: isSame, changeHandler)
      })
  }

  /// Observes a property until the handler has been called with a change.
  ///
  ///     person.observeOnce(\.age, options: .new) { person, change in … }.store(in: bag)
  ///
  /// With `ObservationOptions.initial` that is the initial notification. The prior notification
  /// comes in addition, if it was asked for.
  ///
  /// The handler is called once, also if several threads change the value. All else is as with
  /// ``observe(_:options:suppressing:changeHandler:file:line:)``.
  public func observeOnce<Value>(
    _ keyPath: KeyPath<Self, Value>, options: ObservationOptions = [],
    changeHandler: @escaping (Self, ValueChange<Value>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> KeyValueObservation {
    let isOver = Locked(false)
    return observing(file, line) { () throws(KeyValueError) in
      try register(keyPath, options) { object, change in
        if change.isPrior {
          if !isOver.withLock({ $0 }) { changeHandler(object, change) }
          return
        }
        let isFirst = isOver.withLock { isOver in
          defer { isOver = true }
          return !isOver
        }
        change.stopObserving()
        if isFirst { changeHandler(object, change) }
      }
    }
  }

  /// Registers a closure that is not told of changes between values that are the same.
  package func register<Value>(
    _ keyPath: KeyPath<Self, Value>, _ options: ObservationOptions,
    suppressing isSame: ((Value, Value) -> Bool)?,
    _ handler: @escaping (Self, ValueChange<Value>) -> Void
  ) throws(KeyValueError) -> any RegistrationControl {
    guard let isSame else { return try register(keyPath, options, handler) }
    return try register(keyPath, options.union([.old, .new])) { object, change in
      if change.isChange, change.isBetween(isSame) { return }
      handler(object, change.limited(to: options))
    }
  }
}

extension ValueChange {
  /// Whether the value has been set, and not only read.
  fileprivate var isChange: Bool { kind == .setting && !isPrior && !isInitial }

  /// Whether there are two values, which are the same.
  fileprivate func isBetween(_ isSame: (Value, Value) -> Bool) -> Bool {
    guard let oldValue, let newValue else { return false }
    return isSame(oldValue, newValue)
  }

  /// The change with the values that the options ask for.
  fileprivate func limited(to options: ObservationOptions) -> ValueChange {
    ValueChange(
      keyPath: keyPath, cause: cause, kind: kind, isPrior: isPrior, isInitial: isInitial,
      indexes: indexes, oldValue: options.contains(.old) ? oldValue : nil,
      newValue: options.contains(.new) ? newValue : nil, handle: handle)
  }

  /// The change as that of another registration.
  func owned(by handle: any RegistrationControl) -> ValueChange {
    ValueChange(
      keyPath: keyPath, cause: cause, kind: kind, isPrior: isPrior, isInitial: isInitial,
      indexes: indexes, oldValue: oldValue, newValue: newValue, handle: handle)
  }
}
