internal import CIsa

/// Observers registered once for a class, and assigned to many of its objects.
///
///     let shared = try SharedObservers(for: person)
///     try shared.observe("age", options: .new) { change in print(change.object, change) }
///     for person in people { try person.setSharedObservers(shared) }
///
/// Objects that have only shared observers cost no registration of their own. An observer added or
/// removed later concerns later assignments only; objects keep what they were assigned after this
/// is gone. One thread at a time adds to it and assigns it.
///
/// Objects of a Swift class have `KeyValueSharedObservers` of IsaKVO, whose handlers are told by code
/// that is compiled for their types.
///
/// - Note: Source `NSKeyValueSharedObservers`, 2024.
public final class SharedObservers {
  fileprivate let shared: SharedRegistrations

  /// Makes an empty collection for instances of a class and of its subclasses.
  ///
  /// - Throws: `KeyValueError` for a metaclass and when memory is short.
  public init(for runtimeClass: RuntimeClass) throws(KeyValueError) {
    shared = try SharedRegistrations(for: runtimeClass.cls)
  }

  /// Adds a closure.
  ///
  /// - Parameters:
  ///   - key: One key, which no other affects.
  ///   - options: Of new, old and prior.
  ///   - context: A value of the registering code's own.
  ///   - handler: Runs on the thread that set the value, before the setter returns. Its change has
  ///     no observation to end.
  /// - Throws: `KeyValueError.Code.notObservable` for a key path, an operator or a
  ///   dependent key; `KeyValueError.Code.invalidOptions`;
  ///   `KeyValueError`.
  public func observe(
    _ key: String, options: ObservationOptions = [], context: ObservationContext = .none,
    handler: @escaping @Sendable (RuntimeChange) -> Void
  ) throws(KeyValueError) {
    let sink = Sink(key, ends: false, handler)
    try shared.observe(key, options, context, knowsForms: false, sink)
  }

  /// Adds a closure that is told old and new as a Swift type, as
  /// ``RuntimeObject/observe(_:as:options:handler:file:line:)``.
  ///
  /// - Throws: As ``observe(_:options:context:handler:)``.
  public func observe<Value: RuntimeConvertible>(
    _ key: String, as type: Value.Type, options: ObservationOptions = [],
    handler: @escaping @Sendable (RuntimeObject, ValueChange<Value>) -> Void
  ) throws(KeyValueError) {
    let reader = ValueReader<Value>()
    let sink = Sink { record, source in
      let old = reader.read(record.old_value)
      let new = reader.read(record.new_value)
      let object = RuntimeObject(retaining: record.object)
      deliver(
        ValueChange(record, from: source, old: old, new: new), of: object.address,
        by: source.control!, canWait: { !object.isGoing }
      ) { handler(object, $0) }
    }
    try shared.observe(key, options, knowsForms: false, sink)
  }

  /// Adds an observer object, which is held weakly.
  ///
  /// - Throws: As ``observe(_:options:context:handler:)``.
  public func addObserver(
    _ observer: RuntimeObject, forKey key: String, options: ObservationOptions = [],
    context: ObservationContext = .none
  ) throws(KeyValueError) {
    let outcome = answered(key) {
      kvo_shared_observers_add(shared.list, observer.id, key, options.bits, context.pointer)
    }
    try shared.check(outcome, key)
  }

  /// Takes the latest registration of `observer` with that key and context out of the collection.
  ///
  /// - Throws: `KeyValueError.Code.notRegistered`.
  public func removeObserver(
    _ observer: RuntimeObject, forKey key: String, context: ObservationContext = .none
  ) throws(KeyValueError) {
    let outcome = answered(key) {
      kvo_shared_observers_remove(shared.list, observer.id, key, context.pointer)
    }
    try shared.check(outcome, key)
  }
}

extension RuntimeObject {
  /// Assigns shared observers as they are now, in place of the object's former ones; nil takes
  /// these away. They come before the object's own observers in the order of registration.
  ///
  /// - Throws: `KeyValueError` if the object is no instance of their class, or is
  ///   being deallocated; `KeyValueError.Code.notObservable`.
  /// - Note: Source `setSharedObservers:`, 2024.
  public func setSharedObservers(_ shared: SharedObservers?) throws(KeyValueError) {
    try check(SharedRegistrations.assign(shared?.shared, to: id), "")
  }
}
