// Key paths, many keys and set mutations: the methods of them that a Swift class may override, and
// the core's own methods at the end of a chain of `super`.
//
// Owns:  nothing.
// Locks: none; all that runs here is the classes' own code.
internal import CIsa
package import IsaRuntime

private typealias GetPath =
  @convention(c) (
    isa_id?, isa_sel?, UnsafePointer<CChar>?, UnsafeMutablePointer<isa_id?>?
  ) -> isa_status
private typealias SetPath =
  @convention(c) (
    isa_id?, isa_sel?, isa_id?, UnsafePointer<CChar>?
  ) -> isa_status
private typealias ValidatePath =
  @convention(c) (
    isa_id?, isa_sel?, UnsafeMutablePointer<isa_id?>?, UnsafePointer<CChar>?,
    UnsafeMutablePointer<isa_id?>?, UnsafeMutablePointer<Bool>?
  ) -> isa_status
private typealias AnnounceSet =
  @convention(c) (
    isa_id?, isa_sel?, UnsafePointer<CChar>?, UInt, isa_id?
  ) -> isa_status

// MARK: - Methods that a class may override

let pathOverrides: [Override] = [
  Override(ReadsPaths.self, "valueForKeyPath:", code(getByPath), "i@:*^@"),
  Override(SetsPaths.self, "setValue:forKeyPath:", code(setByPath), "i@:@*"),
  Override(
    AnnouncesSets.self, "willChangeValueForKey:withSetMutation:usingObjects:",
    code(willChangeSet), "i@:*Q@"),
  Override(
    EndsSets.self, "didChangeValueForKey:withSetMutation:usingObjects:", code(didChangeSet),
    "i@:*Q@"),
]

private final class ReadsPaths: KVObject {
  override func value(forKeyPath keyPath: String) throws(KeyValueError) -> Any? { nil }
}
private final class SetsPaths: KVObject {
  override func setValue(_ value: Any?, forKeyPath keyPath: String) throws(KeyValueError) {}
}
private final class AnnouncesSets: KVObject {
  override func willChangeValue(
    forKey key: String, withSetMutation mutation: SetMutation, using objects: Set<AnyHashable>
  ) {}
}
private final class EndsSets: KVObject {
  override func didChangeValue(
    forKey key: String, withSetMutation mutation: SetMutation, using objects: Set<AnyHashable>
  ) {}
}

private let getByPath: GetPath = { id, _, path, out in
  statusOf(messageTo: id) { () throws(KeyValueError) in
    out!.pointee = copyObject(try object(id).value(forKeyPath: string(path)))
  }
}

private let setByPath: SetPath = { id, _, value, path in
  statusOf(messageTo: id) { () throws(KeyValueError) in
    try object(id).setValue(anyValue(value), forKeyPath: string(path))
  }
}

private let willChangeSet: AnnounceSet = { id, _, key, mutation, objects in
  object(id).willChangeValue(
    forKey: string(key), withSetMutation: SetMutation(rawValue: mutation) ?? .set,
    using: members(objects))
  return ISA_OK
}

private let didChangeSet: AnnounceSet = { id, _, key, mutation, objects in
  object(id).didChangeValue(
    forKey: string(key), withSetMutation: SetMutation(rawValue: mutation) ?? .set,
    using: members(objects))
  return ISA_OK
}

private func members(_ objects: isa_id?) -> Set<AnyHashable> {
  Set<AnyHashable>.objectCoder.read(objects) ?? []
}

// MARK: - The core's own methods

private let rootGetPath = rootMethod("valueForKeyPath:", as: GetPath.self)
private let rootSetPath = rootMethod("setValue:forKeyPath:", as: SetPath.self)
private let rootValidatePath = rootMethod(
  "validateValue:forKeyPath:error:", as: ValidatePath.self)
private let rootWillSet = rootMethod(
  "willChangeValueForKey:withSetMutation:usingObjects:", as: AnnounceSet.self)
private let rootDidSet = rootMethod(
  "didChangeValueForKey:withSetMutation:usingObjects:", as: AnnounceSet.self)
private let getSelector: RuntimeSelector = "valueForKeyPath:"
private let setSelector: RuntimeSelector = "setValue:forKeyPath:"
private let validateSelector: RuntimeSelector = "validateValue:forKeyPath:error:"
private let willSelector: RuntimeSelector = "willChangeValueForKey:withSetMutation:usingObjects:"
private let didSelector: RuntimeSelector = "didChangeValueForKey:withSetMutation:usingObjects:"

extension KVObject {
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
    DecimalOperations.install()
    let id = try codedID(path)
    var value: isa_id?
    let outcome = readingByName {
      answered(path) { rootGetPath(id, getSelector.sel, path, &value) }
    }
    try KeyValueError.check(outcome, key: path, className: className)
    defer { isa_object_release(value) }
    return SwiftBox.find(value)?.isNil == true ? nil : read(value)
  }

  package final func rootSetValue(_ value: Any?, path: String) throws(KeyValueError) {
    let id = try codedID(path)
    let object = copyObject(value)
    defer { isa_object_release(object) }
    let outcome = answered(path) { rootSetPath(id, setSelector.sel, object, path) }
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
      rootValidatePath(id, validateSelector.sel, &given, path, &cause, &isValid)
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

  final func rootWillChange(
    _ key: String, _ mutation: SetMutation, _ objects: Set<AnyHashable>
  ) {
    announce(key, objects) { rootWillSet($0, willSelector.sel, key, mutation.rawValue, $1) }
  }

  final func rootDidChange(
    _ key: String, _ mutation: SetMutation, _ objects: Set<AnyHashable>
  ) {
    announce(key, objects) { rootDidSet($0, didSelector.sel, key, mutation.rawValue, $1) }
  }

  private func announce(
    _ key: String, _ objects: Set<AnyHashable>, _ change: (isa_id, isa_id?) -> isa_status
  ) {
    announce(key) { id in
      let set = Set<AnyHashable>.objectCoder.copy(objects)
      defer { isa_object_release(set) }
      return change(id, set)
    }
  }
}

/// A value as one of another type, as far as key-value coding converts it.
package func converted<Value>(_ value: Any?, to type: Value.Type) -> Value? {
  // Not the optional itself, which would pass for a value of any type.
  if let value = value.map({ $0 as? Value }) ?? (value as? Value) { return value }
  let id = copyObject(value)
  defer { isa_object_release(id) }
  return objectCoder(for: type).read(id)
}
