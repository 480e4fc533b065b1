// The methods by which the core reaches what Swift classes override: class methods, hooks of
// key-value coding, and, for the classes that override them, the messages of observing.
//
// Owns:  nothing.
// Locks: none; all that runs here is the classes' own code.
internal import CIsa
package import IsaRuntime

private typealias UndefinedGet =
  @convention(c) (
    isa_id?, isa_sel?, UnsafePointer<CChar>?, UnsafeMutablePointer<isa_id?>?
  ) -> isa_status
private typealias Set =
  @convention(c) (
    isa_id?, isa_sel?, isa_id?, UnsafePointer<CChar>?
  ) -> isa_status
private typealias Announce =
  @convention(c) (
    isa_id?, isa_sel?, UnsafePointer<CChar>?
  ) -> isa_status
private typealias AnnounceAt =
  @convention(c) (
    isa_id?, isa_sel?, UInt, UnsafePointer<kvc_index_set>?, UnsafePointer<CChar>?
  ) -> isa_status
private typealias Validate =
  @convention(c) (
    isa_id?, isa_sel?, UnsafeMutablePointer<isa_id?>?, UnsafePointer<CChar>?,
    UnsafeMutablePointer<isa_id?>?, UnsafeMutablePointer<Bool>?
  ) -> isa_status
private typealias Observe =
  @convention(c) (
    isa_id?, isa_sel?, UnsafePointer<CChar>?, isa_id?, UnsafePointer<kvo_change>?, Context?
  ) -> Void
private typealias Automatic = @convention(c) (isa_id?, isa_sel?, UnsafePointer<CChar>?) -> Bool
private typealias IsEqual = @convention(c) (isa_id?, isa_sel?, isa_id?) -> Bool
private typealias Hash = @convention(c) (isa_id?, isa_sel?) -> UInt
private typealias Describe =
  @convention(c) (
    isa_id?, isa_sel?, UnsafeMutablePointer<isa_id?>?
  ) -> isa_status
private typealias Allows = @convention(c) (isa_id?, isa_sel?) -> Bool

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

// MARK: - Methods of every class

/// Adds, to the class of KVObject itself, the methods that ask a Swift class.
func addRootMethods(to cls: isa_class) throws(KeyValueError) {
  AdoptedClasses.adopter = ClassRegistration.self
  try KeyValueError.check(setMemoryHooks(of: cls), key: "memory hooks")
  let instance: [(String, isa_imp, String)] = [
    ("valueForUndefinedKey:", code(getUndefined), "i@:*^@"),
    ("setValue:forUndefinedKey:", code(setUndefined), "i@:@*"),
    ("setValue:forKey:", code(setByKey), "i@:@*"),
    ("setNilValueForKey:", code(setNil), "i@:*"),
    ("validateValue:forKey:error:", code(validate), "i@:^@*^@^B"),
    ("observeValueForKeyPath:ofObject:change:context:", code(observe), "v@:*@^v^v"),
    ("isEqual:", code(isEqual), "B@:@"), ("hash", code(hash), "Q@:"),
    ("description", code(describeObject), "i@:^@"),
  ]
  let metaclass: [(String, isa_imp, String)] = [
    ("keyPathsForValuesAffectingValueForKey:", code(copyAffecting), "i@:*^@"),
    ("automaticallyNotifiesObserversForKey:", code(isAutomatic), "B@:*"),
    ("accessInstanceVariablesDirectly", code(allowsIvars), "B@:"),
  ]
  for method in instance { try add(method, to: cls) }
  for method in metaclass { try add(method, to: isa_class_metaclass(cls)) }
  try addLiveCollections(to: cls)
}

private func add(
  _ method: (name: String, imp: isa_imp, types: String), to cls: isa_class
) throws(KeyValueError) {
  try KeyValueError.check(
    isa_class_add_method(cls, isa_sel_register(method.name), method.imp, method.types),
    key: method.name)
}

private let getUndefined: UndefinedGet = { id, _, key, out in
  let object = object(id), key = string(key)
  if let forwarder = object.forwarder(key) { return give(forwarder, out) }
  return withRefusals {
    statusOf { () throws(KeyValueError) in
      out?.pointee = copyObject(try object.value(forUndefinedKey: key))
    }
  }
}

private let setUndefined: Set = { id, _, value, key in
  let object = object(id), key = string(key)
  return withRefusals {
    statusOf { () throws(KeyValueError) in
      try object.setValue(anyValueOrNull(value), forUndefinedKey: key)
    }
  }
}

private let setNil: Announce = { id, _, key in
  let object = object(id), key = string(key)
  return withRefusals {
    statusOf { () throws(KeyValueError) in try object.setNilValueForKey(key) }
  }
}

private let setByKey: Set = { id, _, value, key in
  statusOf { () throws(KeyValueError) in try object(id).rootSetObject(value, string(key)) }
}

private let validate: Validate = { id, _, value, key, cause, isValid in
  var current = anyValueOrNull(value!.pointee)
  do {
    try object(id).validateValue(&current, forKey: string(key))
    isValid!.pointee = true
    value!.pointee = copyObject(current)
  } catch {
    isValid!.pointee = false
    cause?.pointee = copyObject(error)
    return ISA_OK
  }
  return ISA_OK
}

private let observe: Observe = { id, _, keyPath, source, change, context in
  if let scope = DeliveryScope.current,
    scope.mutes(UInt(bitPattern: source), object(id), isInitial: change!.pointee.is_initial)
  {
    return
  }
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
  if let number = anyNumber(types, at: address) { return number }
  var box: isa_id?
  defer { isa_object_release(box) }
  return kvc_box(value, &box) == ISA_OK ? anyValue(box) : RuntimeValue(value)
}

private let isEqual: IsEqual = { id, _, other in object(id).isEqual(anyValue(other)) }

private let hash: Hash = { id, _ in UInt(bitPattern: object(id).hash) }

private let describeObject: Describe = { id, _, out in give(object(id).description, out) }

private let copyAffecting: UndefinedGet = { cls, _, key, out in
  let key = string(key)
  if ForwarderKey.forwarded(key) != nil { return give(Swift.Set<String>(), out) }
  var paths = type(cls).keyPathsForValuesAffectingValue(forKey: key)
  let isForwarded = !ClassRegistration.registered(on: cls!).forwardedPaths(key).isEmpty
  if isForwarded { paths.insert(ForwarderKey.path(key)) }
  return give(paths, out)
}

private let isAutomatic: Automatic = { cls, _, key in
  let key = string(key)
  return ForwarderKey.forwarded(key) == nil
    && type(cls).automaticallyNotifiesObservers(forKey: key)
}

private let allowsIvars: Allows = { cls, _ in type(cls).accessInstanceVariablesDirectly }

// MARK: - Methods that a class may override

/// A method of KVObject that the core calls only if a class overrides it, since calling it always
/// would cost every change and every value.
struct Override {
  let words: Swift.Set<Int>
  let selector: String
  let imp: isa_imp
  let types: String

  init(_ probe: KVObject.Type, _ selector: String, _ imp: isa_imp, _ types: String) {
    words = differingMethods(KVObject.self, probe)
      .subtracting(differingMethods(KVObject.self, Plain.self))
    self.selector = selector
    self.imp = imp
    self.types = types
  }
}

private let overrides: [Override] =
  observerOverrides + [
    Override(ReadsValues.self, "valueForKey:", code(getByKey), "i@:*^@"),
    Override(SetsValues.self, "setValue:forKey:", code(setOverridden), "i@:@*"),
    Override(Announces.self, "willChangeValueForKey:", code(willChange), "i@:*"),
    Override(Ends.self, "didChangeValueForKey:", code(didChange), "i@:*"),
    Override(AnnouncesAt.self, "willChange:valuesAtIndexes:forKey:", code(willChangeAt), "i@:Q^v*"),
    Override(EndsAt.self, "didChange:valuesAtIndexes:forKey:", code(didChangeAt), "i@:Q^v*"),
  ] + pathOverrides

/// Adds what the class overrides itself.
func addOverrides(
  of type: KVObject.Type, below superclass: KVObject.Type?, to cls: isa_class
) throws(KeyValueError) {
  guard let superclass, !isForeignBase(type) else { return }
  let differing = differingMethods(type, superclass)
  for override in overrides where !override.words.isDisjoint(with: differing) {
    try add((override.selector, override.imp, override.types), to: cls)
  }
}

// Each overrides one method, which tells its place in the table.
private final class Plain: KVObject {}
private final class ReadsValues: KVObject {
  override func value(forKey key: String) throws(KeyValueError) -> Any? { nil }
}
private final class SetsValues: KVObject {
  override func setValue(_ value: Any?, forKey key: String) throws(KeyValueError) {}
}
private final class Announces: KVObject {
  override func willChangeValue(forKey key: String) {}
}
private final class Ends: KVObject {
  override func didChangeValue(forKey key: String) {}
}
private final class AnnouncesAt: KVObject {
  override func willChange(_ kind: ChangeKind, valuesAt indexes: [Int], forKey key: String) {}
}
private final class EndsAt: KVObject {
  override func didChange(_ kind: ChangeKind, valuesAt indexes: [Int], forKey key: String) {}
}

private let getByKey: UndefinedGet = { id, _, key, out in
  if let forwarder = object(id).forwarder(string(key)) { return give(forwarder, out) }
  return statusOf(messageTo: id) { () throws(KeyValueError) in
    out!.pointee = copyObject(try object(id).value(forKey: string(key)))
  }
}

private let setOverridden: Set = { id, _, value, key in
  statusOf(messageTo: id) { () throws(KeyValueError) in
    try object(id).setValue(anyValueOrNull(value), forKey: string(key))
  }
}

private let willChange: Announce = { id, _, key in
  object(id).willChangeValue(forKey: string(key))
  return ISA_OK
}

private let didChange: Announce = { id, _, key in
  object(id).didChangeValue(forKey: string(key))
  return ISA_OK
}

private let willChangeAt: AnnounceAt = { id, _, kind, indexes, key in
  object(id).willChange(
    ChangeKind(kvo_change_kind(UInt32(kind))), valuesAt: IsaRuntime.indexes(in: indexes) ?? [],
    forKey: string(key))
  return ISA_OK
}

private let didChangeAt: AnnounceAt = { id, _, kind, indexes, key in
  object(id).didChange(
    ChangeKind(kvo_change_kind(UInt32(kind))), valuesAt: IsaRuntime.indexes(in: indexes) ?? [],
    forKey: string(key))
  return ISA_OK
}

// MARK: - The core's own methods

/// The answer of the runtime's root class to a message, for the end of a chain of `super`.
func rootMethod<Function>(_ name: String, as type: Function.Type) -> Function {
  unsafeBitCast(isa_class_find_imp(isa_root_class(), isa_sel_register(name)), to: type)
}

private let rootGet = rootMethod("valueForKey:", as: UndefinedGet.self)
private let rootSet = rootMethod("setValue:forKey:", as: Set.self)
private let rootWill = rootMethod("willChangeValueForKey:", as: Announce.self)
private let rootDid = rootMethod("didChangeValueForKey:", as: Announce.self)
private let rootWillAt = rootMethod("willChange:valuesAtIndexes:forKey:", as: AnnounceAt.self)
private let rootDidAt = rootMethod("didChange:valuesAtIndexes:forKey:", as: AnnounceAt.self)
private let getSelector: RuntimeSelector = "valueForKey:"
private let setSelector: RuntimeSelector = "setValue:forKey:"
private let willSelector: RuntimeSelector = "willChangeValueForKey:"
private let didSelector: RuntimeSelector = "didChangeValueForKey:"
private let willAtSelector: RuntimeSelector = "willChange:valuesAtIndexes:forKey:"
private let didAtSelector: RuntimeSelector = "didChange:valuesAtIndexes:forKey:"

extension KVObject {
  final func rootWillChange(_ key: String) {
    announce(key) { id in rootWill(id, willSelector.sel, key) }
  }

  final func rootDidChange(_ key: String) {
    announce(key) { id in rootDid(id, didSelector.sel, key) }
  }

  final func rootWillChange(_ kind: ChangeKind, _ indexes: [Int], _ key: String) {
    announce(key) { id in
      withIndexSet(indexes) {
        rootWillAt(id, willAtSelector.sel, UInt(kind.constant.rawValue), $0, key)
      }
    }
  }

  final func rootDidChange(_ kind: ChangeKind, _ indexes: [Int], _ key: String) {
    announce(key) { id in
      withIndexSet(indexes) {
        rootDidAt(id, didAtSelector.sel, UInt(kind.constant.rawValue), $0, key)
      }
    }
  }

  /// Announces a change, if anybody can have come to observe the object; a failure is a misuse,
  /// which the core has reported if the change was announced, or belongs, elsewhere.
  final func announce(_ key: String = "", _ change: (isa_id) -> isa_status) {
    guard let id = adoptedID, !DeclaredSetting.isUnderWay(id, key) else { return }
    let outcome = answered(key) { change(id) }
    guard outcome.status != ISA_OK, outcome.status != KVO_ERR_WRONG_THREAD else { return }
    isa_report_misuse(outcome.status, outcome.exceptionName, outcome.reason)
  }

  package final func rootValue(_ key: String) throws(KeyValueError) -> Any? {
    let id = try codedID(key)
    var value: isa_id?
    let outcome = readingByName { answered(key) { rootGet(id, getSelector.sel, key, &value) } }
    try KeyValueError.check(outcome, key: key, className: className)
    defer { isa_object_release(value) }
    return SwiftBox.find(value)?.isNil == true ? nil : anyValue(value)
  }

  package final func rootSetValue(_ value: Any?, _ key: String) throws(KeyValueError) {
    if let value, try setPlainly(value, key) { return }
    let object = copyObject(value)
    defer { isa_object_release(object) }
    try rootSetObject(object, key)
  }

  /// Sets a wrapped property, which has no other way by name, to a value of its very type, which needs
  /// no object to stand for it; false if there is more to it.
  private func setPlainly(_ value: Any, _ key: String) throws(KeyValueError) -> Bool {
    let id = try codedID(key)
    guard let field = ClassRegistration.of(id).plainField(key, of: id), !field.isReadOnly
    else { return false }
    return field.setPlainly(value, of: self)
  }

  /// Sets a key, once it is known that the value is of its type.
  final func rootSetObject(_ value: isa_id?, _ key: String) throws(KeyValueError) {
    let id = try codedID(key)
    let registration = ClassRegistration.of(id)
    if let field = registration.fieldsByKey[key], !field.accepts(value) {
      guard value == nil else { throw mismatch(field, value) }
      return try setNil(key)
    }
    if registration.setProperty(key, value, of: self) { return }
    let outcome = answered(key) { rootSet(id, setSelector.sel, value, key) }
    try KeyValueError.check(outcome, key: key, className: className)
  }

  /// Has the class deal with nil for a key that is not optional.
  private func setNil(_ key: String) throws(KeyValueError) {
    let outcome = Outcome(
      withRefusals {
        statusOf { () throws(KeyValueError) in try setNilValueForKey(key) }
      })
    try KeyValueError.check(outcome, key: key, className: className)
  }

  private func mismatch(_ field: Field, _ value: isa_id?) -> KeyValueError {
    KeyValueError(
      expected: field.typeName, not: anyValueOrNull(value), key: field.key, className: className,
      object: ObjectIdentifier(self))
  }

  /// The object as the core knows it, for key-value coding.
  ///
  /// - Throws: `KeyValueError.Code.wrongThread` where the object may not be used.
  final func codedID(_ key: String) throws(KeyValueError) -> isa_id {
    let id = try runtimeID()
    try ClassRegistration.of(id).checkActor(key, of: ObjectIdentifier(self))
    return id
  }

  /// The object as the core knows it, for observing.
  final func observedID() throws(KeyValueError) -> isa_id {
    let id = try runtimeID()
    // It may have been made known elsewhere, where its keys could not be looked at.
    if ClassRegistration.isOfMainActor(id) {
      ClassRegistration.of(id).resolveDeclarations(on: self)
    }
    return id
  }

  package final func undefined(_ key: String, _ message: String) -> KeyValueError {
    KeyValueError(
      .undefinedKey, key: key, className: className,
      reason: "[<\(shownName)> \(message)]: this class is not key value coding-compliant for the "
        + "key \(key).", object: ObjectIdentifier(self))
  }

  package final func noNil(_ key: String) -> KeyValueError {
    KeyValueError(
      .nilValue, key: key, className: className,
      reason: "[<\(shownName)> setNilValueForKey:]: could not set nil as the value for the key "
        + "\(key).", object: ObjectIdentifier(self))
  }

  /// The class as errors name it.
  package final var className: String { registration?.name ?? Swift.type(of: self).className }

  /// The name of a class by its module; of a private one without the address of where it is private.
  static var className: String {
    var name = _typeName(self, qualified: true)
    while let start = name.range(of: "(unknown context at "),
      let end = name[start.upperBound...].range(of: ").")
    {
      name.removeSubrange(start.lowerBound..<end.upperBound)
    }
    return name
  }

  /// The object as Foundation's reasons show one: class and address.
  private var shownName: String {
    "\(className) \(hexadecimal(UInt(bitPattern: headerAddress)))"
  }

  final func refuseChange(
    of keyPath: String, _ object: Any?, _ context: UnsafeMutableRawPointer?
  ) {
    let observed = (object as? KVObject)?.named ?? describe(object)
    Misuse.end(
      KVO_ERR_UNHANDLED, "NSInternalInconsistencyException",
      "\(named): An -observeValueForKeyPath:ofObject:change:context: message was received but not "
        + "handled. Key path: \(keyPath) Observed object: \(observed) "
        + "Context: \(hexadecimal(UInt(bitPattern: context)))")
  }

  /// The object by its class and address.
  private final var named: String {
    let name = registration?.name ?? "\(type(of: self))"
    return "<\(name) \(hexadecimal(UInt(bitPattern: headerAddress)))>"
  }

  static func declaredAffecting(_ key: String) -> Swift.Set<String> {
    (try? ClassRegistration.of(self))?.affecting(key) ?? []
  }

  static func declaredAutomatic(_ key: String) -> Bool {
    (try? ClassRegistration.of(self))?.isAutomatic(key) ?? true
  }

  final func declaredValidation(_ value: inout Any?, _ key: String) throws {
    _ = try codedID(key)
    try registration?.declarations[key]?.validate?(self, &value)
  }
}

extension ClassRegistration {
  /// Whether the key is that of a wrapped property.
  func isWrapped(_ key: String) -> Bool { fieldsByKey[key].map { $0.offset > 0 } ?? false }
}
