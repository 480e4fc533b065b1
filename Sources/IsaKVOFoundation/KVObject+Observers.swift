public import IsaKVO
public import IsaKeyValue

extension KeyValueObservable {
  /// Registers `observer`, which is told by `observeValue(forKeyPath:of:change:context:)`.
  ///
  /// A registration that fails is a misuse. Numbers in the dictionary of a change are `NSNumber`,
  /// nil is `NSNull`, indexes are an `IndexSet`.
  ///
  /// - Note: Source `addObserver:forKeyPath:options:context:`, NSKeyValueObserving.h.
  public func addObserver(
    _ observer: KVObject, forKeyPath keyPath: String, options: ObservationOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    endingMisuse(()) { () throws(KeyValueError) in
      try forwardAdd(observer, keyPath, options.union(.foreignNames), context)
    }
  }

  /// Removes the latest registration of `observer` for `keyPath`, with any context. A removal that
  /// matches no registration is a misuse.
  ///
  /// - Note: Source `removeObserver:forKeyPath:`, NSKeyValueObserving.h.
  public func removeObserver(_ observer: KVObject, forKeyPath keyPath: String) {
    endingMisuse(()) { () throws(KeyValueError) in try forwardRemove(observer, keyPath) }
  }

  /// Removes the latest registration of `observer` for `keyPath` that has exactly this context.
  ///
  /// - Note: Source `removeObserver:forKeyPath:context:`, NSKeyValueObserving.h.
  public func removeObserver(
    _ observer: KVObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) {
    endingMisuse(()) { () throws(KeyValueError) in
      try forwardRemove(observer, keyPath, context)
    }
  }
}
