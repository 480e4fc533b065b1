// The messages by which observer objects are registered and removed: how the core reaches a class
// that overrides them, and what is at the end of a chain of `super`.
//
// Owns:  nothing.
// Locks: none; all that runs here is the classes' own code, and the core's.
internal import CIsa

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
private typealias GetInfo = @convention(c) (isa_id?, isa_sel?) -> UnsafeMutableRawPointer?
private typealias SetInfo =
  @convention(c) (
    isa_id?, isa_sel?, UnsafeMutableRawPointer?
  ) -> isa_status

private let addSelector: RuntimeSelector = "addObserver:forKeyPath:options:context:"
private let removeSelector: RuntimeSelector = "removeObserver:forKeyPath:"
private let removeContextSelector: RuntimeSelector = "removeObserver:forKeyPath:context:"
private let infoSelector: RuntimeSelector = "observationInfo"
private let setInfoSelector: RuntimeSelector = "setObservationInfo:"

// MARK: - What a class may override

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

// The core's own helpers observe too, without being Swift objects: they have no business in an
// override.
private let add: Add = { id, sel, observer, keyPath, options, context in
  guard let told = KVObject.find(observer) else {
    return rootAdd(id, sel, observer, keyPath, options, context)
  }
  return statusOf(messageTo: id) { () throws(KeyValueError) in
    try KVObject.at(id!).addObserver(
      told, forKeyPath: String(cString: keyPath!),
      options: ObservationOptions(rawValue: UInt32(truncatingIfNeeded: options)), context: context)
  }
}

private let remove: Remove = { id, sel, observer, keyPath in
  guard let told = KVObject.find(observer) else { return rootRemove(id, sel, observer, keyPath) }
  return statusOf(messageTo: id) { () throws(KeyValueError) in
    try KVObject.at(id!).removeObserver(told, forKeyPath: String(cString: keyPath!))
  }
}

private let removeContext: RemoveContext = { id, sel, observer, keyPath, context in
  guard let told = KVObject.find(observer) else {
    return rootRemoveContext(id, sel, observer, keyPath, context)
  }
  return statusOf(messageTo: id) { () throws(KeyValueError) in
    try KVObject.at(id!).removeObserver(
      told, forKeyPath: String(cString: keyPath!), context: context)
  }
}

private let info: GetInfo = { id, _ in KVObject.at(id!).observationInfo }

private let setInfo: SetInfo = { id, _, info in
  KVObject.at(id!).observationInfo = info
  return ISA_OK
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
    let outcome = answered {
      IsaKVO.rootAdd(id, addSelector.sel, told, keyPath, UInt64(options.rawValue), context)
    }
    try KeyValueError.check(outcome, key: keyPath, className: className)
  }

  package final func rootRemove(_ observer: KVObject, _ keyPath: String) throws(KeyValueError) {
    let id = try observedID(), told = try observer.observedID()
    let outcome = answered { IsaKVO.rootRemove(id, removeSelector.sel, told, keyPath) }
    try KeyValueError.check(outcome, key: keyPath, className: className)
  }

  package final func rootRemove(
    _ observer: KVObject, _ keyPath: String, _ context: UnsafeMutableRawPointer?
  ) throws(KeyValueError) {
    let id = try observedID(), told = try observer.observedID()
    let outcome = answered {
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
