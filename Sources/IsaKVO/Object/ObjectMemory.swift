// Swift's own objects as the runtime's: address ↔ object, and the counting of references.
//
// Owns:  nothing; ARC owns the objects.
// Lives: a header's address is good for as long as its object's memory, which the core keeps by an
//        unowned reference where it has to.
internal import CIsa
internal import CSwiftRuntime
internal import IsaKeyValue

/// The Swift object that the core knows as `id`.
@inline(__always)
func swiftObject(_ id: isa_id?) -> UnsafeRawPointer { UnsafeRawPointer(heapObject(id)) }

/// Adds a reference to a Swift object, unless its deinit has begun.
func tryRetain(_ object: UnsafeMutableRawPointer) -> Bool { swift_runtime_try_retain(object) }

/// Whether the optimiser has taken out the method of that code, so that it must not be called.
func isDeletedMethod(_ code: UInt) -> Bool {
  swift_runtime_is_deleted_method(UnsafeRawPointer(bitPattern: code))
}

/// Calls the code of a Swift getter of any type; see `swift_runtime_call_getter`.
func callGetter(_ code: UInt, of object: KVObject, to place: UnsafeMutableRawPointer) {
  swift_runtime_call_getter(
    UnsafeRawPointer(bitPattern: code), Unmanaged.passUnretained(object).toOpaque(), place)
}

private func heapObject(_ id: isa_id?) -> UnsafeMutableRawPointer {
  UnsafeMutableRawPointer(id!) - headerOffset
}

/// Has ARC count what instances of `cls` hold and are held by.
func setMemoryHooks(of cls: isa_class) -> isa_status {
  // Kept by address, for ever; set once, for the base class of all.
  let hooks = UnsafeMutablePointer<isa_memory_hooks>.allocate(capacity: 1)
  hooks.initialize(
    to: isa_memory_hooks(
      retain: { _ = Unmanaged<AnyObject>.fromOpaque(heapObject($0)).retain() },
      release: { Unmanaged<AnyObject>.fromOpaque(heapObject($0)).release() },
      try_retain: { tryRetain(heapObject($0)) },
      keep: { swift_runtime_keep(heapObject($0)) },
      drop: { swift_runtime_drop(heapObject($0)) },
      count: { swift_runtime_count(heapObject($0)) }, access: checkAccess))
  return isa_class_set_memory_hooks(cls, hooks)
}

/// Checks an access by key to a property whose accessors are the core's, and notes a read.
private let checkAccess: @convention(c) (isa_id?, isa_sel?, Int, Bool) -> Void = {
  id, accessor, offset, sets in
  var offset = offset
  if let accessor {
    let field =
      sets
      ? ClassRegistration.field(setter: accessor, of: id!)
      : ClassRegistration.field(getter: accessor, of: id!)
    guard let field else { return }
    offset = field._withUnsafeGuaranteedRef { field in
      if !sets { KVObject.lent(id!)._withUnsafeGuaranteedRef { $0.noteRead(byName: field) {} } }
      return field.offset
    }
  }
  let place = UnsafeMutableRawPointer(id!) + offset
  sets ? checkModifying(place) : checkReading(place)
}

extension KVObject {
  /// The Swift object that the core knows as `id`.
  static func at(_ id: isa_id) -> KVObject { lent(id).takeUnretainedValue() }

  /// The same, for an access that counts no reference.
  @inline(__always)
  static func lent(_ id: isa_id) -> Unmanaged<KVObject> { .fromOpaque(heapObject(id)) }

  /// The same, if the object is one of Swift's.
  static func find(_ id: isa_id?) -> KVObject? {
    guard let id, isSwift(id) else { return nil }
    return at(id)
  }

  /// Whether the object's memory is ARC's.
  static func isSwift(_ id: isa_id) -> Bool {
    isa_class_find_info(isa_object_get_class(id)) != nil
  }

  /// The object as the core knows it, once it has been made an instance of its class there.
  ///
  /// It is good for as long as the object, which the caller of a method keeps.
  final var adoptedID: isa_id? {
    isa_header_isa(headerAddress) == 0 ? nil : OpaquePointer(headerAddress)
  }

  /// The object as the core knows it.
  ///
  /// - Throws: `KeyValueError.Code.unsupported` if the class cannot be registered.
  final func runtimeID() throws(KeyValueError) -> isa_id {
    if let id = adoptedID { return id }
    let registration = try ClassRegistration.of(type(of: self))
    var id: isa_id?
    try KeyValueError.check(
      isa_object_adopt(registration.cls, headerAddress, &id),
      className: registration.name)
    try registration.meetGetters(on: self)
    registration.resolveDeclarations(on: self)
    return id!
  }

  /// The registration of the object's class; nil for an object that has never been used.
  final var registration: ClassRegistration? { adoptedID.map { ClassRegistration.of($0) } }

  /// The property whose storage begins at `storage`.
  final func field(at storage: UnsafeRawPointer) -> Field? {
    guard let id = adoptedID else { return nil }
    return ClassRegistration.fields(of: id).field(at: storage - UnsafeRawPointer(id))
  }

  /// Where the storage of a property of this object begins.
  final func storage(of field: Field) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(headerAddress) + field.offset
  }
}

extension ClassRegistration {
  /// The registration of a Swift object's class.
  static func of(_ id: isa_id) -> ClassRegistration {
    registered(on: isa_object_get_class(id))
  }

  /// The registration of a class, or of the nearest one above it that has one.
  static func registered(on cls: isa_class) -> ClassRegistration {
    Unmanaged<ClassRegistration>.fromOpaque(isa_class_find_info(cls)!).takeUnretainedValue()
  }

  /// The wrapped properties of a Swift object.
  @inline(__always)
  static func fields(of id: isa_id) -> FieldTable {
    lent(id)._withUnsafeGuaranteedRef { $0.fields }
  }

  /// The keys that a key path of a Swift object is known to be made of.
  static func knownPath(_ path: AnyKeyPath, of id: isa_id) -> KnownPath? {
    lent(id)._withUnsafeGuaranteedRef { $0.knownPaths.find(path) }
  }

  /// The property of a Swift object that a message reads; that one sets.
  static func field(getter sel: isa_sel, of id: isa_id) -> Unmanaged<Field>? {
    lent(id)._withUnsafeGuaranteedRef { $0.field(getter: sel) }
  }
  static func field(setter sel: isa_sel, of id: isa_id) -> Unmanaged<Field>? {
    lent(id)._withUnsafeGuaranteedRef { $0.field(setter: sel) }
  }

  /// Whether a Swift object may be used on the main actor only.
  static func isOfMainActor(_ id: isa_id) -> Bool {
    lent(id)._withUnsafeGuaranteedRef { $0.isOfMainActor }
  }

  /// The registration of a Swift object's class, for an access that counts no reference.
  @inline(__always)
  private static func lent(_ id: isa_id) -> Unmanaged<ClassRegistration> {
    .fromOpaque(isa_class_find_info(isa_object_get_class(id))!)
  }

  /// Lets the class lead to its registration, which then lives as long as the process.
  func attach(to cls: isa_class) throws(KeyValueError) {
    let info = UnsafeRawPointer(Unmanaged.passRetained(self).toOpaque())
    try KeyValueError.check(isa_class_set_info(cls, info), className: name)
  }
}

extension ClassRegistration: ClassAdopter {
  static func cure(for code: KeyValueError.Code, _ key: String, of cls: isa_class) -> String? {
    registered(on: cls).cure(for: code, key)
  }

  static func object(_ id: isa_id) -> AnyObject? { KVObject.find(id) }

  static func answers(_ key: String, _ object: isa_id) -> Bool {
    do throws(KeyValueError) {
      _ = try KVObject.at(object).value(forKey: key)
      return true
    } catch {
      return error.code != .undefinedKey
    }
  }
}

// MARK: - Held memory

/// An object that is not held, in memory that is: its owner drops it once.
package struct ObjectMemory: @unchecked Sendable {
  // Sendable because the address never changes, and the object is for the caller to use where it may be.
  private let address: UnsafeMutableRawPointer

  package init(keeping object: KVObject) {
    address = Unmanaged.passUnretained(object).toOpaque()
    swift_runtime_keep(address)
  }

  package func drop() { swift_runtime_drop(address) }

  /// The object; nil once its deinit has begun.
  package var object: KVObject? {
    tryRetain(address) ? Unmanaged<KVObject>.fromOpaque(address).takeRetainedValue() : nil
  }
}
