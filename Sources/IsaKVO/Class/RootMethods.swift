// The core's own methods for the messages of coding and observing: the end of a chain of `super`.
//
// Owns:  nothing.
// Locks: none; only code of the classes and the core's runs here.
internal import CIsa
package import IsaKeyValue

/// A method of the runtime's root class.
struct RootMethod<Function>: @unchecked Sendable {
  // Sendable because selectors and code never change.
  let name: String
  let types: String
  let sel: isa_sel?
  let imp: Function

  init(_ name: String, _ types: String, _ type: Function.Type = Function.self) {
    (self.name, self.types) = (name, types)
    sel = isa_sel_register(name)
    imp = unsafeBitCast(isa_class_find_imp(isa_root_class(), isa_sel_register(name)), to: type)
  }

  /// A method of a class in its place.
  func added(_ imp: isa_imp) -> AddedMethod { (name, imp, types) }
}

/// The root methods of the messages that a class may override.
enum RootMethods {
  static let get = RootMethod<kvc_get_imp>("valueForKey:", "i@:*^@")
  static let set = RootMethod<kvc_set_imp>("setValue:forKey:", "i@:@*")
  static let getPath = RootMethod<kvc_get_imp>("valueForKeyPath:", "i@:*^@")
  static let setPath = RootMethod<kvc_set_imp>("setValue:forKeyPath:", "i@:@*")
  static let validatePath = RootMethod<kvc_validate_imp>(
    "validateValue:forKeyPath:error:", "i@:^@*^@^B")
  static let willChange = RootMethod<kvc_key_imp>("willChangeValueForKey:", "i@:*")
  static let didChange = RootMethod<kvc_key_imp>("didChangeValueForKey:", "i@:*")
  static let willChangeAt = RootMethod<kvo_change_at_imp>(
    "willChange:valuesAtIndexes:forKey:", "i@:Q^v*")
  static let didChangeAt = RootMethod<kvo_change_at_imp>(
    "didChange:valuesAtIndexes:forKey:", "i@:Q^v*")
  static let willChangeSet = RootMethod<kvo_change_set_imp>(
    "willChangeValueForKey:withSetMutation:usingObjects:", "i@:*Q@")
  static let didChangeSet = RootMethod<kvo_change_set_imp>(
    "didChangeValueForKey:withSetMutation:usingObjects:", "i@:*Q@")
  static let add = RootMethod<kvo_add_imp>(
    "addObserver:forKeyPath:options:context:", "i@:@*Q^v")
  static let remove = RootMethod<kvo_remove_imp>("removeObserver:forKeyPath:", "i@:@*")
  static let removeContext = RootMethod<kvo_remove_context_imp>(
    "removeObserver:forKeyPath:context:", "i@:@*^v")
  static let observe = RootMethod<kvo_observe_imp>(
    "observeValueForKeyPath:ofObject:change:context:", "v@:*@^v^v")
  static let info = RootMethod<kvo_info_imp>("observationInfo", "^v@:")
  static let setInfo = RootMethod<kvo_set_info_imp>("setObservationInfo:", "i@:^v")
}

// MARK: - Announcing

extension KVObject {
  final func rootWillChange(_ key: String) { announce(key, RootMethods.willChange) }
  final func rootDidChange(_ key: String) { announce(key, RootMethods.didChange) }

  final func rootWillChange(_ kind: ChangeKind, _ indexes: [Int], _ key: String) {
    announce(kind, indexes, key, RootMethods.willChangeAt)
  }

  final func rootDidChange(_ kind: ChangeKind, _ indexes: [Int], _ key: String) {
    announce(kind, indexes, key, RootMethods.didChangeAt)
  }

  final func rootWillChange(
    _ key: String, _ mutation: SetMutation, _ objects: Set<AnyHashable>
  ) {
    announce(key, mutation, objects, RootMethods.willChangeSet)
  }

  final func rootDidChange(
    _ key: String, _ mutation: SetMutation, _ objects: Set<AnyHashable>
  ) {
    announce(key, mutation, objects, RootMethods.didChangeSet)
  }

  private func announce(_ key: String, _ method: RootMethod<kvc_key_imp>) {
    announce(key) { method.imp($0, method.sel, key) }
  }

  private func announce(
    _ kind: ChangeKind, _ indexes: [Int], _ key: String, _ method: RootMethod<kvo_change_at_imp>
  ) {
    announce(key) { id in
      withIndexSet(indexes) {
        method.imp(id, method.sel, UInt64(kind.constant.rawValue), $0, key)
      }
    }
  }

  private func announce(
    _ key: String, _ mutation: SetMutation, _ objects: Set<AnyHashable>,
    _ method: RootMethod<kvo_change_set_imp>
  ) {
    announce(key) { id in
      let set = Set<AnyHashable>.objectCoder.copy(objects)
      defer { isa_object_release(set) }
      return method.imp(id, method.sel, key, UInt64(mutation.rawValue), set)
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
}

// MARK: - Coding

extension KVObject {
  package final func rootValue(_ key: String) throws(KeyValueError) -> Any? {
    let id = try codedID(key)
    if let value = plainValue(key, of: id) { return value }
    var value: isa_id?
    let outcome = readingByName {
      answered(key) { RootMethods.get.imp(id, RootMethods.get.sel, key, &value) }
    }
    try KeyValueError.check(outcome, key: key, className: className)
    defer { isa_object_release(value) }
    return SwiftBox.find(value)?.isNil == true ? nil : anyValue(value)
  }

  /// The value of a wrapped property that is read in no other way by name, and which an object would
  /// stand for in vain; nil if there is more to it.
  private func plainValue(_ key: String, of id: isa_id) -> Any? {
    let registration = ClassRegistration.of(id)
    guard !mayBeTracked(), !registration.hasNamesLikeGetters,
      kvo_class_original(isa_object_get_class(id)) == registration.cls,
      let field = registration.plainField(key, of: id)
    else { return nil }
    return field.plainValue(of: self)
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
    let outcome = answered(key) { RootMethods.set.imp(id, RootMethods.set.sel, value, key) }
    try KeyValueError.check(outcome, key: key, className: className)
  }

  /// Has the class deal with nil for a key that is not optional.
  private func setNil(_ key: String) throws(KeyValueError) {
    let outcome = Outcome(withRefusals { statusOf { try setNilValueForKey(key) } })
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

  final func rootValue(path: String) throws(KeyValueError) -> Any? {
    try rootValue(path: path, anyValue)
  }

  /// The same, a result of arithmetic with all its digits.
  package final func rootExactValue(path: String) throws(KeyValueError) -> Any? {
    try rootValue(path: path, exactValue)
  }

  private func rootValue(
    path: String, _ read: (isa_id?) -> Any?
  ) throws(KeyValueError) -> Any? {
    SwiftBox.makeClasses()
    let id = try codedID(path)
    var value: isa_id?
    let outcome = readingByName {
      answered(path) { RootMethods.getPath.imp(id, RootMethods.getPath.sel, path, &value) }
    }
    try KeyValueError.check(outcome, key: path, className: className)
    defer { isa_object_release(value) }
    return SwiftBox.find(value)?.isNil == true ? nil : read(value)
  }

  package final func rootSetValue(_ value: Any?, path: String) throws(KeyValueError) {
    let id = try codedID(path)
    let object = copyObject(value)
    defer { isa_object_release(object) }
    let outcome = answered(path) {
      RootMethods.setPath.imp(id, RootMethods.setPath.sel, object, path)
    }
    if outcome.status != ISA_OK, outcome.className == "IsaSwiftDictionary",
      let (owner, field, rest) = property(onTheWay: path)
    {
      guard !owner.setEntry(of: field, rest, value) else { return }
      throw fixedDictionary(path, outcome, owner, field)
    }
    try KeyValueError.check(outcome, key: path, className: className)
  }

  /// Sets an entry of a property's dictionary; false if that is a value, as Swift's are. A box of a
  /// dictionary is another one each time, which nobody observes: the property's observers are told.
  private func setEntry(of field: Field, _ rest: ArraySlice<Substring>, _ value: Any?) -> Bool {
    guard let key = rest.first, rest.count == 1,
      case .dictionary(let entries)? = (try? rootValue(field.key) as? any ForeignValue)?.foreignForm,
      let set = entries.set
    else { return false }
    willChangeValue(forKey: field.key)
    set(String(key), value)
    didChangeValue(forKey: field.key)
    return true
  }

  /// The error of setting an entry of a property's dictionary, which is a value.
  private func fixedDictionary(
    _ path: String, _ outcome: Outcome, _ owner: KVObject, _ field: Field
  ) -> KeyValueError {
    let property = "“\(field.key)” of \(owner.className)"
    return KeyValueError(
      KeyValueError.Code(outcome.status), key: field.key, className: owner.className,
      reason: "\(property) is a \(field.typeName), in which no key can be set by name",
      exceptionName: outcome.exceptionName,
      cure: "change the property in Swift, or set “\(field.key)” to a dictionary with the entry",
      keyPath: path, object: ObjectIdentifier(owner))
  }

  /// The property, of the last object of a Swift class on a path, that the path leads through, and
  /// the keys behind it.
  private func property(onTheWay path: String) -> (KVObject, Field, ArraySlice<Substring>)? {
    var object = self
    var rest = path.split(separator: ".")[...]
    while let key = rest.popFirst() {
      guard let field = object.registration?.fieldsByKey[String(key)] else { return nil }
      let value = try? object.rootValue(field.key)
      guard let next = value as? KVObject else { return (object, field, rest) }
      object = next
    }
    return nil
  }

  final func rootValidate(_ value: inout Any?, path: String) throws {
    let id = try codedID(path)
    var given = copyObject(value)
    let before = given
    var cause: isa_id?
    var isValid = false
    let outcome = answered(path) {
      RootMethods.validatePath.imp(
        id, RootMethods.validatePath.sel, &given, path, &cause, &isValid)
    }
    defer {
      isa_object_release(before)
      isa_object_release(cause)
      if given != before { isa_object_release(given) }
    }
    try KeyValueError.check(outcome, key: path, className: className)
    guard isValid else {
      let cause = anyValue(cause)
      if let error = cause as? any Error { throw error }
      throw KeyValueError(refusing: path, of: className, cause)
    }
    if given != before { value = anyValue(given) }
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

/// A value as one of another type, as far as key-value coding converts it.
package func converted<Value>(_ value: Any?, to type: Value.Type) -> Value? {
  // Not the optional itself, which would pass for a value of any type.
  if let value = value.map({ $0 as? Value }) ?? (value as? Value) { return value }
  let id = copyObject(value)
  defer { isa_object_release(id) }
  return knownCoder(for: type).read(id)
}

// MARK: - Observing

extension KVObject {
  package final func rootAdd(
    _ observer: KVObject, _ keyPath: String, _ options: ObservationOptions,
    _ context: UnsafeMutableRawPointer?
  ) throws(KeyValueError) {
    try send(observer, keyPath) {
      RootMethods.add.imp($0, RootMethods.add.sel, $1, keyPath, UInt64(options.bits), context)
    }
  }

  package final func rootRemove(_ observer: KVObject, _ keyPath: String) throws(KeyValueError) {
    try send(observer, keyPath) {
      RootMethods.remove.imp($0, RootMethods.remove.sel, $1, keyPath)
    }
  }

  package final func rootRemove(
    _ observer: KVObject, _ keyPath: String, _ context: UnsafeMutableRawPointer?
  ) throws(KeyValueError) {
    try send(observer, keyPath) {
      RootMethods.removeContext.imp($0, RootMethods.removeContext.sel, $1, keyPath, context)
    }
  }

  private func send(
    _ observer: KVObject, _ keyPath: String, _ message: (isa_id, isa_id) -> isa_status
  ) throws(KeyValueError) {
    let id = try observedID(), told = try observer.observedID()
    let outcome = answered(keyPath) { message(id, told) }
    try KeyValueError.check(outcome, key: keyPath, className: className)
  }

  final var rootObservationInfo: UnsafeMutableRawPointer? {
    adoptedID.flatMap { RootMethods.info.imp($0, RootMethods.info.sel) }
  }

  final func setRootObservationInfo(_ info: UnsafeMutableRawPointer?) {
    announce { RootMethods.setInfo.imp($0, RootMethods.setInfo.sel, info) }
  }
}

// MARK: - Names and refusals

extension KVObject {
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
}
