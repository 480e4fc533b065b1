public import IsaKeyValue

extension KeyValueObservable {
  /// Observes a property with a handler that runs elsewhere: on a queue or an executor.
  ///
  ///     let token = person.observe(\.age, options: .new, delivery: .queue(queue)) { change in … }
  ///
  /// The setter does not wait. Changes are told in order and one at a time. The object may have
  /// changed again, or have gone, when one is told; it is not handed over, because a class that is
  /// not `Sendable` is not for two threads.
  ///
  /// If `isSame` is given, changes between values that are the same are not told.
  ///
  /// - Returns: The only owner of the observation; dropping it ends the observation, and what has
  ///   not been told by then never is.
  public func observe<Value: Sendable>(
    _ keyPath: KeyPath<Self, Value>, options: ObservationOptions = [],
    suppressing isSame: ((Value, Value) -> Bool)? = nil,
    delivery: KeyValueDelivery<KeyValueQueue>,
    changeHandler: @escaping @Sendable (ValueChange<Value>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> KeyValueObservation {
    let queue = DeliveryQueue<ValueChange<Value>>()
    return observe(keyPath, options, isSame, through: queue, file, line) { _, change in
      delivery.place.deliver(change, through: queue, to: changeHandler)
    }
  }

  /// Observes a property with a handler that runs on an actor.
  ///
  ///     let token = person.observe(\.age, options: .new, delivery: .on(counter)) {
  ///       counter, change in
  ///       counter.sum += change.newValue ?? 0
  ///     }
  ///
  /// As with a queue. The actor is held weakly; the observation ends with it.
  public func observe<Value: Sendable, Isolation: Actor>(
    _ keyPath: KeyPath<Self, Value>, options: ObservationOptions = [],
    suppressing isSame: ((Value, Value) -> Bool)? = nil,
    delivery: KeyValueDelivery<KeyValueActor<Isolation>>,
    changeHandler: @escaping @Sendable (isolated Isolation, ValueChange<Value>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> KeyValueObservation {
    let queue = DeliveryQueue<ValueChange<Value>>(), place = delivery.ofActor()
    return observe(keyPath, options, isSame, through: queue, file, line) { _, change in
      if queue.post(change) { place.empty(queue, there: changeHandler) }
    }
  }

  /// Registers what fills a queue.
  func observe<Value, Element>(
    _ keyPath: KeyPath<Self, Value>, _ options: ObservationOptions,
    _ isSame: ((Value, Value) -> Bool)?, through queue: DeliveryQueue<Element>,
    _ file: StaticString, _ line: UInt, _ post: @escaping (Self, ValueChange<Value>) -> Void
  ) -> KeyValueObservation {
    observing(file, line) { () throws(KeyValueError) in
      let control = try register(keyPath, options, suppressing: isSame) { object, change in
        post(object, change.owned(by: queue))
      }
      queue.open(from: control)
      return queue
    }
  }
}

extension KeyValueObservable where Self: Sendable {
  /// Observes a property of an object that several threads may use, with a handler that runs
  /// elsewhere and is handed the object.
  ///
  /// As the form without the object, which is kept until it has been told of.
  public func observe<Value: Sendable>(
    _ keyPath: KeyPath<Self, Value>, options: ObservationOptions = [],
    suppressing isSame: ((Value, Value) -> Bool)? = nil,
    delivery: KeyValueDelivery<KeyValueQueue>,
    changeHandler: @escaping @Sendable (Self, ValueChange<Value>) -> Void,
    file: StaticString = #fileID, line: UInt = #line
  ) -> KeyValueObservation {
    let queue = DeliveryQueue<(Self, ValueChange<Value>)>()
    return observe(keyPath, options, isSame, through: queue, file, line) { object, change in
      delivery.place.deliver((object, change), through: queue) { changeHandler($0.0, $0.1) }
    }
  }
}
