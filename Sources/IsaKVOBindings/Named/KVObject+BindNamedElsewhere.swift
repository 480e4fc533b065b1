// Bindings by name whose source is changed elsewhere than where the target belongs.
public import IsaKVO

extension KVObject {
  /// Has what a name stands for show the value at a key path of an object that others change, on the
  /// main actor.
  ///
  ///     try field.bind(.value, to: account, withKeyPath: "name", delivery: .mainActor)
  ///
  /// The value is shown at once. Each later change shows once what the source has when the change has
  /// arrived: before the setter returns if it is made on the main actor, else later. Once
  /// ``Binding/unbind()`` has returned, nothing is shown any more.
  ///
  /// Edits belong to the main actor, too, and set the source there.
  ///
  /// - Throws: As the form without a delivery.
  @MainActor @discardableResult
  public final func bind(
    _ name: BindingName, to source: KVObject, withKeyPath keyPath: String,
    options: BindingOptions = BindingOptions(), delivery: KeyValueDelivery<MainActor>,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try bindNamed(
      name, source, keyPath, options, DeliveredPushes.by(delivery, Void.self), file, line)
  }
}

extension KeyValueObservable where Self: Sendable {
  /// Has what a name stands for show the value at a key path of another object, on a queue or an
  /// executor. Several threads may use both objects.
  ///
  ///     try field.bind(.value, to: account, withKeyPath: "name", delivery: .enqueue { idle($0) })
  ///
  /// The value is shown at once, on the thread of this call. Each later change shows once, where the
  /// delivery leads, what the source has when the change has arrived there. Once ``Binding/unbind()`` has
  /// returned, nothing is shown any more.
  ///
  /// Edits are to be made where the delivery leads, and set the source there. The options are used there
  /// from then on.
  ///
  /// - Throws: As the form without a delivery; `KeyValueError.Code.wrongThread` if one of the objects
  ///   belongs to the main actor, where a queue cannot reach it by name.
  @discardableResult
  public func bind<Source: KeyValueObservable & Sendable>(
    _ name: BindingName, to source: Source, withKeyPath keyPath: String,
    options: sending BindingOptions = BindingOptions(), delivery: KeyValueDelivery<KeyValueQueue>,
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KeyValueError) -> Binding {
    try checkReach(self, key: name.rawValue)
    try checkReach(source, key: keyPath)
    return try bindNamed(
      name, source, keyPath, options, DeliveredPushes.by(delivery, Void.self), file, line)
  }
}

/// Throws if an object can be reached by name on the main actor only.
private func checkReach(_ object: KVObject, key: String) throws(KeyValueError) {
  guard object is any MainActorObject else { return }
  let name = "\(type(of: object))"
  throw KeyValueError(
    .wrongThread, key: key, className: name,
    reason:
      "“\(key)” of \(name) was to be bound where another delivery leads than to the main actor, "
      + "to which it belongs",
    cure: "bind it with the delivery `.mainActor`")
}
