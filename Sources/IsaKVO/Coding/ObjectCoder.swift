// Swift values ↔ objects of the runtime: how the values of one Swift type travel where the runtime
// wants an object.
//
// Owns:  nothing; an object is handed over with a +1.
// Locks: none. A coder never changes.
package import CIsa
public import IsaKeyValue

/// How values of one type become objects and are found in objects.
struct ObjectCoder<Value>: @unchecked Sendable {
  // Sendable because the closures capture other coders only.
  /// The object for a value, with a +1; nil for nil.
  let copy: (Value) -> isa_id?
  /// The value in an object, nil if it is of another kind.
  let read: (isa_id?) -> Value?

  /// The value of what is handed over with null for nil: an element, a value of a change. A type that
  /// has no nil may have null itself.
  func readOrNull(_ id: isa_id?) -> Value? {
    if id == kvc_null(), let absent = read(nil) { return absent }
    return read(id)
  }
}

/// The coder of a type.
///
/// A type that the runtime knows has objects of its own: numbers, strings, arrays, and so on. A
/// value of any other type is boxed as it is.
func objectCoder<Value>(for type: Value.Type) -> ObjectCoder<Value> {
  if let type = type as? any ObjectCodable.Type { return codable(type) }
  if type is KVObject.Type { return swiftObjectCoder() }
  if let type = type as? any RawRepresentable.Type, let coder: ObjectCoder<Value> = raw(type) {
    return coder
  }
  if let (copy, read) = runtimeValues?.coder(for: type) {
    return ObjectCoder(copy: copy, read: read)
  }
  if let type = type as? any ForeignValue.Type { return foreignCoder(type) }
  return opaqueCoder()
}

private func codable<Value, Codable: ObjectCodable>(_ type: Codable.Type) -> ObjectCoder<Value> {
  Codable.objectCoder as! ObjectCoder<Value>
}

/// A type that knows its coder.
protocol ObjectCodable {
  static var objectCoder: ObjectCoder<Self> { get }
}

// MARK: - Any value at all

/// The object for a value of any type, with a +1; nil for nil.
package func copyObject(_ value: Any?) -> isa_id? {
  guard let value else { return nil }
  func copy<Value>(_ value: Value) -> isa_id? { knownCoder(for: Value.self).copy(value) }
  return _openExistential(value, do: copy)
}

/// The object from which ``anyValue(_:)`` gets back the very value, with a +1; nil for nil.
private func copyExactly(_ value: Any) -> isa_id? {
  func copy<Value>(_ value: Value) -> isa_id? {
    let isExact =
      Value.self is any ExactlyCodable.Type || Value.self is KVObject.Type
      || Value.self is any ForeignValue.Type || Value.self == runtimeValues?.objectType
    return isExact ? knownCoder(for: Value.self).copy(value) : box(value)
  }
  return _openExistential(value, do: copy)
}

/// The value as one of its own type, where `Value` is a protocol's.
private func concrete<Value>(_ value: Value) -> Any {
  // An existential within another is opened to the inner one only.
  func cast<Concrete>(_ type: Concrete.Type) -> Any { value as! Concrete }
  return _openExistential(type(of: value as Any) as Any.Type, do: cast)
}

/// A type whose objects tell the type as well.
private protocol ExactlyCodable {}

extension Bool: ExactlyCodable {}
extension Int: ExactlyCodable {}
extension Double: ExactlyCodable {}
extension String: ExactlyCodable {}
extension Array: ExactlyCodable {}
extension Set: ExactlyCodable {}
extension Dictionary: ExactlyCodable {}
extension KeptObject: ExactlyCodable {}

/// The Swift value that an object stands for; nil for nil.
package func anyValue(_ id: isa_id?) -> Any? {
  guard let id else { return nil }
  if let boxed = SwiftBox.find(id) { return boxed.any }
  if let object = KVObject.find(id) { return object }
  switch kvc_kind_of(id) {
  case KVC_KIND_NUMBER: return number(in: id)
  case KVC_KIND_STRING: return text(of: id)
  case KVC_KIND_NULL: return nil
  case KVC_KIND_ARRAY, KVC_KIND_ORDERED_SET: return copyElements(of: id)
  case KVC_KIND_SET: return Set(copyElements(of: id).map(hashable))
  case KVC_KIND_DICTIONARY: return dictionary(id)
  default: return runtimeValues?.reference(to: id) ?? KeptObject(adopting: isa_object_retain(id))
  }
}

/// The same where null is a value like any other.
func anyValueOrNull(_ id: isa_id?) -> Any? {
  id == kvc_null() ? KeyValueNull() : anyValue(id)
}

/// The same, a result of arithmetic with all its digits.
func exactValue(_ id: isa_id?) -> Any? {
  SwiftBox.find(id)?.any ?? foreignDecimal(id) ?? anyValue(id)
}

private func foreignDecimal(_ id: isa_id?) -> Any? {
  guard let foreignNaming, let digits = kvc_number_digits(id) else { return nil }
  return foreignNaming.foreignNumber(String(cString: digits))
}

/// The class of sums and averages that are no decimal numbers.
nonisolated(unsafe) private let sumClass = isa_class_find("IsaSum")

private func number(in id: isa_id) -> Any {
  if !isa_object_is_kind_of(id, sumClass), let exact = foreignDecimal(id) { return exact }
  return plainNumber(in: id).any
}

/// The elements of a collection at this moment.
private func copyElements(of id: isa_id) -> [Any] {
  var elements: [Any] = []
  visitElements(of: id) { elements.append(anyValue($0) ?? Any?.none as Any) }
  return elements
}

/// A value as a member of a set that is handed out; one without a hash by its description.
private func hashable(_ value: Any) -> AnyHashable {
  asHashable(value) ?? AnyHashable(String(describing: value))
}

/// A value as one with a hash, if it has any; a collection with elements of any type is hashed by them.
private func asHashable(_ value: Any) -> AnyHashable? {
  switch value {
  case let value as AnyHashable: value
  case let value as any AnyOptional where value.isNil: AnyHashable(KeyValueNull())
  case let elements as [Any]: whole(elements.map(asHashable)).map { AnyHashable($0) }
  case let entries as [AnyHashable: Any]:
    whole(entries.values.map(asHashable)).map { values in
      AnyHashable(Dictionary(uniqueKeysWithValues: zip(entries.keys, values)))
    }
  default: nil
  }
}

/// The elements, unless one is nil.
private func whole<Element>(_ elements: [Element?]) -> [Element]? {
  let all = elements.compactMap { $0 }
  return all.count == elements.count ? all : nil
}

private func dictionary(_ id: isa_id) -> [AnyHashable: Any] {
  var keys: isa_id?
  guard kvc_dictionary_copy_keys(id, &keys) == ISA_OK, let keys else { return [:] }
  defer { isa_object_release(keys) }
  let pairs = zip(copyElements(of: keys).map(hashable), copyElements(of: id))
  return Dictionary(pairs.map { ($0, $1 as Any) }) { _, last in last }
}

// MARK: - Boxes

/// Values that the runtime does not look into.
private func opaqueCoder<Value>() -> ObjectCoder<Value> {
  ObjectCoder(
    copy: { value in
      // A value of a protocol's type, or of a subclass, goes as what it is.
      if type(of: value as Any) != Value.self { return copyExactly(concrete(value)) }
      return box(value)
    },
    read: { id in
      if let value: Value = unbox(id) { return value }
      // An optional would itself pass for a value of any type.
      guard let value = anyValueOrNull(id) else { return nil }
      return value as? Value
    })
}

private func box<Value>(_ value: Value) -> isa_id {
  // Null in a property is not what observers are told for nil.
  let isNull = Value.self == KeyValueNull.self
  return SwiftBox.make(BoxedOpaque(value), isNull ? nullClass : SwiftBox.valueClass)
}

private func unbox<Value>(_ id: isa_id?) -> Value? {
  (SwiftBox.find(id) as? BoxedOpaque<Value>)?.value
}

/// Enums and others that stand for a number or a string.
///
/// A value that is more than its raw value says goes in a box.
private func raw<Value, Raw: RawRepresentable>(_ type: Raw.Type) -> ObjectCoder<Value>? {
  guard Raw.RawValue.self is any ObjectCodable.Type, !(type is AnyObject.Type) else { return nil }
  let inner = objectCoder(for: Raw.RawValue.self)
  let isSame = equality(of: type)
  let coder = ObjectCoder<Raw>(
    copy: { value in
      let rawValue = value.rawValue
      guard let again = Raw(rawValue: rawValue), isSame(value, again) else { return box(value) }
      return inner.copy(rawValue)
    },
    read: { id in unbox(id) ?? inner.read(id).flatMap { Raw(rawValue: $0) } })
  return coder as? ObjectCoder<Value>
}

/// How values of a type are compared; where they cannot be, they are all the same.
private func equality<Value>(of type: Value.Type) -> (Value, Value) -> Bool {
  func equality<Comparable: Equatable>(_ type: Comparable.Type) -> (Value, Value) -> Bool {
    { ($0 as! Comparable) == ($1 as! Comparable) }
  }
  guard let type = type as? any Equatable.Type else { return { _, _ in true } }
  return equality(type)
}

/// Objects of Swift's own observable classes.
private func swiftObjectCoder<Value>() -> ObjectCoder<Value> {
  ObjectCoder(
    copy: { value in
      // Not by a cast, which would ask the type again for each value.
      let object = withUnsafePointer(to: value) { UnsafeRawPointer($0).load(as: KVObject.self) }
      return object.copyID()
    },
    read: { KVObject.find($0) as? Value })
}

// MARK: - Types that the runtime knows

extension Optional: ObjectCodable {
  static var objectCoder: ObjectCoder<Wrapped?> {
    let inner = IsaKVO.objectCoder(for: Wrapped.self)
    return ObjectCoder(
      // In an optional of an optional, a value that is nil itself is there all the same.
      copy: { value in value.flatMap { inner.copy($0) ?? box($0) } },
      read: { id in
        guard let id else { return .some(.none) }
        if let value: Wrapped = unbox(id) { return .some(value) }
        if let value = inner.read(id) { return .some(value) }
        return isNull(id) ? .some(.none) : nil
      })
  }
}

extension String: ObjectCodable {
  static var objectCoder: ObjectCoder<String> {
    ObjectCoder(
      copy: { text in
        var id: isa_id?
        let status = makeText(text, &id)
        return SwiftBox.made(id, status, of: String.self)
      },
      read: { id in id.flatMap { text(of: $0) } })
  }
}

extension Array: ObjectCodable {
  static var objectCoder: ObjectCoder<[Element]> {
    let inner = IsaKVO.objectCoder(for: Element.self)
    let copyElement = elementCopier(inner)
    return ObjectCoder(
      copy: { SwiftBox.make(BoxedArray($0, copying: copyElement), SwiftBox.arrayClass) },
      read: { id in
        if let boxed = SwiftBox.find(id) as? BoxedArray<Element> { return boxed.elements }
        return readElements(id, [KVC_KIND_ARRAY, KVC_KIND_ORDERED_SET, KVC_KIND_SET], inner)
      })
  }
}

extension Set: ObjectCodable {
  static var objectCoder: ObjectCoder<Set<Element>> {
    let inner = IsaKVO.objectCoder(for: Element.self)
    let element = ObjectCoder(copy: elementCopier(inner), read: inner.read)
    return ObjectCoder(
      copy: { SwiftBox.make(BoxedSet($0, element), SwiftBox.setClass) },
      read: { id in
        if let boxed = SwiftBox.find(id) as? BoxedSet<Element> { return boxed.elements }
        return readElements(id, [KVC_KIND_SET, KVC_KIND_ORDERED_SET, KVC_KIND_ARRAY], inner)
          .map { Set($0) }
      })
  }
}

extension Dictionary: ObjectCodable {
  static var objectCoder: ObjectCoder<[Key: Value]> {
    let keyCoder = IsaKVO.objectCoder(for: Key.self)
    let valueCoder = IsaKVO.objectCoder(for: Value.self)
    let copyElement = elementCopier(valueCoder)
    let key = ObjectCoder(copy: elementCopier(keyCoder), read: keyCoder.read)
    return ObjectCoder(
      copy: { dictionary in
        SwiftBox.make(
          BoxedDictionary(dictionary, key, copying: copyElement), SwiftBox.dictionaryClass)
      },
      read: { id in
        if let boxed = SwiftBox.find(id) as? BoxedDictionary<Key, Value> { return boxed.elements }
        guard let id, kvc_kind_of(id) == KVC_KIND_DICTIONARY else { return nil }
        var keys: isa_id?
        guard kvc_dictionary_copy_keys(id, &keys) == ISA_OK, let keys else { return nil }
        defer { isa_object_release(keys) }
        guard let names = readElements(keys, [KVC_KIND_ARRAY], keyCoder),
          let values = readElements(id, [KVC_KIND_DICTIONARY], valueCoder)
        else { return nil }
        return Dictionary(zip(names, values)) { _, last in last }
      })
  }
}

/// How the elements of a Swift collection become objects.
///
/// Elements of no particular type become what they are: the core adds numbers up and follows keys
/// through objects, and the collection itself still has the very values.
func elementCopier<Element>(_ coder: ObjectCoder<Element>) -> (Element) -> isa_id? {
  if Element.self == Any.self { return { copyObject(concrete($0)) } }
  if Element.self == AnyHashable.self { return { copyObject(($0 as! AnyHashable).base) } }
  return coder.copy
}

extension AnyHashable: ObjectCodable {
  static var objectCoder: ObjectCoder<AnyHashable> {
    ObjectCoder(
      copy: { copyExactly($0.base) }, read: { id in anyValueOrNull(id).flatMap(asHashable) })
  }
}

extension KeptObject: ObjectCodable {
  static var objectCoder: ObjectCoder<KeptObject> {
    ObjectCoder(
      copy: { isa_object_retain($0.id) },
      read: { id in id.map { KeptObject(adopting: isa_object_retain($0)) } })
  }
}

extension KeyValueNull: ObjectCodable {
  static var objectCoder: ObjectCoder<KeyValueNull> {
    ObjectCoder(copy: { _ in kvc_null() }, read: { $0 == kvc_null() ? KeyValueNull() : nil })
  }
}

/// The elements of a collection of one of the kinds; nil if one is of another type.
private func readElements<Element>(
  _ id: isa_id?, _ kinds: [kvc_kind], _ coder: ObjectCoder<Element>
) -> [Element]? {
  guard let id, kinds.contains(kvc_kind_of(id)) else { return nil }
  if let type = Element.self as? KVObject.Type {
    // An array of a class has the layout of one of its superclass.
    return readObjects(id, type).map { unsafeBitCast($0, to: [Element].self) }
  }
  var elements: [Element] = []
  var isWhole = true
  visitElements(of: id) { element in
    if let element = coder.readOrNull(element) {
      elements.append(element)
    } else {
      isWhole = false
    }
  }
  return isWhole ? elements : nil
}

/// The elements, if they are of a class of observable objects; without a copy, as an array of a class
/// has the layout of one of its superclass.
func observableObjects<Element>(_ elements: [Element]) -> [KVObject]? {
  Element.self is KVObject.Type ? unsafeBitCast(elements, to: [KVObject].self) : nil
}

/// The elements of a collection, which are to be observable objects of a class: compiled once, not for
/// any type of elements, which asks for the layout at each of them.
private func readObjects(_ id: isa_id, _ type: KVObject.Type) -> [KVObject]? {
  var objects: [KVObject] = []
  objects.reserveCapacity(kvc_collection_count(id))
  var isWhole = true
  visitElements(of: id) { element in
    if let object = KVObject.find(element), object.isInstance(of: type) {
      objects.append(object)
    } else {
      isWhole = false
    }
  }
  return isWhole ? objects : nil
}

extension KVObject {
  /// The object as the core knows it, with a +1; nil for one of a class that cannot be registered.
  final func copyID() -> isa_id? { (try? runtimeID()).map { isa_object_retain($0) } }

  fileprivate final func isInstance(of type: KVObject.Type) -> Bool {
    var next: AnyClass? = Swift.type(of: self)
    while let cls = next, cls != type { next = _getSuperclass(cls) }
    return next != nil
  }
}

// MARK: - Numbers

/// A number, which has a type of the core's own.
protocol ScalarCodable: ObjectCodable {
  /// The letter of its encoding.
  static var letter: CChar { get }
}

extension ScalarCodable where Self: FixedWidthInteger {
  static var letter: CChar {
    let letters = isSigned ? "csiq" : "CSIQ"
    return CChar(Array(letters.utf8)[(bitWidth / 8).trailingZeroBitCount])
  }
}

extension ScalarCodable {
  static var encoding: String { String(Unicode.Scalar(UInt8(letter))) }

  static var objectCoder: ObjectCoder<Self> {
    let letter = letter, types = internedText(encoding)
    return ObjectCoder(
      copy: { value in
        var value = value
        var id: isa_id?
        let status = withUnsafeMutablePointer(to: &value) {
          kvc_box(kvc_value(types: types, address: $0), &id)
        }
        return SwiftBox.made(id, status, of: Self.self)
      },
      read: { id in readNumber(id, letter) })
  }
}

/// A number as `NSNumber` converts it, also from a string that is one.
private func readNumber<Number: ScalarCodable>(_ id: isa_id?, _ letter: CChar) -> Number? {
  guard let id, isNumeric(id) else { return nil }
  return withUnsafeTemporaryAllocation(of: Number.self, capacity: 1) { room in
    guard kvc_number_read(id, letter, room.baseAddress!) == ISA_OK else { return nil }
    return room[0]
  }
}

private func isNumeric(_ id: isa_id) -> Bool {
  switch kvc_kind_of(id) {
  case KVC_KIND_NUMBER: true
  case KVC_KIND_STRING: text(of: id).map(isNumeric) ?? false
  default: false
  }
}

/// Whether a text is a number in decimal digits, the only ones that `NSString` reads.
func isNumeric(_ text: String) -> Bool {
  text.utf8.allSatisfy { "+-.eE0123456789".utf8.contains($0) } && Double(text) != nil
}

extension Bool: ScalarCodable {
  static var letter: CChar { CChar(UInt8(ascii: "B")) }
}
extension Int8: ScalarCodable {}
extension Int16: ScalarCodable {}
extension Int32: ScalarCodable {}
extension Int64: ScalarCodable {}
extension Int: ScalarCodable {}
extension UInt8: ScalarCodable {}
extension UInt16: ScalarCodable {}
extension UInt32: ScalarCodable {}
extension UInt64: ScalarCodable {}
extension UInt: ScalarCodable {}
extension Float: ScalarCodable {
  static var letter: CChar { CChar(UInt8(ascii: "f")) }
}
extension Double: ScalarCodable {
  static var letter: CChar { CChar(UInt8(ascii: "d")) }
}
#if arch(x86_64) || arch(i386)
  extension Float80: ScalarCodable {
    static var letter: CChar { CChar(UInt8(ascii: "D")) }
  }
#endif

/// A value as key-value coding answers it; nil for nil.
package func asAnswered(_ value: Any) -> Any? {
  let id = copyObject(value)
  defer { isa_object_release(id) }
  return anyValue(id)
}
