// Swift values as objects of the runtime: a box of a class of its own for values, one that is an
// array, a set or a dictionary for Swift's.
//
// Owns:  the value, in a Swift object that the box's `dealloc` releases.
// Lives: as any object of the runtime.
// Locks: none; a box never changes.
internal import CIsa

/// What is in a box.
class BoxedValue {
  /// The value itself.
  var any: Any { fatalError("abstract") }
  /// The value with all the digits that it has, where the value itself need not have them.
  var exactly: Any { any }
  /// Whether the value is nil, of an optional type.
  var isNil: Bool { false }
  var count: Int { 0 }

  /// An element of an ordered collection, with a +1.
  func copyElement(at index: Int) -> isa_id? { nil }

  /// The elements, or a dictionary's values, with a +1 each; null for nil.
  func copyElements() -> [isa_id?] { [] }

  /// A dictionary's keys, in the order of its values, with a +1 each.
  func copyKeys() -> [isa_id?] { [] }

  /// The element of a set, or the value of a dictionary's key, that an object leads to, with a +1.
  func copyMember(_ id: isa_id) -> isa_id? { nil }

  func isEqual(to other: BoxedValue) -> Bool { self === other }

  /// Whether both are one value to observers: an object is so with itself only.
  final func isSame(as other: BoxedValue) -> Bool {
    let value = any
    if type(of: value) is AnyObject.Type { return value as AnyObject === other.any as AnyObject }
    guard let value = value as? any Equatable else { return self === other }
    return areEqual(value, other.any)
  }

  var hash: Int { ObjectIdentifier(self).hashValue }
  func compare(to other: BoxedValue) -> Int? { nil }
  var description: String { String(describing: any) }
}

/// A value that the runtime has no type of its own for.
final class BoxedOpaque<Value>: BoxedValue {
  let value: Value

  init(_ value: Value) { self.value = value }

  override var any: Any { value }

  override var isNil: Bool {
    guard Value.self is any AnyOptional.Type else { return false }
    return (value as! any AnyOptional).isNil
  }

  override func isEqual(to other: BoxedValue) -> Bool {
    guard let value = value as? any Equatable else { return self === other }
    return areEqual(value, other.any)
  }

  override var hash: Int {
    (value as? any Hashable)?.hashValue ?? ObjectIdentifier(Value.self).hashValue
  }

  override func compare(to other: BoxedValue) -> Int? {
    guard let value = value as? any Comparable else { return nil }
    return IsaKVO.compare(value, other.any)
  }
}

func areEqual<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
  first == second as? Value
}

private func compare<Value: Comparable>(_ first: Value, _ second: Any) -> Int? {
  guard let second = second as? Value else { return nil }
  return first < second ? -1 : first == second ? 0 : 1
}

/// A Swift array. Its elements become objects when somebody other than Swift asks for them.
final class BoxedArray<Element>: BoxedValue {
  let elements: [Element]
  private let copy: (Element) -> isa_id?

  init(_ elements: [Element], copying copy: @escaping (Element) -> isa_id?) {
    self.elements = elements
    self.copy = copy
  }

  override var any: Any { elements }
  override var count: Int { elements.count }
  override func copyElement(at index: Int) -> isa_id? { copy(elements[index]) ?? kvc_null() }
  override func copyElements() -> [isa_id?] { elements.map { copy($0) ?? kvc_null() } }
}

/// A Swift set, likewise.
final class BoxedSet<Element: Hashable>: BoxedValue {
  let elements: Set<Element>
  private let coder: ObjectCoder<Element>

  init(_ elements: Set<Element>, _ coder: ObjectCoder<Element>) {
    self.elements = elements
    self.coder = coder
  }

  override var any: Any { elements }
  override var count: Int { elements.count }
  override func copyElements() -> [isa_id?] { elements.map { coder.copy($0) ?? kvc_null() } }

  override func copyMember(_ id: isa_id) -> isa_id? {
    coder.member(of: elements, equalTo: id).map { coder.copy($0) ?? kvc_null() }
  }
}

/// A Swift dictionary, likewise.
final class BoxedDictionary<Key: Hashable, Value>: BoxedValue {
  let elements: [Key: Value]
  private let keyCoder: ObjectCoder<Key>
  private let copy: (Value) -> isa_id?

  init(
    _ elements: [Key: Value], _ keyCoder: ObjectCoder<Key>,
    copying copy: @escaping (Value) -> isa_id?
  ) {
    self.elements = elements
    self.keyCoder = keyCoder
    self.copy = copy
  }

  override var any: Any { elements }
  override var count: Int { elements.count }
  override func copyElements() -> [isa_id?] { elements.values.map { copy($0) ?? kvc_null() } }
  override func copyKeys() -> [isa_id?] { elements.keys.map { keyCoder.copy($0) ?? kvc_null() } }

  override func copyMember(_ id: isa_id) -> isa_id? {
    let key = keyCoder.member(of: elements.keys, equalTo: id)
    return key.flatMap { elements[$0] }.map { copy($0) ?? kvc_null() }
  }
}

extension ObjectCoder where Value: Hashable {
  /// The member of a set, or the key of a dictionary, whose object is equal to `id`.
  fileprivate func member<Members: Collection<Value>>(
    of members: Members, equalTo id: isa_id
  ) -> Value? where Members: HashedMembers {
    // Reading converts, a number to another, say, and what it comes to may have an object that is not
    // equal.
    if let value = read(id), isEqual(taking: copy(value), to: id),
      let own = members.member(value)
    {
      return own
    }
    // Swift finds a number of Foundation's different from its own, the runtime does not.
    guard Value.self == AnyHashable.self else { return nil }
    return members.first { isEqual(taking: copy($0), to: id) }
  }
}

/// Whether an object, whose +1 it takes over, is equal to another; nil stands for null.
func isEqual(taking own: isa_id?, to id: isa_id) -> Bool {
  defer { isa_object_release(own) }
  return kvc_is_equal(own ?? kvc_null(), id)
}

/// What finds its members by their hash.
protocol HashedMembers: Collection {
  func member(_ value: Element) -> Element?
}

extension Set: HashedMembers {
  func member(_ value: Element) -> Element? { firstIndex(of: value).map { self[$0] } }
}

extension Dictionary.Keys: HashedMembers {
  func member(_ value: Element) -> Element? { firstIndex(of: value).map { self[$0] } }
}

// MARK: - Classes

/// The classes whose instances hold a Swift value, made on first use.
enum SwiftBox {
  /// An object that holds `value`, with a +1.
  static func make(_ value: BoxedValue, _ cls: isa_class) -> isa_id {
    var id: isa_id?
    guard isa_object_allocate(cls, &id) == ISA_OK, let id else {
      fatalError("IsaKVO: no box for a Swift value: \(lastReason())")
    }
    fill(id, value)
    return id
  }

  /// Puts `value` into an object of one of the classes, which has nothing in it yet.
  static func fill(_ id: isa_id, _ value: BoxedValue) {
    slot(of: id).pointee = Unmanaged.passRetained(value)
  }

  /// What is in a box, nil for any other object.
  static func find(_ id: isa_id?) -> BoxedValue? {
    guard let id else { return nil }
    let cls = isa_object_get_class(id)
    let isBox =
      cls == valueClass || cls == arrayClass || cls == setClass || cls == dictionaryClass
      || isForeign(cls)
    return isBox ? value(of: id) : nil
  }

  nonisolated(unsafe) static let valueClass: isa_class = makeClass(
    "IsaSwiftValue", isa_root_class(), valueMethods)
  nonisolated(unsafe) static let arrayClass: isa_class = makeClass(
    "IsaSwiftArray", kvc_class_of_kind(KVC_KIND_ARRAY, false)!, arrayMethods)
  nonisolated(unsafe) static let setClass: isa_class = makeClass(
    "IsaSwiftSet", kvc_class_of_kind(KVC_KIND_SET, false)!, setMethods)
  nonisolated(unsafe) static let dictionaryClass: isa_class = makeClass(
    "IsaSwiftDictionary", kvc_class_of_kind(KVC_KIND_DICTIONARY, false)!, dictionaryMethods)

  static func value(of id: isa_id?) -> BoxedValue {
    slot(of: id!).pointee!.takeUnretainedValue()
  }

  /// Where an instance keeps its Swift object: the last word of its memory.
  fileprivate static func slot(of id: isa_id) -> UnsafeMutablePointer<Unmanaged<BoxedValue>?> {
    let end = isa_class_instance_size(isa_object_get_class(id)) - MemoryLayout<UInt>.size
    return (UnsafeMutableRawPointer(id) + end)
      .assumingMemoryBound(to: Unmanaged<BoxedValue>?.self)
  }

  typealias BoxMethod = (selector: String, imp: isa_imp, types: String)

  static func makeClass(
    _ name: String, _ superclass: isa_class?, _ methods: [BoxMethod]
  ) -> isa_class {
    var cls: isa_class?
    var status = isa_class_pair_allocate(superclass, name, &cls)
    if status == ISA_OK { status = isa_class_add_ivar(cls, "_swift", "Q", ISA_OWNERSHIP_NONE) }
    for method in methods where status == ISA_OK {
      status = isa_class_add_method(
        cls, isa_sel_register(method.selector), method.imp, method.types)
    }
    if status == ISA_OK { status = isa_class_pair_register(cls) }
    guard status == ISA_OK, let cls else {
      fatalError("IsaKVO: class \(name) cannot be made: \(lastReason())")
    }
    return cls
  }

  private static var ownMethods: [BoxMethod] {
    [
      ("dealloc", code(deallocBox), "v@:"), ("_isSameValue:", code(isSameBox), "B@:@"),
    ]
  }

  private static var valueMethods: [BoxMethod] {
    [
      ("isEqual:", code(isEqualBox), "B@:@"), ("hash", code(hashBox), "Q@:"),
      ("compare:", code(compareBox), "i@:@^q"), ("description", code(describeBox), "i@:^@"),
    ] + ownMethods
  }

  /// Of a class whose instances are complete but for what they hold.
  static var holderMethods: [BoxMethod] { [("dealloc", code(deallocBox), "v@:")] }

  static var nullMethods: [BoxMethod] {
    holderMethods + [("isEqual:", code(isEqualNull), "B@:@"), ("hash", code(hashNull), "Q@:")]
  }

  static var orderedSetMethods: [BoxMethod] {
    arrayMethods + [
      ("member:", code(memberOfBox), "i@:@^@"), ("allObjects", code(elementsOfBox), "i@:^@"),
      ("indexOfObject:", code(indexInBox), "Q@:@"),
    ]
  }

  static var arrayMethods: [BoxMethod] {
    [
      ("count", code(countBox), "Q@:"),
      ("objectAtIndex:", code(elementOfBox), "i@:Q^@"),
    ] + ownMethods
  }

  static var setMethods: [BoxMethod] {
    [
      ("count", code(countBox), "Q@:"),
      ("member:", code(memberOfBox), "i@:@^@"), ("allObjects", code(elementsOfBox), "i@:^@"),
    ] + ownMethods
  }

  private static var dictionaryMethods: [BoxMethod] {
    [
      ("count", code(countBox), "Q@:"),
      ("objectForKey:", code(memberOfBox), "i@:@^@"), ("allKeys", code(keysOfBox), "i@:^@"),
      ("allValues", code(elementsOfBox), "i@:^@"),
    ] + ownMethods
  }
}

// MARK: - Methods

private typealias Dealloc = @convention(c) (isa_id?, isa_sel?) -> Void
private typealias IsEqual = @convention(c) (isa_id?, isa_sel?, isa_id?) -> Bool
private typealias Count = @convention(c) (isa_id?, isa_sel?) -> UInt
private typealias IndexOf = @convention(c) (isa_id?, isa_sel?, isa_id?) -> UInt
private typealias Compare =
  @convention(c) (
    isa_id?, isa_sel?, isa_id?, UnsafeMutablePointer<Int64>?
  ) -> isa_status
private typealias Answer =
  @convention(c) (
    isa_id?, isa_sel?, UnsafeMutablePointer<isa_id?>?
  ) -> isa_status
private typealias AnswerFor =
  @convention(c) (
    isa_id?, isa_sel?, isa_id?, UnsafeMutablePointer<isa_id?>?
  ) -> isa_status
private typealias AnswerAt =
  @convention(c) (
    isa_id?, isa_sel?, UInt, UnsafeMutablePointer<isa_id?>?
  ) -> isa_status

/// A function as the code of a method.
func code<Function>(_ function: Function) -> isa_imp {
  unsafeBitCast(function, to: isa_imp.self)
}

private let deallocBox: Dealloc = { id, _ in
  SwiftBox.slot(of: id!).pointee?.release()
}

private let isEqualBox: IsEqual = { id, _, other in
  guard let other = SwiftBox.find(other) else { return false }
  return SwiftBox.value(of: id).isEqual(to: other)
}

private let isSameBox: IsEqual = { id, _, other in
  SwiftBox.find(other).map { SwiftBox.value(of: id).isSame(as: $0) } ?? false
}

private let hashBox: Count = { id, _ in UInt(bitPattern: SwiftBox.value(of: id).hash) }

private let isEqualNull: IsEqual = { _, _, other in isNull(other) }

private let hashNull: Count = { _, _ in UInt(kvc_hash(kvc_null())) }

private let compareBox: Compare = { id, _, other, order in
  let value = SwiftBox.value(of: id)
  guard let found = SwiftBox.find(other).flatMap({ value.compare(to: $0) }) else {
    let given = anyValue(other).map { "\($0)" } ?? "nil"
    let reason = "no order is known of two values: \(value.description) and \(given)"
    return isa_fail(ISA_ERR_INVALID_ARGUMENT, nil, reason)
  }
  order!.pointee = Int64(found)
  return ISA_OK
}

private let describeBox: Answer = { id, _, out in
  var text = SwiftBox.value(of: id).description
  return text.withUTF8 { bytes in
    bytes.withMemoryRebound(to: CChar.self) {
      kvc_string_make_bytes($0.baseAddress, $0.count, out)
    }
  }
}

private let countBox: Count = { id, _ in UInt(SwiftBox.value(of: id).count) }

private let elementOfBox: AnswerAt = { id, sel, index, out in
  let value = SwiftBox.value(of: id)
  guard index < UInt(value.count) else {
    let name = String(cString: isa_sel_name(sel))
    return isa_fail(
      KVC_ERR_RANGE, nil, "-[IsaSwiftArray \(name)]: index \(index) beyond \(value.count) elements")
  }
  out!.pointee = value.copyElement(at: Int(index))
  return ISA_OK
}

private let indexInBox: IndexOf = { id, _, object in
  let objects = SwiftBox.value(of: id).copyElements()
  defer { objects.forEach(isa_object_release) }
  return objects.firstIndex { kvc_is_equal($0, object) }.map { UInt($0) } ?? UInt(Int.max)
}

private let memberOfBox: AnswerFor = { id, _, object, out in
  out!.pointee = object.flatMap { SwiftBox.value(of: id).copyMember($0) }
  return ISA_OK
}

private let elementsOfBox: Answer = { id, _, out in
  makeArray(taking: SwiftBox.value(of: id).copyElements(), out!)
}

private let keysOfBox: Answer = { id, _, out in
  makeArray(taking: SwiftBox.value(of: id).copyKeys(), out!)
}

/// Makes an array of objects, and takes over their +1.
private func makeArray(
  taking objects: [isa_id?], _ out: UnsafeMutablePointer<isa_id?>
) -> isa_status {
  defer { objects.forEach(isa_object_release) }
  return kvc_array_make(objects, objects.count, out)
}

/// The array of these objects, whose +1 it takes over, with a +1 of its own.
func makeArray(taking objects: [isa_id?]) -> isa_id? {
  var array: isa_id?
  if makeArray(taking: objects, &array) != ISA_OK {
    fatalError("IsaKVO: no array for Swift elements: \(lastReason())")
  }
  return array
}
