// The messages by which observer objects are registered and removed: how the core reaches a class
// that overrides them, and what is at the end of a chain of `super`.
//
// Owns:  nothing.
// Locks: none; all that runs here is the classes' own code, and the core's.
internal import CIsa
package import IsaRuntime

private typealias Add =
  @convention(c) (
    isa_id?, isa_sel?, isa_id?, UnsafePointer<CChar>?, UInt64, UnsafeMutableRawPointer?
  ) -> isa_status
private typealias Remove =
  @convention(c) (
    isa_id?, isa_sel?, isa_id?, UnsafePointer<CChar>?
  ) -> isa_status
private typealias RemoveContext =
  @convention(c) (
    isa_id?, isa_sel?, isa_id?, UnsafePointer<CChar>?, UnsafeMutableRawPointer?
  ) -> isa_status
private typealias Observe =
  @convention(c) (
    isa_id?, isa_sel?, UnsafePointer<CChar>?, isa_id?, UnsafePointer<kvo_change>?,
    UnsafeMutableRawPointer?
  ) -> Void
private typealias GetInfo = @convention(c) (isa_id?, isa_sel?) -> UnsafeMutableRawPointer?
private typealias SetInfo =
  @convention(c) (
    isa_id?, isa_sel?, UnsafeMutableRawPointer?
  ) -> isa_status

private let addSelector: RuntimeSelector = "addObserver:forKeyPath:options:context:"
private let removeSelector: RuntimeSelector = "removeObserver:forKeyPath:"
private let removeContextSelector: RuntimeSelector = "removeObserver:forKeyPath:context:"
private let observeSelector: RuntimeSelector = "observeValueForKeyPath:ofObject:change:context:"
private let infoSelector: RuntimeSelector = "observationInfo"
private let setInfoSelector: RuntimeSelector = "setObservationInfo:"

// MARK: - Methods that a class may override

let observerOverrides: [Override] = [
  Override(Adds.self, addSelector.name, code(add), "i@:@*Q^v"),
  Override(Removes.self, removeSelector.name, code(remove), "i@:@*"),
  Override(RemovesContext.self, removeContextSelector.name, code(removeContext), "i@:@*^v"),
  Override(Keeps.self, infoSelector.name, code(info), "^v@:"),
  Override(Keeps.self, setInfoSelector.name, code(setInfo), "i@:^v"),
]

// Each overrides one member, which tells its place in the method table.
private final class Adds: KVObject {
  override func addObserver(
    _ observer: KVObject, forKeyPath keyPath: String, options: ObservationOptions,
    context: UnsafeMutableRawPointer?
  ) throws(KeyValueError) {}
}
private final class Removes: KVObject {
  override func removeObserver(
    _ observer: KVObject, forKeyPath keyPath: String
  ) throws(KeyValueError) {}
}
private final class RemovesContext: KVObject {
  override func removeObserver(
    _ observer: KVObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) throws(KeyValueError) {}
}
private final class Keeps: KVObject {
  override var observationInfo: UnsafeMutableRawPointer? {
    get { nil }
    set {}
  }
}

private let add: Add = { id, _, observer, keyPath, options, context in
  statusOf(messageTo: id) { () throws(KeyValueError) in
    try KVObject.at(id!).addObserver(
      try StandIn.observer(observer!), forKeyPath: String(cString: keyPath!),
      options: ObservationOptions(rawValue: UInt(options)), context: context)
  }
}

private let remove: Remove = { id, _, observer, keyPath in
  statusOf(messageTo: id) { () throws(KeyValueError) in
    try KVObject.at(id!).removeObserver(
      try StandIn.observer(observer!), forKeyPath: String(cString: keyPath!))
  }
}

private let removeContext: RemoveContext = { id, _, observer, keyPath, context in
  statusOf(messageTo: id) { () throws(KeyValueError) in
    try KVObject.at(id!).removeObserver(
      try StandIn.observer(observer!), forKeyPath: String(cString: keyPath!), context: context)
  }
}

private let info: GetInfo = { id, _ in KVObject.at(id!).observationInfo }

private let setInfo: SetInfo = { id, _, info in
  KVObject.at(id!).observationInfo = info
  return ISA_OK
}

// MARK: - Observers that are no Swift objects

/// Stands, towards a Swift class's override, for an observer that is no Swift object: one of the
/// core's own, in the middle of a key path. It hands each change on as it is told of it.
private final class StandIn: KVObject {
  private let observer: RuntimeWeakReference

  private init(_ observer: RuntimeObject) throws(KeyValueError) {
    self.observer = try RuntimeWeakReference(to: observer)
  }

  /// The Swift object that an override gets as the observer.
  static func observer(_ id: isa_id) throws(KeyValueError) -> KVObject {
    if let object = KVObject.find(id) { return object }
    let key = UInt(bitPattern: ObjectIdentifier(self))
    let known = copyAssociation(of: id, key)
    defer { isa_object_release(known) }
    if let known { return KVObject.at(known) }
    let made = try StandIn(RuntimeObject(retaining: id))
    let standIn = try made.observedID()
    try handsOn.get()
    // The observer keeps it for as long as it may be told.
    try KeyValueError.check(setAssociation(of: id, key, standIn, ISA_ASSOCIATION_RETAIN))
    return made
  }

  private static let handsOn = Result { () throws(KeyValueError) in
    let cls = try ClassRegistration.of(StandIn.self).runtimeClass.cls
    try KeyValueError.check(
      isa_class_add_method(cls, observeSelector.sel, code(handOn), "v@:*@^v^v"),
      key: observeSelector.name)
  }

  private static let handOn: Observe = { id, sel, keyPath, object, change, context in
    let standIn = unsafeDowncast(KVObject.at(id!), to: StandIn.self)
    guard let observer = standIn.observer.object else { return }
    let imp = isa_class_find_imp(isa_object_get_class(observer.id), sel)
    unsafeBitCast(imp, to: Observe.self)(observer.id, sel, keyPath, object, change, context)
  }
}

// MARK: - Observers of a forwarder

extension KeyForwarder {
  /// The methods by which the core's own observers, in the middle of a key path, come and go.
  static let takesObservers = Result { () throws(KeyValueError) in
    let cls = try ClassRegistration.of(KeyForwarder.self).runtimeClass.cls
    let methods = [
      (addSelector, code(addRelay), "i@:@*Q^v"),
      (removeContextSelector, code(removeRelay), "i@:@*^v"),
    ]
    for (selector, imp, types) in methods {
      try KeyValueError.check(
        isa_class_add_method(cls, selector.sel, imp, types), key: selector.name)
    }
  }

  private static let addRelay: Add = { id, _, relay, _, _, context in
    statusOf { () throws(KeyValueError) in
      try unsafeDowncast(object(id), to: KeyForwarder.self).add(Relay(relay!, context))
    }
  }

  private static let removeRelay: RemoveContext = { id, _, relay, _, context in
    unsafeDowncast(object(id), to: KeyForwarder.self).remove(Relay(relay!, context))
    return ISA_OK
  }
}

/// One of the core's own observers, which holds itself.
struct Relay: Equatable, @unchecked Sendable {
  // Sendable because it is told on any thread.
  private let id: isa_id
  private let context: UnsafeMutableRawPointer?

  fileprivate init(_ id: isa_id, _ context: UnsafeMutableRawPointer?) {
    (self.id, self.context) = (id, context)
  }

  func retain() -> Relay {
    isa_object_retain(id)
    return self
  }

  /// Tells of a change, and lets go of one that was retained.
  func tellAndRelease(isPrior: Bool) {
    var change = kvo_change()
    change.is_prior = isPrior
    let imp = isa_class_find_imp(isa_object_get_class(id), observeSelector.sel)
    unsafeBitCast(imp, to: Observe.self)(id, observeSelector.sel, nil, nil, &change, context)
    isa_object_release(id)
  }
}

// MARK: - The core's own methods

private let rootAdd = rootMethod(addSelector.name, as: Add.self)
private let rootRemove = rootMethod(removeSelector.name, as: Remove.self)
private let rootRemoveContext = rootMethod(removeContextSelector.name, as: RemoveContext.self)
private let rootInfo = rootMethod(infoSelector.name, as: GetInfo.self)
private let rootSetInfo = rootMethod(setInfoSelector.name, as: SetInfo.self)

extension KVObject {
  package final func rootAdd(
    _ observer: KVObject, _ keyPath: String, _ options: ObservationOptions,
    _ context: UnsafeMutableRawPointer?
  ) throws(KeyValueError) {
    let id = try observedID(), told = try observer.observedID()
    let outcome = answered(keyPath) {
      IsaKVO.rootAdd(id, addSelector.sel, told, keyPath, UInt64(options.bits), context)
    }
    try KeyValueError.check(outcome, key: keyPath, className: className)
  }

  package final func rootRemove(_ observer: KVObject, _ keyPath: String) throws(KeyValueError) {
    let id = try observedID(), told = try observer.observedID()
    let outcome = answered(keyPath) { IsaKVO.rootRemove(id, removeSelector.sel, told, keyPath) }
    try KeyValueError.check(outcome, key: keyPath, className: className)
  }

  package final func rootRemove(
    _ observer: KVObject, _ keyPath: String, _ context: UnsafeMutableRawPointer?
  ) throws(KeyValueError) {
    let id = try observedID(), told = try observer.observedID()
    let outcome = answered(keyPath) {
      rootRemoveContext(id, removeContextSelector.sel, told, keyPath, context)
    }
    try KeyValueError.check(outcome, key: keyPath, className: className)
  }

  final var rootObservationInfo: UnsafeMutableRawPointer? {
    adoptedID.flatMap { rootInfo($0, infoSelector.sel) }
  }

  final func setRootObservationInfo(_ info: UnsafeMutableRawPointer?) {
    announce { rootSetInfo($0, setInfoSelector.sel, info) }
  }
}
