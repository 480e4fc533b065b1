internal import CIsa

extension RuntimeObject {
  /// Observes `keyPath` until the returned observation is invalidated or released.
  ///
  ///     let age = try person.observe("age", options: [.old, .new]) { change in
  ///       print(change.oldValue ?? "none", change.newValue ?? "none")
  ///     }
  ///
  /// The observation follows the key path through the objects that it leads to, also when one of
  /// them is replaced.
  ///
  /// - Parameters:
  ///   - keyPath: Keys joined by dots, such as `"address.city"`; at least one key. It may end in an
  ///     operator without argument, as `"members.@count"`.
  ///   - options: The values that a change carries, and the notifications besides those of changes.
  ///   - handler: Runs on the thread that set the value, before the setter returns.
  ///   - file: The call's file, for the event log.
  ///   - line: The call's line.
  /// - Returns: The only owner of the observation; dropping it ends the observation.
  /// - Throws: `KeyValueError.Code.notObservable` when a key has no accessor and no
  ///   ivar, as far as there are objects to ask, and for a path through an array or a set;
  ///   `KeyValueError.Code.invalidOptions`;
  ///   `KeyValueError.Code.selfDependent`;
  ///   `KeyValueError.Code.tooDeep`; `KeyValueError`.
  /// - Complexity: O(*n*) in the number of keys, plus one class pair for a class not observed
  ///   before.
  /// - Note: Source `addObserver(_:forKeyPath:options:context:)`; differences in docs/behaviour.md.
  public func observe(
    _ keyPath: String, options: ObservationOptions = [],
    handler: @escaping @Sendable (RuntimeChange) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> KeyValueObservation {
    try observe(keyPath, options, Sink(keyPath, ends: true, handler), file, line)
  }

  /// Observes `keyPath` with old and new as a Swift type, read where they stand.
  ///
  ///     let age = try person.observe("age", as: Int.self, options: [.old, .new]) { change in
  ///       print((change.newValue ?? 0) - (change.oldValue ?? 0))
  ///     }
  ///
  /// A value that is not of the type, nor can be converted to it, is left out of the change. The handler
  /// runs on the thread that set the value, before the setter returns.
  ///
  /// - Returns: The only owner of the observation; dropping it ends the observation.
  /// - Throws: As ``observe(_:options:handler:file:line:)``.
  @_specialize(where Value == Bool)
  @_specialize(where Value == Int)
  @_specialize(where Value == Int32)
  @_specialize(where Value == UInt)
  @_specialize(where Value == Float)
  @_specialize(where Value == Double)
  public func observe<Value: RuntimeConvertible>(
    _ keyPath: String, as type: Value.Type, options: ObservationOptions = [],
    handler: @escaping @Sendable (ValueChange<Value>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> KeyValueObservation {
    // The usual types have code of their own, as the attributes say: the generic code looks up
    // metadata at each change, which costs more than all the rest.
    let reader = ValueReader<Value>()
    return try observe(
      keyPath, options,
      Sink { record, source in
        let old = reader.read(record.old_value)
        let new = reader.read(record.new_value)
        deliver(
          ValueChange(record, from: source, old: old, new: new),
          of: objectAddress(in: record), by: source.control!, canWait: { true }, to: handler)
      }, file, line)
  }

  private func observe(
    _ keyPath: String, _ options: ObservationOptions, _ sink: Sink, _ file: StaticString,
    _ line: UInt
  ) throws(KeyValueError) -> KeyValueObservation {
    SwiftBox.makeClasses()
    try checkKnown(keyPath, of: id)
    let (outcome, registration) = registering(file, line) {
      ClosureRegistration.register(sink, on: id, keyPath, options)
    }
    try check(outcome, keyPath)
    return KeyValueObservation(registration)
  }
}

extension Sink {
  /// What tells `handler`, whose changes can end the observation if `ends`.
  init(_ keyPath: String, ends: Bool, _ handler: @escaping @Sendable (RuntimeChange) -> Void) {
    self.init { record, source in
      let control = source.control!
      let change = RuntimeChange(
        record, keyPath: keyPath, ending: ends ? .closure(control) : nil)
      deliver(
        change, of: change.object.address, by: control, canWait: { !change.object.isGoing },
        to: handler)
    }
  }
}
