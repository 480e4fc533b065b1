internal import CIsa

// MARK: - Observer objects

extension RuntimeObject {
  /// Registers `observer`, which is told by `observeValueForKeyPath:ofObject:change:context:`.
  ///
  /// The observer is held weakly (or strongly, by option), the observed object is not held. The
  /// same registration may be made again: it is then told twice and removed twice. A single key
  /// that the class does not know is accepted.
  ///
  /// - Throws: `KeyValueError.Code.invalidOptions`;
  ///   `KeyValueError.Code.notObservable` for a class, an object that does not
  ///   descend from the root class, and an array or a set, on the way too;
  ///   `KeyValueError` if a key before the last is unknown, or the initial
  ///   notification has to carry a value and the key has none;
  ///   `KeyValueError.Code.selfDependent`;
  ///   `KeyValueError.Code.tooDeep`; `KeyValueError`.
  /// - Note: Source `addObserver:forKeyPath:options:context:`, NSKeyValueObserving.h.
  public func addObserver(
    _ observer: RuntimeObject, forKeyPath keyPath: String, options: ObservationOptions = [],
    context: ObservationContext = .none
  ) throws(KeyValueError) {
    SwiftBox.makeClasses()
    try ask(keyPath) {
      kvo_add_observer(id, observer.id, keyPath, options.bits, context.pointer)
    }
  }

  /// Removes the latest registration of `observer` for `keyPath`, with any context.
  ///
  /// Once this has returned, the observer is not told any more on any thread.
  ///
  /// - Throws: `KeyValueError.Code.notRegistered`, and nothing changes;
  ///   `KeyValueError.Code.inconsistent`, and the registration is removed
  ///   nevertheless.
  public func removeObserver(
    _ observer: RuntimeObject, forKeyPath keyPath: String
  ) throws(KeyValueError) {
    try ask(keyPath) { kvo_remove_observer(id, observer.id, keyPath) }
  }

  /// Removes the latest registration of `observer` for `keyPath` that has exactly this context.
  ///
  /// - Throws: As ``removeObserver(_:forKeyPath:)``.
  public func removeObserver(
    _ observer: RuntimeObject, forKeyPath keyPath: String, context: ObservationContext
  ) throws(KeyValueError) {
    try ask(keyPath) {
      kvo_remove_observer_context(id, observer.id, keyPath, context.pointer)
    }
  }
}

// MARK: - Elements of an array

extension RuntimeObject {
  /// Registers `observer` for `keyPath` on elements of this object, which is an array.
  ///
  /// - Throws: As ``addObserver(_:forKeyPath:options:context:)`` of the first element that refuses,
  ///   and those before it are as they were; `KeyValueError.Code.notObservable` if
  ///   this is no array; `KeyValueError.Code.outOfRange`.
  /// - Note: Source `addObserver:toObjectsAtIndexes:forKeyPath:options:context:`,
  ///   NSKeyValueObserving.h.
  public func addObserver(
    _ observer: RuntimeObject, toObjectsAt indexes: [Int], forKeyPath keyPath: String,
    options: ObservationOptions = [], context: ObservationContext = .none
  ) throws(KeyValueError) {
    try ask(keyPath) {
      withIndexSet(indexes) {
        kvo_elements_add_observer(id, observer.id, $0, keyPath, options.bits, context.pointer)
      }
    }
  }

  /// Removes the latest registrations of `observer` for `keyPath` from elements of this array,
  /// with any contexts.
  ///
  /// - Throws: As ``removeObserver(_:forKeyPath:)`` of the first element that refuses, and those
  ///   before it are as they were.
  public func removeObserver(
    _ observer: RuntimeObject, fromObjectsAt indexes: [Int], forKeyPath keyPath: String
  ) throws(KeyValueError) {
    try ask(keyPath) {
      withIndexSet(indexes) { kvo_elements_remove_observer(id, observer.id, $0, keyPath) }
    }
  }

  /// Removes the latest registrations of `observer` for `keyPath` that have exactly this context
  /// from elements of this array.
  ///
  /// - Throws: As ``removeObserver(_:fromObjectsAt:forKeyPath:)``.
  public func removeObserver(
    _ observer: RuntimeObject, fromObjectsAt indexes: [Int], forKeyPath keyPath: String,
    context: ObservationContext
  ) throws(KeyValueError) {
    try ask(keyPath) {
      withIndexSet(indexes) {
        kvo_elements_remove_observer_context(id, observer.id, $0, keyPath, context.pointer)
      }
    }
  }
}
