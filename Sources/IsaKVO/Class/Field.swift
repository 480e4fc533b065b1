// The wrapped properties of Swift classes, as the runtime sees them: the place of each property,
// and how to read, set and hand out its value as an object.
//
// Owns:  nothing but names.
// Lives: as long as the process, in its class's registration.
// Locks: none; a field never changes. Two threads that set one property race as in any class.
internal import CIsa
internal import IsaKeyValue

/// A wrapped property.
class Field: @unchecked Sendable {
  /// The property's name, by which KVC and KVO know it.
  let key: String
  let keyText: LastingText
  /// Whether the key has a dot, which parts keys.
  let isDotted: Bool
  /// Bytes from the object's header to the property's storage.
  let offset: Int
  let getter: RuntimeSelector
  let setter: RuntimeSelector
  /// The class that declares it.
  let owner: KVObject.Type

  init(_ place: FieldPlace) {
    key = place.key
    keyText = LastingText(place.key)
    isDotted = place.key.contains(".")
    offset = place.offset
    owner = place.owner
    // Key-value coding looks for `get<Key>` first.
    let isTaken = place.key.isRootMessage
    getter = isTaken ? RuntimeSelector("get\(place.key.asNamePart)") : RuntimeSelector(place.key)
    setter = RuntimeSelector("set\(place.key.asNamePart):")
  }

  /// The type of the property's values, as people write it.
  var typeName: String { fatalError("abstract") }

  /// The type itself.
  var valueType: Any.Type { fatalError("abstract") }

  /// The property's key path, of a class that has it, which is made without one in the source.
  func path(from owner: KVObject.Type) -> AnyKeyPath { fatalError("abstract") }

  /// The encoding by which the property's accessors pass values.
  var encoding: String { fatalError("abstract") }

  /// The letter of the encoding, where its bytes are the property's value; 0 where they are not.
  var letter: CChar { 0 }

  /// How the core sets a value where it stands; nil if it does not.
  var form: ValueForm? { nil }

  /// Sets what stands at `place` to `value`, which is the old value then if `keepsOld`.
  func set(
    _ place: UnsafeMutableRawPointer, to value: UnsafeMutableRawPointer, keepsOld: Bool
  ) { fatalError("abstract") }

  /// A value as an object, with a +1; nil for nil.
  func copyObject(at value: UnsafeRawPointer) -> isa_id? { fatalError("abstract") }

  /// The object that the value of an object, or what an optional holds there, is, if it is one.
  ///
  /// - Parameter isAsked: Whether a class made at run time is asked for the value.
  func instance(in object: KVObject, isAsked: Bool = true) -> AnyObject? { fatalError("abstract") }

  /// How the core shows elements of the value where they stand; nil if it does not.
  var elementForm: ValueForm? { nil }

  /// Elements that came or went as an array of objects, with a +1.
  func copyElements(at value: UnsafeRawPointer) -> isa_id? { fatalError("abstract") }

  /// Sends the setter, with the value at an address, to the object.
  func send(at value: UnsafeRawPointer, to object: KVObject) { fatalError("abstract") }

  /// The value as an object, with a +1; nil for nil.
  func copyValue(of object: KVObject) -> isa_id? { fatalError("abstract") }

  /// The same as an object that somebody holds: the property, or the calling thread.
  func lendValue(of object: KVObject) -> isa_id? {
    guard let value = copyValue(of: object) else { return nil }
    keepAnswer(taking: value)
    return value
  }

  /// Stores the value that an object stands for, unless it stands for none.
  func store(_ id: isa_id?, in object: KVObject) -> Bool { fatalError("abstract") }

  /// Whether an object stands for a value of the property's type.
  func accepts(_ id: isa_id?) -> Bool { fatalError("abstract") }

  /// The value that stands in the object, of its very type; nil for nil.
  func storedValue(of object: KVObject) -> Any? { fatalError("abstract") }
  /// Whether a value of any type stands for one of the property's type; stores such a value.
  func takes(_ value: Any?) -> Bool { fatalError("abstract") }
  func setStored(_ value: Any?, of object: KVObject) { fatalError("abstract") }

  /// Whether the value at this moment can be had as one of a type; true where it cannot be told.
  func gives<Wanted>(_ type: Wanted.Type, of object: KVObject) -> Bool { true }

  /// The answer of a getter of the class's own, which a key path leads to.
  func answer(_ result: UnsafeMutableRawPointer, of object: KVObject, by path: AnyKeyPath?) {
    fatalError("abstract")
  }

  /// Sets the property to the value that an object stands for, through the Swift setter that a key path
  /// leads to; false if it stands for none, or the key path leads to no setter.
  func assign(_ id: isa_id?, to object: KVObject, by path: AnyKeyPath) -> Bool {
    fatalError("abstract")
  }

  /// The value that stands in the object, if an object that stood for it would be turned into the very
  /// same; nil for others.
  func plainValue(of object: KVObject) -> Any? { nil }

  /// Sets the property in its storage, or through what notifies, to a value of its very type; false if
  /// the value is of another.
  func setPlainly(_ value: Any, of object: KVObject) -> Bool { false }

  /// Adds to a class, which is being built, what gives instances this property.
  func add(to cls: isa_class) throws(KeyValueError) {
    try KeyValueError.check(
      isa_class_add_method(cls, getter.sel, code(getObject), "@@:"), key: getter.name)
    if !isReadOnly {
      try KeyValueError.check(
        isa_class_add_method(cls, setter.sel, code(setObject), "v@:@"), key: setter.name)
    }
    try declare(on: cls, ivar: nil)
  }

  /// Whether there is no way to set the property.
  var isReadOnly: Bool { false }

  fileprivate final func declare(on cls: isa_class, ivar: String?) throws(KeyValueError) {
    let declare = ivar == nil ? isa_class_add_property : isa_class_synthesize
    let status = withPropertyInfo(
      name: key, types: encoding, getter: getter.name == key ? nil : getter.name,
      setter: nil, ivar: ivar, ownership: ISA_OWNERSHIP_NONE, isReadOnly: isReadOnly
    ) { declare(cls, $0) }
    try KeyValueError.check(status, key: key)
  }

  // MARK: Classes made at run time

  /// Whether an object's class, made at run time, answers the getter or the setter by a method that
  /// its Swift class does not have.
  final func isAsked(_ id: isa_id) -> Bool {
    let cls = kvo_class_original(isa_object_get_class(id))!
    let known = ClassRegistration.of(id).cls
    guard cls != known else { return false }
    return [getter, setter].contains {
      address(isa_class_find_imp(cls, $0.sel)) != address(isa_class_find_imp(known, $0.sel))
    }
  }

  // MARK: In-place changes

  /// Announces a change in place, if setting the property notifies by itself; whether it did.
  final func willModify(_ object: KVObject) -> Bool {
    guard let id = object.adoptedID, notifies(id) else { return false }
    // An answer that is kept would share an array's storage, and its change then copy it.
    return withAnswers { kvo_will_change(id, key) } == ISA_OK
  }

  /// Ends a change that was announced.
  final func didModify(_ object: KVObject) {
    guard let id = object.adoptedID else { return }
    _ = withAnswers {
      // An `inout` access that waits may go on on another thread.
      kvo_claim_change(id, key)
      return kvo_did_change(id, key)
    }
  }

  /// Whether the object answers the setter by a wrapper.
  final func notifies(_ id: isa_id) -> Bool {
    let cls = isa_object_get_class(id)
    return address(isa_class_find_imp(cls, setter.sel))
      != address(isa_class_find_imp(kvo_class_original(cls), setter.sel))
  }

  private func address(_ imp: isa_imp?) -> UInt { imp.map { codeAddress($0) } ?? 0 }
}

extension String {
  /// Whether this is a message that every object answers, which a getter must not be: the core sends
  /// it, or its notifying classes have an answer of their own.
  fileprivate var isRootMessage: Bool {
    if ["class", "dealloc", "_isKVOA"].contains(self) { return true }
    return isa_class_find_imp(isa_root_class(), isa_sel_register(self)) != nil
  }
}

/// Where a class has a wrapped property.
struct FieldPlace {
  let key: String
  let offset: Int
  let owner: KVObject.Type
}

/// A property wrapper, which knows how to make its field.
protocol FieldStorage {
  static func makeField(_ place: FieldPlace) -> Field
  /// The value that the wrapper at an address has at this moment, for people.
  static func shown(at address: UnsafeRawPointer) -> Any
}

/// The wrapper that a type is; nil for any other type.
func fieldStorage(of type: Any.Type) -> (any FieldStorage.Type)? {
  func dynamic<Value>(_ value: Value.Type) -> (any FieldStorage.Type)? {
    DynamicValue<Value>.isEmpty ? nil : DynamicValue<Value>.self
  }
  func lazy<Value>(_ value: Value.Type) -> any FieldStorage.Type { LazyDynamicValue<Value>.self }
  if let value = argument(of: type, like: DynamicValue<Int>.self) {
    return _openExistential(value, do: dynamic)
  }
  if let value = argument(of: type, like: LazyDynamicValue<Int>.self) {
    return _openExistential(value, do: lazy)
  }
  guard argument(of: type, like: WeakDynamicValue<KVObject>.self) != nil else { return nil }
  return type as? any FieldStorage.Type
}

/// A value as one of a type, if it is of that very type: what a cast finds out in another way.
@inlinable @inline(__always)
package func same<Given, Wanted>(_ given: Given, as type: Wanted.Type) -> Wanted? {
  Given.self == type ? unsafeBitCast(given, to: type) : nil
}

/// A wrapped property of one type.
class TypedField<Value>: Field, @unchecked Sendable {
  private let coderPlace = CoderPlace<Value>()
  final var coder: ObjectCoder<Value> { coderPlace.coder }

  deinit { coderPlace.deallocate() }

  override var typeName: String { writtenName(of: Value.self) }
  override var valueType: Any.Type { Value.self }
  override var encoding: String { "@" }

  /// Loads from the property, which nobody is modifying.
  func load(_ storage: UnsafeMutableRawPointer) -> Value { fatalError("abstract") }
  /// Stores to the property, which nobody is reading or modifying.
  func save(_ value: Value, _ storage: UnsafeMutableRawPointer) { fatalError("abstract") }

  /// The value that stands in the object.
  final func value(of object: KVObject) -> Value {
    let storage = object.storage(of: self)
    checkReading(storage)
    return load(storage)
  }

  override func instance(in object: KVObject, isAsked: Bool) -> AnyObject? {
    // Most are numbers.
    if _isPOD(Value.self) { return nil }
    let answer = isAsked ? ask(object, object.storage(of: self), Value.self) : nil
    return IsaKVO.instance(answer ?? value(of: object))
  }

  /// Sets the value that stands in the object.
  final func setValue(_ value: Value, of object: KVObject) {
    let storage = object.storage(of: self)
    checkModifying(storage)
    save(value, storage)
  }

  override func path(from owner: KVObject.Type) -> AnyKeyPath {
    FieldOfValue(field: self).path(from: owner)
  }

  /// The value as Swift code reads it: by a getter that the class has of its own, and a probe is told.
  func read(_ object: KVObject, _ path: () -> AnyKeyPath) -> Value {
    let id = try? object.runtimeID()
    if let id, ClassRegistration.of(id).overridesGetter(of: self) {
      if let value = converted(try? object.rootValue(key), to: Value.self) { return value }
    }
    let storage = object.storage(of: self)
    if mayBeTracked(), !DeliveryScope.expects(storage), noteRead(object, storage, path) {
      return nobodysBits(Value.self)
    }
    return ask(object, storage, Value.self) ?? value(of: object)
  }

  /// Sets the value as by name: by the property's own setter if the class has declared the key, or
  /// overrides the property.
  func write(_ value: Value, to object: KVObject) {
    if let id = try? object.runtimeID(), ClassRegistration.of(id).setsByProperty(self) {
      let box = coder.copy(value)
      defer { isa_object_release(box) }
      if ClassRegistration.of(id).setProperty(key, box, of: object) { return }
    }
    writePlainly(value, to: object)
  }

  private func writePlainly(_ value: Value, to object: KVObject) {
    var value = value
    let storage = object.storage(of: self)
    let isSent =
      object.isWatched && withUnsafeMutablePointer(to: &value) { sendSetter(object, storage, $0) }
    if !isSent { setValue(value, of: object) }
  }

  override func copyValue(of object: KVObject) -> isa_id? { coder.copy(value(of: object)) }

  override func setPlainly(_ value: Any, of object: KVObject) -> Bool {
    func set<Given>(_ given: Given) -> Bool {
      guard Given.self == Value.self else { return false }
      checkModifying(object.storage(of: self))
      writePlainly(unsafeBitCast(given, to: Value.self), to: object)
      return true
    }
    return _openExistential(value, do: set)
  }

  override func store(_ id: isa_id?, in object: KVObject) -> Bool {
    guard let value = coder.read(id) else { return false }
    setValue(value, of: object)
    return true
  }

  override func accepts(_ id: isa_id?) -> Bool { coder.read(id) != nil }

  override func storedValue(of object: KVObject) -> Any? {
    let value = value(of: object)
    return if let optional = value as? any AnyOptional { optional.any } else { value }
  }

  override func takes(_ value: Any?) -> Bool { converted(value, to: Value.self) != nil }

  override func setStored(_ value: Any?, of object: KVObject) {
    if let value = converted(value, to: Value.self) { setValue(value, of: object) }
  }

  override func gives<Wanted>(_ type: Wanted.Type, of object: KVObject) -> Bool {
    Wanted.self == Value.self || !isStored(in: object) || givesConverted(type, of: object)
  }

  // By itself, as it needs more types than most calls.
  @inline(never)
  private func givesConverted<Wanted>(_ type: Wanted.Type, of object: KVObject) -> Bool {
    let id = copyValue(of: object)
    defer { isa_object_release(id) }
    return id == nil || id == kvc_null() || knownCoder(for: type).read(id) != nil
  }

  /// Whether there is a value without running anybody's code.
  func isStored(in object: KVObject) -> Bool { true }

  override func answer(
    _ result: UnsafeMutableRawPointer, of object: KVObject, by path: AnyKeyPath?
  ) {
    let value = path.map { read(object, at: $0) } ?? value(of: object)
    if letter != 0 {
      result.initializeMemory(as: Value.self, to: value)
      return
    }
    let id = coder.copy(value)
    result.storeBytes(of: id, as: isa_id?.self)
    if let id { keepAnswer(taking: id) }
  }

  private func read(_ object: KVObject, at path: AnyKeyPath) -> Value {
    func read<Root>(_ root: Root.Type) -> Value {
      (object as! Root)[keyPath: path as! KeyPath<Root, Value>]
    }
    return _openExistential(type(of: path).rootType, do: read)
  }

  override func assign(_ id: isa_id?, to object: KVObject, by path: AnyKeyPath) -> Bool {
    guard let value = coder.read(id) else { return false }
    func assign<Root>(_ root: Root.Type) -> Bool {
      guard let path = path as? ReferenceWritableKeyPath<Root, Value> else { return false }
      (object as! Root)[keyPath: path] = value
      return true
    }
    return _openExistential(type(of: path).rootType, do: assign)
  }

  override func send(at value: UnsafeRawPointer, to object: KVObject) {
    send(value.assumingMemoryBound(to: Value.self).pointee, to: object)
  }

  /// Sends the setter to the object.
  func send(_ value: Value, to object: KVObject) {
    guard let id = object.adoptedID, !isCovered(object.storage(of: self)) else {
      return setValue(value, of: object)
    }
    var argument = coder.copy(value)
    // The old value and the new, which observers are given, go with the change.
    withAnswers { isa_send_value(id, setter.sel, objectLetter, &argument) }
    isa_object_release(argument)
  }
}

// MARK: - Dynamic

extension FieldStorage {
  /// The wrapper that stands at an address.
  fileprivate static func wrapper(at address: UnsafeRawPointer) -> Self {
    address.assumingMemoryBound(to: Self.self).pointee
  }
}

extension DynamicValue: FieldStorage {
  static func shown(at address: UnsafeRawPointer) -> Any { wrapper(at: address).value }

  static func makeField(_ place: FieldPlace) -> Field {
    if let scalar = scalarEncoding(of: Value.self) { return ScalarField<Value>(place, scalar) }
    if let type = observableClass(in: Value.self) { return ObjectField<Value>(place, type) }
    return toManyField(of: Value.self, place) ?? DynamicField<Value>(place)
  }
}

class DynamicField<Value>: TypedField<Value>, @unchecked Sendable {
  private var madeForm: ValueForm?

  override init(_ place: FieldPlace) {
    super.init(place)
    if letter != 0 { return }
    madeForm = ValueForm(self, Value.self)
  }

  deinit { madeForm?.deallocate() }

  override var form: ValueForm? { madeForm }

  /// The value itself, in its object.
  final func place(in object: KVObject) -> UnsafeMutablePointer<DynamicValue<Value>> {
    object.storage(of: self).assumingMemoryBound(to: DynamicValue<Value>.self)
  }

  override func set(
    _ place: UnsafeMutableRawPointer, to value: UnsafeMutableRawPointer, keepsOld: Bool
  ) {
    let place = place.assumingMemoryBound(to: Value.self)
    let value = value.assumingMemoryBound(to: Value.self)
    // An assignment would end parts of the old value before it has set others.
    if keepsOld { swap(&place.pointee, &value.pointee) } else { place.replace(with: value.pointee) }
  }

  override func copyObject(at value: UnsafeRawPointer) -> isa_id? {
    coder.copy(value.assumingMemoryBound(to: Value.self).pointee)
  }

  override func plainValue(of object: KVObject) -> Any? {
    Value.self == Int.self || Value.self == String.self || Value.self == Double.self
      || Value.self == Bool.self ? value(of: object) : nil
  }

  override func load(_ storage: UnsafeMutableRawPointer) -> Value {
    storage.assumingMemoryBound(to: DynamicValue<Value>.self).pointee.value
  }

  override func save(_ value: Value, _ storage: UnsafeMutableRawPointer) {
    let storage = storage.assumingMemoryBound(to: DynamicValue<Value>.self)
    if _isPOD(Value.self) {
      storage.pointee.value = value
    } else {
      withUnsafeMutablePointer(to: &storage.pointee.value) { $0.replace(with: value) }
    }
  }
}

/// A number: an ivar with accessors that the core makes.
private final class ScalarField<Value>: DynamicField<Value>, @unchecked Sendable {
  private let type: String

  init(_ place: FieldPlace, _ type: String) {
    self.type = type
    super.init(place)
  }

  override var letter: CChar { CChar(bitPattern: type.utf8.first!) }

  override var encoding: String { type }

  override func add(to cls: isa_class) throws(KeyValueError) {
    try KeyValueError.check(
      isa_class_add_ivar_at(cls, "_\(key)", type, offset), key: key)
    try declare(on: cls, ivar: "_\(key)")
  }
}

/// An observable object or nil: one reference, which is read and set where it stands.
private final class ObjectField<Value>: DynamicField<Value>, @unchecked Sendable {
  /// The class that the property is declared with.
  private let type: KVObject.Type

  init(_ place: FieldPlace, _ type: KVObject.Type) {
    self.type = type
    super.init(place)
  }

  override func lendValue(of object: KVObject) -> isa_id? {
    let storage = object.storage(of: self)
    checkReading(storage)
    return lentObject(at: storage)
  }

  override func store(_ id: isa_id?, in object: KVObject) -> Bool {
    guard let id, KVObject.isSwift(id),
      KVObject.lent(id)._withUnsafeGuaranteedRef({ Swift.type(of: $0) }) == type
    else { return super.store(id, in: object) }
    let storage = object.storage(of: self)
    checkModifying(storage)
    let old = storage.load(as: Unmanaged<KVObject>?.self)
    storage.storeBytes(of: KVObject.lent(id).retain(), as: Unmanaged<KVObject>.self)
    old?.release()
    return true
  }

  override func send(at value: UnsafeRawPointer, to object: KVObject) {
    guard let id = object.adoptedID else { return super.send(at: value, to: object) }
    var argument = lentObject(at: value)
    withAnswers { isa_send_value(id, setter.sel, objectLetter, &argument) }
  }
}

/// The observable object whose reference stands at an address, and holds it.
private func lentObject(at place: UnsafeRawPointer) -> isa_id? {
  place.load(as: Unmanaged<KVObject>?.self)?._withUnsafeGuaranteedRef { object in
    object.adoptedID ?? (try? object.runtimeID())
  }
}

private let objectLetter = CChar(bitPattern: UInt8(ascii: "@"))

// MARK: - Lazy and weak

extension LazyDynamicValue: FieldStorage {
  static func shown(at address: UnsafeRawPointer) -> Any { wrapper(at: address).current as Any }

  static func makeField(_ place: FieldPlace) -> Field { LazyField<Value>(place) }
}

private final class LazyField<Value>: TypedField<Value>, @unchecked Sendable {
  override func load(_ storage: UnsafeMutableRawPointer) -> Value {
    let address = storage.assumingMemoryBound(to: LazyDynamicValue<Value>.self)
    if let value = address.pointee.current { return value }
    // Computed before the storage is touched: the initial value's code may read it.
    let object = KVObject.at(isa_id(storage - offset))
    let value = address.pointee.initial.compute(for: object)
    checkModifying(storage)
    save(value, storage)
    return value
  }

  override func save(_ value: Value, _ storage: UnsafeMutableRawPointer) {
    let storage = storage.assumingMemoryBound(to: LazyDynamicValue<Value>.self)
    withUnsafeMutablePointer(to: &storage.pointee.current) { $0.replace(with: value) }
  }

  override func isStored(in object: KVObject) -> Bool {
    object.storage(of: self).assumingMemoryBound(to: LazyDynamicValue<Value>.self).pointee.current
      != nil
  }
}

extension WeakDynamicValue: FieldStorage {
  static func shown(at address: UnsafeRawPointer) -> Any { wrapper(at: address).object as Any }

  static func makeField(_ place: FieldPlace) -> Field { WeakField<Object>(place) }
}

private final class WeakField<Object: AnyObject>: TypedField<Object?>, @unchecked Sendable {
  override func load(_ storage: UnsafeMutableRawPointer) -> Object? {
    storage.assumingMemoryBound(to: WeakDynamicValue<Object>.self).pointee.object
  }

  override func save(_ value: Object?, _ storage: UnsafeMutableRawPointer) {
    storage.assumingMemoryBound(to: WeakDynamicValue<Object>.self).pointee.object = value
  }
}

// MARK: - Declared

/// A property without a wrapper, which its class has declared a key for.
final class DeclaredField<Value>: TypedField<Value>, @unchecked Sendable {
  private let reader: (KVObject) -> Value?
  private let writer: ((KVObject, Value) -> Void)?

  init(
    _ key: String, _ owner: KVObject.Type, read: @escaping (KVObject) -> Value?,
    write: ((KVObject, Value) -> Void)?
  ) {
    reader = read
    writer = write
    super.init(FieldPlace(key: key, offset: 0, owner: owner))
  }

  override var isReadOnly: Bool { writer == nil }

  override func instance(in object: KVObject, isAsked: Bool) -> AnyObject? { nil }

  override func setPlainly(_ value: Any, of object: KVObject) -> Bool { false }
  override func read(_ object: KVObject, _ path: () -> AnyKeyPath) -> Value { reader(object)! }
  override func write(_ value: Value, to object: KVObject) { writer?(object, value) }

  override func copyValue(of object: KVObject) -> isa_id? {
    guard let value = reader(object) else { return nil }
    return coder.copy(value)
  }

  override func store(_ id: isa_id?, in object: KVObject) -> Bool {
    guard let writer, let value = coder.read(id) else { return false }
    guard let id = object.adoptedID, notifies(id) else {
      writer(object, value)
      return true
    }
    DeclaredSetting.run(id, key) { writer(object, value) }
    return true
  }
}

/// The setting of a declared key by name while its wrapper announces it: the property's own setter,
/// which has to announce what Swift code sets, does so once more, and nobody is told of that.
final class DeclaredSetting {
  private let object: isa_id
  private let key: String
  private let outer: DeclaredSetting?

  private init(_ object: isa_id, _ key: String) {
    (self.object, self.key) = (object, key)
    outer = declaredSetting.current
  }

  /// Runs `body`, which sets the key by name.
  static func run<Result>(_ object: isa_id, _ key: String, _ body: () -> Result) -> Result {
    declaredSetting.with(DeclaredSetting(object, key), body)
  }

  /// Whether the calling thread is setting the key of the object by name.
  static func isUnderWay(_ object: isa_id, _ key: String) -> Bool {
    isAny(where: { $0 == object && $1.isKey(key) })
  }

  /// Whether it is setting any key by name.
  @inline(__always)
  static var isAnyUnderWay: Bool { ThreadKey.pointer(for: .setting) != nil }

  /// Whether it is setting one of these keys by name.
  static func isAny(where isMeant: (isa_id, String) -> Bool) -> Bool {
    var setting = declaredSetting.current
    while let known = setting {
      if isMeant(known.object, known.key) { return true }
      setting = known.outer
    }
    return false
  }
}

private let declaredSetting = ThreadSlot<DeclaredSetting>(.setting)

// MARK: - Accessors

// One getter and one setter for all properties that pass objects: which property is meant is told
// by the selector.

typealias GetObject = @convention(c) (isa_id?, isa_sel?) -> isa_id?
typealias SetObject = @convention(c) (isa_id?, isa_sel?, isa_id?) -> Void

let getObject: GetObject = { id, sel in
  guard let field = ClassRegistration.field(getter: sel!, of: id!) else {
    refuse(sel!, "getter", of: id!)
    return nil
  }
  return field._withUnsafeGuaranteedRef { field in
    KVObject.lent(id!)._withUnsafeGuaranteedRef { object in
      object.noteRead(byName: field) { field.lendValue(of: object) }
    }
  }
}

let setObject: SetObject = { id, sel, value in
  guard let field = ClassRegistration.field(setter: sel!, of: id!) else {
    return refuse(sel!, "setter", of: id!)
  }
  let isStored = field._withUnsafeGuaranteedRef { field in
    KVObject.lent(id!)._withUnsafeGuaranteedRef { field.store(value, in: $0) }
  }
  if !isStored { refuse(value, for: field.takeUnretainedValue(), of: id!) }
}

private func refuse(_ value: isa_id?, for field: Field, of id: isa_id) {
  let given = value.map { describe($0) } ?? "nil"
  let reason =
    "-[\(ClassRegistration.of(id).name) \(field.setter)]: \(given) is no \(field.typeName)"
  isa_report_misuse(KVC_ERR_TYPE, nil, reason)
}

/// Reports the code of an accessor that is called under another selector, as after an exchange.
private func refuse(_ sel: isa_sel, _ accessor: String, of id: isa_id) {
  let reason =
    "-[\(ClassRegistration.of(id).name) \(RuntimeSelector(sel).name)]: the code of a \(accessor) "
    + "that passes objects was called, which knows its property by the selector of a \(accessor); "
    + "override the property in a subclass instead of exchanging methods, or call that code by "
    + "isa_imp with the selector of the \(accessor)"
  isa_report_misuse(ISA_ERR_UNRECOGNIZED_SELECTOR, nil, reason)
}
