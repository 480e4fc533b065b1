internal import IsaKeyValue

/// An observation of a key path that is more than the names of keys: the part that knows its types.
final class EvaluatedObservation<Root: KVObject, Value>: EvaluatedPath, @unchecked Sendable {
  private let property: PropertyEnd<Root, Value>
  private let walk: PathWalk?
  /// Nil where a sink is told.
  private let handler: ((Root, ValueChange<Value>) -> Void)?

  init(
    _ root: Root, _ keyPath: KeyPath<Root, Value>, _ known: KnownPath,
    _ options: ObservationOptions, isPart: Bool = false,
    _ handler: ((Root, ValueChange<Value>) -> Void)? = nil, sink: Sink? = nil
  ) {
    property = PropertyEnd(keyPath)
    walk = known.mayStop ? PathWalk(keyPath) : nil
    self.handler = handler
    super.init(
      root, known, options, isPart: isPart, sink: sink,
      getter: walk == nil ? property.getter : nil, layout: ValueLayout(of: Value.self))
  }

  // MARK: Values

  override func read(_ root: KVObject, to place: UnsafeMutableRawPointer) -> Bool {
    let root = unsafeDowncast(root, to: Root.self)
    // The probe is told of nil on the way, and of what leads there else only once.
    if let walk, KeyPathProbe.pauseIfCurrent({ walk.stops(at: root) }),
      walk.stops(at: root)
    {
      return false
    }
    property.read(root, to: place)
    return true
  }

  override func drop(_ place: UnsafeMutableRawPointer) {
    place.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
  }

  private func value(at place: UnsafeMutableRawPointer?) -> Value? {
    place?.assumingMemoryBound(to: Value.self).pointee
  }

  // MARK: Telling

  override func deliver(_ notification: Notification, of root: KVObject) {
    let root = unsafeDowncast(root, to: Root.self)
    let change = ValueChange(
      keyPath: name, cause: notification.cause?.key, kind: .setting, isPrior: notification.isPrior,
      isInitial: notification.isInitial, indexes: nil, oldValue: value(at: notification.old),
      newValue: value(at: notification.new), handle: self)
    if isPart {
      LoggedNotification.proceed()
      KeyPathProbe.pauseIfCurrent { tell(root, change) }
    } else if !notification.isInitial, let due = due(of: root) {
      IsaKVO.deliver(change, of: root, by: self) { self.end($1, of: $0, due) }
    } else {
      IsaKVO.deliver(change, of: root, by: self, to: tell)
    }
  }

  /// Tells a change at the end of a transaction, with the value that the key path has then.
  private func end(_ change: ValueChange<Value>, of root: Root, _ due: Due) {
    if change.isPrior { return tell(root, change) }
    due.settle()
    guard let outcome = due.outcome, let place = newValue(of: outcome) else { return }
    tell(
      root,
      ValueChange(
        keyPath: name, cause: change.cause, kind: .setting, isPrior: false, isInitial: false,
        indexes: nil, oldValue: change.oldValue, newValue: value(at: place.address), handle: self))
  }

  private func tell(_ root: Root, _ change: ValueChange<Value>) {
    if let handler { handler(root, change) } else { sink.notify(change, of: root) }
  }
}
