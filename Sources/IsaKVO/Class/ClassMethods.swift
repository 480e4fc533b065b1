// The methods by which the core reaches what Swift classes override: class methods, hooks of
// key-value coding, and, for classes that override them, the messages of coding and observing.
//
// Owns:  nothing.
// Locks: none; only code of the classes runs here.
internal import CIsa
internal import IsaKeyValue

func object(_ id: isa_id?) -> KVObject { KVObject.at(id!) }
private func type(_ cls: isa_id?) -> KVObject.Type { ClassRegistration.registered(on: cls!).type }
func string(_ text: UnsafePointer<CChar>?) -> String {
  text.map { String(cString: $0) } ?? ""
}

/// Gives the caller the object that stands for a value.
private func give(_ value: Any?, _ out: UnsafeMutablePointer<isa_id?>?) -> isa_status {
  out?.pointee = copyObject(value)
  return ISA_OK
}

/// A method to add to a class: selector, code, encoding.
typealias AddedMethod = (name: String, imp: isa_imp, types: String)

func add(_ methods: [AddedMethod], to cls: isa_class) throws(KeyValueError) {
  for method in methods {
    try KeyValueError.check(
      isa_class_add_method(cls, isa_sel_register(method.name), method.imp, method.types),
      key: method.name)
  }
}

// MARK: - Methods of every class

/// Adds, to the class of KVObject itself, the methods that ask a Swift class.
func addRootMethods(to cls: isa_class) throws(KeyValueError) {
  AdoptedClasses.adopter = ClassRegistration.self
  try KeyValueError.check(setMemoryHooks(of: cls), key: "memory hooks")
  try add(
    [
      ("valueForUndefinedKey:", code(getUndefined), "i@:*^@"),
      ("setValue:forUndefinedKey:", code(setUndefined), "i@:@*"),
      ("setValue:forKey:", code(setByKey), "i@:@*"),
      ("setNilValueForKey:", code(setNil), "i@:*"),
      ("validateValue:forKey:error:", code(validate), "i@:^@*^@^B"),
      ("observeValueForKeyPath:ofObject:change:context:", code(observe), "v@:*@^v^v"),
      ("isEqual:", code(isEqual), "B@:@"), ("hash", code(hash), "Q@:"),
      ("description", code(describeObject), "i@:^@"),
    ], to: cls)
  try add(
    [
      ("keyPathsForValuesAffectingValueForKey:", code(copyAffecting), "i@:*^@"),
      ("automaticallyNotifiesObserversForKey:", code(isAutomatic), "B@:*"),
      ("accessInstanceVariablesDirectly", code(allowsIvars), "B@:"),
    ], to: isa_class_metaclass(cls))
  try addLiveCollections(to: cls)
}

private let getUndefined: kvc_get_imp = { id, _, key, out in
  let object = object(id), key = string(key)
  if let forwarder = object.forwarder(key) { return give(forwarder, out) }
  return withRefusals {
    statusOf { out!.pointee = copyObject(try object.value(forUndefinedKey: key)) }
  }
}

private let setUndefined: kvc_set_imp = { id, _, value, key in
  withRefusals {
    statusOf { try object(id).setValue(anyValueOrNull(value), forUndefinedKey: string(key)) }
  }
}

private let setNil: kvc_key_imp = { id, _, key in
  withRefusals { statusOf { try object(id).setNilValueForKey(string(key)) } }
}

private let setByKey: kvc_set_imp = { id, _, value, key in
  statusOf { try object(id).rootSetObject(value, string(key)) }
}

private let validate: kvc_validate_imp = { id, _, value, key, cause, isValid in
  var current = anyValueOrNull(value!.pointee)
  do {
    try object(id).validateValue(&current, forKey: string(key))
    isValid!.pointee = true
    value!.pointee = copyObject(current)
  } catch {
    isValid!.pointee = false
    cause?.pointee = copyObject(error)
  }
  return ISA_OK
}

private let observe: kvo_observe_imp = { id, _, keyPath, source, change, context in
  if let scope = DeliveryScope.current,
    scope.mutes(UInt(bitPattern: source), object(id), isInitial: change!.pointee.is_initial)
  {
    return LoggedNotification.mute()
  }
  LoggedNotification.proceed()
  object(id).observeValue(
    forKeyPath: string(keyPath), of: anyValue(source),
    change: dictionary(change!.pointee, by: change!.pointee.is_foreign ? foreignNaming : nil),
    context: context)
}

/// The dictionary of a change, in the form of a module with other names if one is given.
func dictionary(
  _ record: kvo_change, by naming: (any ForeignNaming.Type)? = nil
) -> [ChangeKey: Any] {
  var change = [ChangeKey: Any](minimumCapacity: 3)
  func add(_ value: Any?, _ key: ChangeKey) {
    guard let value else { return }
    change[key] = naming?.foreignForm(of: value, for: key) ?? value
  }
  add(UInt(record.kind.rawValue), .kindKey)
  add(value(record.new_value), .newKey)
  add(value(record.old_value), .oldKey)
  add(indexes(in: record.indexes), .indexesKey)
  add(record.is_prior ? true : nil, .notificationIsPriorKey)
  return change
}

/// A value of a change; nil if it is absent.
private func value(_ value: kvc_value) -> Any? {
  guard let address = value.address, let types = value.types else { return nil }
  if types.pointee == CChar(bitPattern: UInt8(ascii: "@")) {
    return anyValue(address.load(as: isa_id?.self)) ?? KeyValueNull()
  }
  if let number = number(types, at: address) { return number.any }
  var box: isa_id?
  defer { isa_object_release(box) }
  return kvc_box(value, &box) == ISA_OK ? anyValue(box) : runtimeValues?.value(value)
}

private let isEqual: @convention(c) (isa_id?, isa_sel?, isa_id?) -> Bool = { id, _, other in
  object(id).isEqual(anyValue(other))
}

private let hash: @convention(c) (isa_id?, isa_sel?) -> UInt = { id, _ in
  UInt(bitPattern: object(id).hash)
}

private let describeObject:
  @convention(c) (isa_id?, isa_sel?, UnsafeMutablePointer<isa_id?>?) -> isa_status = { id, _, out in
    give(object(id).description, out)
  }

private let copyAffecting: kvc_get_imp = { cls, _, key, out in
  let key = string(key)
  if ForwarderKey.forwarded(key) != nil { return give(Set<String>(), out) }
  var paths = type(cls).keyPathsForValuesAffectingValue(forKey: key)
  let isForwarded = !ClassRegistration.registered(on: cls!).forwardedPaths(key).isEmpty
  if isForwarded { paths.insert(ForwarderKey.path(key)) }
  return give(paths, out)
}

private let isAutomatic: @convention(c) (isa_id?, isa_sel?, UnsafePointer<CChar>?) -> Bool = {
  cls, _, key in
  let key = string(key)
  return ForwarderKey.forwarded(key) == nil
    && type(cls).automaticallyNotifiesObservers(forKey: key)
}

private let allowsIvars: @convention(c) (isa_id?, isa_sel?) -> Bool = { cls, _ in
  type(cls).accessInstanceVariablesDirectly
}

// MARK: - Methods that a class may override

/// A method of KVObject that the core calls only if a class overrides it, since calling it always
/// would cost every change and every value.
private struct Override {
  /// Its places in the method table.
  let words: Set<Int>
  let methods: [AddedMethod]
}

/// All of them.
private let overrides: [Override] = {
  let always = differingMethods(KVObject.self, Same.self)
  let words = differingMethods(KVObject.self, Overriding.self)?.subtracting(always ?? []).sorted()
  let info = [RootMethods.info.added(code(info)), RootMethods.setInfo.added(code(setInfo))]
  // In the order in which KVObject declares them, as are their places.
  let methods = [
    RootMethods.willChange.added(code(willChange)), RootMethods.didChange.added(code(didChange)),
    RootMethods.willChangeAt.added(code(willChangeAt)),
    RootMethods.didChangeAt.added(code(didChangeAt)),
    RootMethods.willChangeSet.added(code(willChangeSet)),
    RootMethods.didChangeSet.added(code(didChangeSet)), RootMethods.get.added(code(getByKey)),
    RootMethods.set.added(code(setOverridden)), RootMethods.getPath.added(code(getByPath)),
    RootMethods.setPath.added(code(setByPath)), RootMethods.add.added(code(addObserver)),
    RootMethods.remove.added(code(removeObserver)),
    RootMethods.removeContext.added(code(removeObserverContext)),
  ]
  guard let words else { return [Override(words: [], methods: methods + info)] }
  precondition(words.count > methods.count, "KVObject's methods are others")
  return zip(words, methods).map { Override(words: [$0], methods: [$1]) }
    + [Override(words: Set(words[methods.count...]), methods: info)]
}()

/// Adds what the class overrides itself.
func addOverrides(
  of type: KVObject.Type, below superclass: KVObject.Type?, to cls: isa_class
) throws(KeyValueError) {
  guard let superclass, !isForeignBase(type) else { return }
  let differing = differingMethods(type, superclass)
  for override in overrides where differing.map(override.words.isDisjoint) != true {
    try add(override.methods, to: cls)
  }
}

private final class Same: KVObject {}

/// Overrides each of them, which tells their places in the table.
private final class Overriding: KVObject {
  override func willChangeValue(forKey key: String) {}
  override func didChangeValue(forKey key: String) {}
  override func willChange(_ kind: ChangeKind, valuesAt indexes: [Int], forKey key: String) {}
  override func didChange(_ kind: ChangeKind, valuesAt indexes: [Int], forKey key: String) {}
  override func willChangeValue(
    forKey key: String, withSetMutation mutation: SetMutation, using objects: Set<AnyHashable>
  ) {}
  override func didChangeValue(
    forKey key: String, withSetMutation mutation: SetMutation, using objects: Set<AnyHashable>
  ) {}
  override func value(forKey key: String) throws(KeyValueError) -> Any? { nil }
  override func setValue(_ value: Any?, forKey key: String) throws(KeyValueError) {}
  override func value(forKeyPath keyPath: String) throws(KeyValueError) -> Any? { nil }
  override func setValue(_ value: Any?, forKeyPath keyPath: String) throws(KeyValueError) {}
  override func addObserver(
    _ observer: KVObject, forKeyPath keyPath: String, options: ObservationOptions,
    context: UnsafeMutableRawPointer?
  ) throws(KeyValueError) {}
  override func removeObserver(
    _ observer: KVObject, forKeyPath keyPath: String
  ) throws(KeyValueError) {}
  override func removeObserver(
    _ observer: KVObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) throws(KeyValueError) {}
  override var observationInfo: UnsafeMutableRawPointer? {
    get { nil }
    set {}
  }
}

private let willChange: kvc_key_imp = { id, _, key in
  object(id).willChangeValue(forKey: string(key))
  return ISA_OK
}

private let didChange: kvc_key_imp = { id, _, key in
  object(id).didChangeValue(forKey: string(key))
  return ISA_OK
}

private func kind(_ kind: UInt64) -> ChangeKind { ChangeKind(kvo_change_kind(UInt32(kind))) }

private let willChangeAt: kvo_change_at_imp = { id, _, change, indexes, key in
  object(id).willChange(
    kind(change), valuesAt: IsaKeyValue.indexes(in: indexes) ?? [], forKey: string(key))
  return ISA_OK
}

private let didChangeAt: kvo_change_at_imp = { id, _, change, indexes, key in
  object(id).didChange(
    kind(change), valuesAt: IsaKeyValue.indexes(in: indexes) ?? [], forKey: string(key))
  return ISA_OK
}

private func members(_ objects: isa_id?) -> Set<AnyHashable> {
  Set<AnyHashable>.objectCoder.read(objects) ?? []
}

private let willChangeSet: kvo_change_set_imp = { id, _, key, mutation, objects in
  object(id).willChangeValue(
    forKey: string(key), withSetMutation: SetMutation(rawValue: UInt(mutation)) ?? .set,
    using: members(objects))
  return ISA_OK
}

private let didChangeSet: kvo_change_set_imp = { id, _, key, mutation, objects in
  object(id).didChangeValue(
    forKey: string(key), withSetMutation: SetMutation(rawValue: UInt(mutation)) ?? .set,
    using: members(objects))
  return ISA_OK
}

private let getByKey: kvc_get_imp = { id, _, key, out in
  if let forwarder = object(id).forwarder(string(key)) { return give(forwarder, out) }
  return statusOf(messageTo: id) {
    out!.pointee = copyObject(try object(id).value(forKey: string(key)))
  }
}

private let setOverridden: kvc_set_imp = { id, _, value, key in
  statusOf(messageTo: id) { try object(id).setValue(anyValueOrNull(value), forKey: string(key)) }
}

private let getByPath: kvc_get_imp = { id, _, path, out in
  statusOf(messageTo: id) {
    out!.pointee = copyObject(try object(id).value(forKeyPath: string(path)))
  }
}

private let setByPath: kvc_set_imp = { id, _, value, path in
  statusOf(messageTo: id) { try object(id).setValue(anyValue(value), forKeyPath: string(path)) }
}

private let addObserver: kvo_add_imp = { id, _, observer, keyPath, options, context in
  statusOf(messageTo: id) {
    try object(id).addObserver(
      try StandIn.observer(observer!), forKeyPath: string(keyPath),
      options: ObservationOptions(rawValue: UInt(options)), context: context)
  }
}

private let removeObserver: kvo_remove_imp = { id, _, observer, keyPath in
  statusOf(messageTo: id) {
    try object(id).removeObserver(try StandIn.observer(observer!), forKeyPath: string(keyPath))
  }
}

private let removeObserverContext: kvo_remove_context_imp = { id, _, observer, keyPath, context in
  statusOf(messageTo: id) {
    try object(id).removeObserver(
      try StandIn.observer(observer!), forKeyPath: string(keyPath), context: context)
  }
}

// By the name that C has for the type, the compiler's tool for documentation cannot read the module.
private let info: @convention(c) (isa_id?, isa_sel?) -> UnsafeMutableRawPointer? = { id, _ in
  object(id).observationInfo
}

private let setInfo: kvo_set_info_imp = { id, _, info in
  object(id).observationInfo = info
  return ISA_OK
}
