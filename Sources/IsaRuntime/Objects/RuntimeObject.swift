package import CIsa

/// A counted reference to an object of the runtime.
///
/// Two references are equal when they lead to the same object. Any thread may use one: the runtime
/// synchronises itself, and two threads that set the same property race as in any Swift class.
///
///     let person = try RuntimeClassBuilder("Person").property("age", .int64).register().allocate()
///     try person.set("age", 40)
///     print(try person.get("age", as: Int.self))   // 40
public final class RuntimeObject: @unchecked Sendable {
  package let id: isa_id

  /// Takes over the caller's +1.
  package init(adopting id: isa_id) { self.id = id }

  /// Adds its own +1.
  package init(retaining id: isa_id) { self.id = isa_object_retain(id) }

  /// Adds a reference to the object at an address that ``address`` or an event told; it has to live.
  public convenience init(unsafeAddress address: UInt) {
    self.init(retaining: isa_id(bitPattern: address)!)
  }

  deinit { isa_object_release(id) }
}

// MARK: - Class

extension RuntimeObject {
  /// The object's true class: the class that its isa points at, perhaps a notifying class.
  public var isa: RuntimeClass { RuntimeClass(isa_object_get_class(id)!) }

  /// The class that the object claims to be of, as it answers the message `class`.
  public var `class`: RuntimeClass { RuntimeClass(claimedClass(of: id)) ?? isa }

  /// Swaps the isa, as `object_setClass` does.
  ///
  /// - Parameter newClass: A notifying class counts, on an object that nobody observes, as the
  ///   class that it notifies for.
  /// - Returns: The class before.
  /// - Throws: `KeyValueError.Code.layout` if instances of the classes are laid out
  ///   differently; `KeyValueError.Code.classNotRegistered`;
  ///   `KeyValueError.Code.invalidArgument`.
  @discardableResult
  public func setIsa(_ newClass: RuntimeClass) throws(KeyValueError) -> RuntimeClass {
    var old: isa_class?
    try KeyValueError.check(isa_object_set_class(id, newClass.cls, &old), className: isa.name)
    return RuntimeClass(old!)
  }

  /// Whether the object's class, or one of its superclasses, is `other`.
  public func isKind(of other: RuntimeClass) -> Bool { isa_object_is_kind_of(id, other.cls) }

  /// Whether the object answers `selector`.
  public func responds(to selector: RuntimeSelector) -> Bool {
    isa_object_responds_to(id, selector.sel)
  }

  /// The object as a class, if it is one.
  public var asClass: RuntimeClass? {
    isa_class_is_metaclass(isa_object_get_class(id)) ? RuntimeClass(id) : nil
  }
}

// MARK: - Messages

extension RuntimeObject {
  /// Sends a message.
  ///
  ///     try person.send("setAge:", 41)
  ///     let age = try person.send("age").int
  ///
  /// - Parameters:
  ///   - selector: The message.
  ///   - arguments: One for each colon; each is converted to the type that the method takes. A C string
  ///     is kept for the life of the process, since a method may keep the pointer.
  /// - Returns: The method's result, ``RuntimeValue/void`` for nothing.
  /// - Throws: `KeyValueError.Code.unrecognizedSelector`;
  ///   `KeyValueError.Code.invalidArgument`; `KeyValueError.Code.incompatible`;
  ///   `KeyValueError.Code.notPassable`.
  @discardableResult
  public func send(
    _ selector: RuntimeSelector, _ arguments: RuntimeValue...
  ) throws(KeyValueError) -> RuntimeValue {
    try send(selector, arguments: arguments)
  }

  /// Sends a message with the arguments of an array.
  ///
  /// As ``send(_:_:)``.
  @discardableResult
  public func send(
    _ selector: RuntimeSelector, arguments: [RuntimeValue]
  ) throws(KeyValueError) -> RuntimeValue {
    guard let method = isa_class_find_method(isa_object_get_class(id), selector.sel) else {
      throw KeyValueError(
        Outcome(isa_invoke_message(id, selector.sel, nil, nil)), key: selector.name,
        className: isa.original.name)
    }
    let encoding = RuntimeTypeEncoding(String(cString: isa_method_types(method)))
    return try call(nil, encoding, self, selector, arguments)
  }
}

// MARK: - Ivars

extension RuntimeObject {
  /// The value of an ivar, read where it stands; nil if the object has none of that name.
  public func ivar(named name: String) -> RuntimeValue? {
    guard let ivar = isa_class_find_ivar(isa_object_get_class(id), name) else { return nil }
    return readIvar(ivar, of: id)
  }

  /// Writes an ivar where it stands, past every setter: nobody is notified.
  ///
  /// The value is converted to the ivar's type. An object that the ivar owns is retained, and the former
  /// one released.
  ///
  /// - Throws: `KeyValueError.Code.notFound`; `KeyValueError.Code.incompatible`.
  public func poke(ivar name: String, _ value: RuntimeValue) throws(KeyValueError) {
    guard let ivar = isa_class_find_ivar(isa_object_get_class(id), name) else {
      throw KeyValueError(.notFound, key: name, className: isa.original.name)
    }
    try write(value, to: ivar)
  }

  private func write(_ value: RuntimeValue, to ivar: isa_ivar) throws(KeyValueError) {
    let encoding = RuntimeTypeEncoding(String(cString: isa_ivar_types(ivar)))
    try writeIvar(ivar, of: id, try value.converted(to: encoding))
  }

  /// The value for a key as it stands in the object: no getter is asked.
  ///
  /// - Throws: `KeyValueError.Code.undefinedKey` for a key without an ivar.
  /// - Note: Source `primitiveValueForKey:`, NSManagedObject.h.
  public func primitiveValue(forKey key: String) throws(KeyValueError) -> RuntimeValue {
    readIvar(try ivar(behind: key), of: id)
  }

  /// Sets the value for a key where it stands, and tells nobody: for a value that is no news, such as
  /// a fetched one. The value is converted as by ``poke(ivar:_:)``.
  ///
  /// - Parameters:
  ///   - value: The key's new value.
  ///   - key: A property with an ivar, or the name of an ivar without the `_` that it may begin with.
  ///   - following: Whether observations of key paths that lead on from the key follow the new value
  ///     from then on; else they stay with the former one until they hear of a change. To follow a value
  ///     is to read it.
  /// - Throws: `KeyValueError.Code.undefinedKey` for a key without an ivar;
  ///   `KeyValueError.Code.incompatible`. The value is then as it was.
  /// - Note: Source `setPrimitiveValue:forKey:`, NSManagedObject.h.
  public func setPrimitiveValue(
    _ value: RuntimeValue, forKey key: String, following: Bool = true
  ) throws(KeyValueError) {
    try write(value, to: try ivar(behind: key))
    if following { kvo_follow_value(id, key, nil) }
  }

  private func ivar(behind key: String) throws(KeyValueError) -> isa_ivar {
    let cls = isa_object_get_class(id)!
    if let property = isa_class_find_property(cls, key) {
      let info = isa_property_get_info(property).pointee
      if let name = info.ivar, let ivar = isa_class_find_ivar(cls, name) { return ivar }
    }
    for name in ["_\(key)", key] {
      if let ivar = isa_class_find_ivar(cls, name) { return ivar }
    }
    throw KeyValueError(
      .undefinedKey, key: key, className: isa.original.name,
      reason: "“\(key)” of \(isa.original.name) has no ivar")
  }
}

extension RuntimeObject {
  /// Makes a call of the core that is about a key of the object, and throws where it fails.
  func ask(_ key: String, _ body: () -> isa_status) throws(KeyValueError) {
    try check(answered(key, body), key)
  }

  /// Throws where a call that is about a key of the object has failed.
  func check(_ outcome: Outcome, _ key: String) throws(KeyValueError) {
    try KeyValueError.check(outcome, key: key, className: isa.original.name)
  }

  /// Whether the object is being deallocated, so that it must not be kept.
  var isGoing: Bool {
    guard isa_object_try_retain(id) else { return true }
    isa_object_release(id)
    return false
  }
}

// MARK: - For lessons

extension RuntimeObject {
  /// The number of references at this moment, this one included; `Int.max` for an immortal object.
  public var retainCount: Int { Int(clamping: isa_object_retain_count(id)) }

  /// Where the object stands in memory, for display.
  public var address: UInt { UInt(bitPattern: id) }
}

extension RuntimeObject: Hashable {
  /// Whether both references lead to the same object.
  public static func == (first: RuntimeObject, second: RuntimeObject) -> Bool {
    first.id == second.id
  }

  /// Hashes the object's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension RuntimeObject: CustomStringConvertible {
  /// The class that the object was made as and its address, such as `<Person 0x7f31c0de>`; the name
  /// of a class.
  public var description: String {
    asClass?.name ?? "<\(isa.original.name) \(hexadecimal(address))>"
  }
}
