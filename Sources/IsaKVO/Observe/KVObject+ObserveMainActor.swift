// Handlers of the main actor.

public import IsaKeyValue

extension KeyValueObservable {
  /// Observes a property with a handler of the main actor.
  ///
  ///     token = model.observe(\.title, delivery: .mainActor) { model, change in
  ///       label.text = model.title
  ///     }
  ///
  /// The handler runs before the setter returns. A change that is made elsewhere than on the main
  /// actor is a `Misuse`, and the handler is not called: neither the object nor the value may be
  /// handed over. Where both are `Sendable`, and where the handler takes the change alone, it is told
  /// later instead.
  ///
  /// If `isSame` is given, changes between values that are the same are not told.
  ///
  /// - Returns: The only owner of the observation; dropping it ends the observation.
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: ObservationOptions = [],
    suppressing isSame: ((Value, Value) -> Bool)? = nil, delivery: KeyValueDelivery<MainActor>,
    changeHandler: @escaping @MainActor (Self, ValueChange<Value>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> KeyValueObservation {
    observing(file, line) { () throws(KeyValueError) in
      try register(keyPath, options, suppressing: isSame) { object, change in
        guard isOnMainActor() else { return refuse(change, of: Self.self) }
        let told = Unchecked((object, change))
        MainActor.assumeIsolated { changeHandler(told.value.0, told.value.1) }
      }
    }
  }

  /// Observes a property with a handler of the main actor that is told of the change alone.
  ///
  ///     token = model.observe(\.title, options: .new, delivery: .mainActor) { change in … }
  ///
  /// The handler runs before the setter returns if that runs on the main actor. Of changes that are
  /// made elsewhere it is told later, in order and one at a time; the object may have changed again,
  /// or have gone, by then.
  ///
  /// - Returns: The only owner of the observation; dropping it ends the observation, and what has
  ///   not been told by then never is.
  public func observe<Value: Sendable>(
    _ keyPath: KeyPath<Self, Value>, options: ObservationOptions = [],
    suppressing isSame: ((Value, Value) -> Bool)? = nil, delivery: KeyValueDelivery<MainActor>,
    changeHandler: @escaping @MainActor (ValueChange<Value>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> KeyValueObservation {
    let queue = DeliveryQueue<ValueChange<Value>>()
    return observe(keyPath, options, isSame, through: queue, file, line) { _, change in
      queue.deliverToMainActor(change) { changeHandler($0) }
    }
  }
}

extension KeyValueObservable where Self: Sendable {
  /// Observes a property with a handler of the main actor that is handed the object.
  ///
  /// The handler runs before the setter returns if that runs on the main actor. Of changes that are
  /// made elsewhere it is told later, in order and one at a time; the object is kept until then.
  ///
  /// - Returns: The only owner of the observation; dropping it ends the observation, and what has
  ///   not been told by then never is.
  public func observe<Value: Sendable>(
    _ keyPath: KeyPath<Self, Value>, options: ObservationOptions = [],
    suppressing isSame: ((Value, Value) -> Bool)? = nil, delivery: KeyValueDelivery<MainActor>,
    changeHandler: @escaping @MainActor (Self, ValueChange<Value>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> KeyValueObservation {
    let queue = DeliveryQueue<(Self, ValueChange<Value>)>()
    return observe(keyPath, options, isSame, through: queue, file, line) { object, change in
      queue.deliverToMainActor((object, change)) { changeHandler($0.0, $0.1) }
    }
  }
}

extension DeliveryQueue {
  /// Reads an element on the main actor: now, if this is there, else later.
  func deliverToMainActor(
    _ element: Element, _ read: @escaping @MainActor (Element) -> Void
  ) {
    if isOnMainActor(), hand(element, to: { there in MainActor.assumeIsolated { read(there) } }) {
      return
    }
    if post(element) { emptyOnMainActor(read) }
  }

  /// Has each element read on the main actor.
  func emptyOnMainActor(_ read: @escaping @MainActor (Element) -> Void) {
    Task { @MainActor in
      while self.empty({ there in MainActor.assumeIsolated { read(there) } }) { await Task.yield() }
    }
  }
}

/// Reports a change that nobody on the main actor may be told of.
private func refuse<Value>(_ change: ValueChange<Value>, of type: KVObject.Type) {
  Misuse.end(
    KeyValueError(
      .wrongThread, key: change.keyPath, className: "\(type)",
      reason: "“\(change.keyPath)” of \(type) changed elsewhere than on the main actor, to which "
        + "the handler of its observation belongs: the handler was not called"))
}
