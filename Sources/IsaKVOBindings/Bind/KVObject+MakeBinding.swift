// The only place where bindings are made, typed or by name.
internal import IsaKVO
internal import IsaKeyValue

extension KeyValueObservable {
  /// Makes a binding as planned.
  ///
  /// - Parameters:
  ///   - file: The file of the call that binds, for the event log.
  ///   - line: Its line.
  ///   - delivery: Makes the later pushes; nil if each is made where the change is.
  func make<Source: KeyValueObservable, Input, Value>(
    _ plan: BindingPlan<Self, Source, Input, Value>, _ source: Source,
    _ file: StaticString, _ line: UInt, _ delivery: PushDelivery? = nil
  ) throws(KeyValueError) -> Binding {
    let binding = Binding(
      try boundEnd(plan.end), of: self, to: source, try source.name(of: plan.path))
    let pushing: OneWay<Self, Source, Input, Value> =
      if let ways = plan.ways { TwoWay(binding, plan, ways) } else { OneWay(binding, plan) }
    try binding.begin(delivery, file, line, { pushing.receiveDelivered($0, isLast: $1) }) {
      delivered throws(KeyValueError) in
      try pushing.register(on: source, plan.isSame, telling: delivered?.send)
    } show: { () throws(KeyValueError) in
      let input = pushing.model.value(of: source), first: Value
      do { first = try pushing.output(of: input) } catch {
        throw bindingError(error, input, binding.end)
      }
      try pushing.registerBack(on: self)
      try install(binding)
      pushing.start(first, of: input, to: self)
    }
    return binding
  }

  /// Makes a binding as planned, whose later pushes are made where a delivery leads.
  func make<Source: KeyValueObservable, Input: Sendable, Value, Place>(
    _ plan: BindingPlan<Self, Source, Input, Value>, _ source: Source,
    _ delivery: KeyValueDelivery<Place>, _ file: StaticString, _ line: UInt
  ) throws(KeyValueError) -> Binding {
    try make(plan, source, file, line, DeliveredPushes.by(delivery, Input.self))
  }

  /// The same on an actor, on which this has to be called.
  func make<Source: KeyValueObservable, Input: Sendable, Value, Isolation: Actor>(
    _ plan: BindingPlan<Self, Source, Input, Value>, _ source: Source,
    _ delivery: KeyValueDelivery<KeyValueActor<Isolation>>, _ isolation: (any Actor)?,
    _ file: StaticString, _ line: UInt
  ) throws(KeyValueError) -> Binding {
    try checkCall(delivery, isolation, KVObject.keyPath(of: plan.end) ?? "\(plan.end)")
    return try make(plan, source, delivery, file, line)
  }

  /// The name of a property that is to be bound.
  private func boundEnd<Value>(
    _ keyPath: KeyPath<Self, Value>
  ) throws(KeyValueError) -> PathName {
    do throws(KeyValueError) { return try name(of: keyPath) } catch {
      // A property that cannot be observed can be set all the same.
      if error.code == .notObservable { return .path(keyPath) }
      throw error
    }
  }
}

extension Binding {
  /// Registers what pushes, and shows the first value; where either fails, the binding has ended.
  ///
  /// - Parameters:
  ///   - receive: Makes a push that was delivered.
  ///   - register: Registers at the source what makes pushes, or sends them to be delivered.
  ///   - show: Shows the first value, and has the target own the binding.
  func begin(
    _ delivery: PushDelivery?, _ file: StaticString, _ line: UInt,
    _ receive: @escaping (UnsafeRawPointer, Bool) -> Void,
    register: (DeliveredPushes?) throws(KeyValueError) -> any RegistrationControl,
    show: () throws(KeyValueError) -> Void
  ) throws(KeyValueError) {
    try registering(file, line) { () throws(KeyValueError) in
      try logging(span: "bind \(end)") { () throws(KeyValueError) in
        try beginLogged(delivery?(self, receive), register, show)
      }
    }
  }

  private func beginLogged(
    _ delivered: DeliveredPushes?,
    _ register: (DeliveredPushes?) throws(KeyValueError) -> any RegistrationControl,
    _ show: () throws(KeyValueError) -> Void
  ) throws(KeyValueError) {
    do throws(KeyValueError) {
      let control = try register(delivered)
      add(delivered?.ending(control) ?? control)
      // Behind the registration, so that no change on another thread is missed.
      try show()
    } catch {
      end(byTarget: ())
      throw error
    }
    delivered?.begin()
  }
}

extension KVObject {
  /// Has this object own a binding in place of its property's former one.
  final func install(_ binding: Binding) throws(KeyValueError) {
    let list = try kept { BindingList() }
    BindingList.end(list.replace(with: binding))
    reportRing(from: binding)
  }

  /// Throws unless this is called on the actor that a delivery leads to.
  final func checkCall<Isolation: Actor>(
    _ delivery: KeyValueDelivery<KeyValueActor<Isolation>>, _ isolation: (any Actor)?,
    _ key: @autoclosure () -> String
  ) throws(KeyValueError) {
    if delivery.isOn(isolation) { return }
    let key = key()
    throw KeyValueError(
      .wrongThread, key: key, className: "\(type(of: self))",
      reason:
        "“\(key)” of \(type(of: self)) was to be bound on \(Isolation.self), and the call was made "
        + (isolation.map { "on \(type(of: $0))" } ?? "on no actor"),
      cure: "call it in code of the actor to which the object belongs")
  }
}
