// Observers of Swift classes that are no Swift objects: the core's own observers, in the middle of
// a key path.
//
// Owns:  nothing; an observer keeps its stand-in as long as it may be notified.
// Locks: none.
internal import CIsa
internal import IsaKeyValue

/// Sends an object of any class the message by which it is told of a change.
private func notify(
  _ id: isa_id, _ keyPath: UnsafePointer<CChar>?, _ object: isa_id?,
  _ change: UnsafePointer<kvo_change>?, _ context: UnsafeMutableRawPointer?
) {
  let imp = isa_class_find_imp(isa_object_get_class(id), RootMethods.observe.sel)
  unsafeBitCast(imp, to: kvo_observe_imp.self)(
    id, RootMethods.observe.sel, keyPath, object, change, context)
}

/// Stands, towards a Swift class's override, for an observer that is no Swift object: one of the
/// core's own, in the middle of a key path. It hands on each change that it is told of.
final class StandIn: KVObject {
  private let observer: WeakSlot

  private init(_ observer: isa_id) throws(KeyValueError) {
    self.observer = try WeakSlot(observer)
  }

  /// The Swift object that an override gets as the observer.
  static func observer(_ id: isa_id) throws(KeyValueError) -> KVObject {
    if let object = KVObject.find(id) { return object }
    let key = UInt(bitPattern: ObjectIdentifier(self))
    let known = copyAssociation(of: id, key)
    defer { isa_object_release(known) }
    if let known { return KVObject.at(known) }
    let made = try StandIn(id)
    let standIn = try made.observedID()
    try handsOn.get()
    // The observer keeps it for as long as it may be told.
    try KeyValueError.check(setAssociation(of: id, key, standIn, ISA_ASSOCIATION_RETAIN))
    return made
  }

  private static let handsOn = Result { () throws(KeyValueError) in
    try add(
      [RootMethods.observe.added(code(handOn))],
      to: ClassRegistration.of(StandIn.self).cls)
  }

  private static let handOn: kvo_observe_imp = { id, sel, keyPath, object, change, context in
    let standIn = unsafeDowncast(KVObject.at(id!), to: StandIn.self)
    guard let observer = standIn.observer.copyObject() else { return }
    defer { isa_object_release(observer) }
    notify(observer, keyPath, object, change, context)
  }
}

// MARK: - Observers of a forwarder

extension KeyForwarder {
  /// The methods by which the core's own observers, in the middle of a key path, come and go.
  static let takesObservers = Result { () throws(KeyValueError) in
    try IsaKVO.add(
      [RootMethods.add.added(code(adding)), RootMethods.removeContext.added(code(removing))],
      to: ClassRegistration.of(KeyForwarder.self).cls)
  }

  private static let adding: kvo_add_imp = { id, _, observer, _, _, context in
    statusOf {
      try unsafeDowncast(object(id), to: KeyForwarder.self)
        .add(ForwardingObserver(observer!, context))
    }
  }

  private static let removing: kvo_remove_context_imp = { id, _, observer, _, context in
    unsafeDowncast(object(id), to: KeyForwarder.self)
      .remove(ForwardingObserver(observer!, context))
    return ISA_OK
  }
}

/// One of the core's own observers, which holds itself.
struct ForwardingObserver: Equatable, @unchecked Sendable {
  // Sendable because it is told on any thread.
  private let id: isa_id
  private let context: UnsafeMutableRawPointer?

  fileprivate init(_ id: isa_id, _ context: UnsafeMutableRawPointer?) {
    (self.id, self.context) = (id, context)
  }

  func retain() -> ForwardingObserver {
    isa_object_retain(id)
    return self
  }

  /// Tells of a change, and lets go of a change that was retained.
  func notifyAndRelease(isPrior: Bool) {
    var change = kvo_change()
    change.is_prior = isPrior
    notify(id, nil, nil, &change, context)
    isa_object_release(id)
  }
}
