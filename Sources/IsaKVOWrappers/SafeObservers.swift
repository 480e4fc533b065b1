public import IsaKVO
public import IsaKeyValue

/// Observer objects that nothing can go wrong with: see `KVObject.safeObservers`.
///
/// Not `Sendable`, as the object.
public struct SafeObservers {
  let object: KVObject

  /// Registers `observer`, which is told by
  /// `KVObject.observeValue(forKeyPath:of:change:context:)`.
  ///
  /// Held weakly: its end is the registration's, as is that of the object. The same registration
  /// again changes nothing. No lock is held while the initial notification is told, so that it may
  /// add and remove observers.
  ///
  /// - Returns: Whether it was not registered before.
  /// - Throws: `KeyValueError.Code.alreadyObserved` if it is registered with other
  ///   options, which stay; `KeyValueError.Code.notObservable` for a key that the
  ///   class does not know; `KeyValueError.Code.invalidOptions`.
  @discardableResult
  public func addObserver(
    _ observer: KVObject, forKeyPath keyPath: String, options: ObservationOptions = [],
    context: ObservationContext = .none
  ) throws(KeyValueError) -> Bool {
    let key = SafeObserverTable.Key(ObjectIdentifier(observer), keyPath, context)
    return try object.kept(SafeObserverTable.init).table.add(key, keyPath, options) {
      () throws(KeyValueError) in
      let control = try object.register(keyPath, options, telling: observer, context)
      return try tied(control, to: observer)
    }
  }

  /// Removes an observer's registration; nothing happens if there is none.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func removeObserver(
    _ observer: KVObject, forKeyPath keyPath: String, context: ObservationContext
  ) -> Bool {
    let key = SafeObserverTable.Key(ObjectIdentifier(observer), keyPath, context)
    return remove { $0 == key }
  }

  /// Removes an observer's registrations for a key path, with any contexts; nothing happens if
  /// there are none.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  public func removeObserver(_ observer: KVObject, forKeyPath keyPath: String) -> Bool {
    let observer = ObjectIdentifier(observer)
    return remove { $0.observer == observer && $0.keyPath == keyPath }
  }

  /// Removes all registrations of an observer; nothing happens if there are none.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  public func removeObserver(_ observer: KVObject) -> Bool {
    let observer = ObjectIdentifier(observer)
    return remove { $0.observer == observer }
  }

  private func remove(_ matches: (SafeObserverTable.Key) -> Bool) -> Bool {
    // An object that cannot be observed has none.
    guard let table = try? object.kept(SafeObserverTable.init).table else { return false }
    return table.remove(where: matches) > 0
  }
}

extension KVObject {
  /// Adds and removes observer objects so that neither's death, nor a removal too many, nor the
  /// same registration twice does any harm.
  ///
  ///     try person.safeObservers.addObserver(view, forKeyPath: "age", options: .new)
  ///     person.safeObservers.removeObserver(view, forKeyPath: "age")
  ///     person.safeObservers.removeObserver(view, forKeyPath: "age")   // false, and that is all
  public var safeObservers: SafeObservers { SafeObservers(object: self) }
}

/// The registrations that ``SafeObservers`` has made on an object, kept by the object.
final class SafeObserverTable: Sendable {
  struct Key: Hashable {
    let observer: ObjectIdentifier
    let keyPath: String
    let context: ObservationContext

    init(_ observer: ObjectIdentifier, _ keyPath: String, _ context: ObservationContext) {
      self.observer = observer
      self.keyPath = keyPath
      self.context = context
    }
  }

  let table = ObservationTable<Key>()
}
