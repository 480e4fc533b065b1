// Values of foreign types as objects of the runtime: each box is an object of the kind that the
// value is, and has the value itself in it.
//
// Owns:   the value, in a Swift object that the box's `dealloc` releases.
// Lives:  as any object of the runtime.
// Locks:  none; a box never changes, a collection in it may.
internal import CIsa
internal import IsaKeyValue

/// How values of a foreign type travel.
func foreignCoder<Value>(_ type: any ForeignValue.Type) -> ObjectCoder<Value> {
  ObjectCoder(
    copy: { copyForeign($0 as! any ForeignValue) },
    read: { id in
      // A cast leads from a foreign type to its Swift sister, and back, and loses nothing.
      if let boxed = SwiftBox.find(id), let value = type.foreignCast(boxed.any) as? Value {
        return value
      }
      return foreignSource(of: id).flatMap { type.foreignValue(of: $0) as? Value }
    })
}

/// The object that has a foreign value in it, with a +1.
func copyForeign(_ value: any ForeignValue) -> isa_id? {
  switch value.foreignForm {
  case .opaque: SwiftBox.make(BoxedForeign(value), SwiftBox.valueClass)
  case .everyKey: SwiftBox.make(BoxedForeign(value), SwiftBox.everyKeyClass)
  case .null: SwiftBox.make(BoxedForeign(value), nullClass)
  case .number(let number): makeNumber(number, BoxedForeign(value))
  case .text(let text): makeText(text, BoxedForeign(value))
  case .ordered(let elements):
    SwiftBox.make(
      BoxedOrdered(value, elements), elements.isSet ? orderedSetClass : SwiftBox.arrayClass)
  case .unordered(let elements):
    SwiftBox.make(BoxedUnordered(value, elements), SwiftBox.setClass)
  case .dictionary(let entries):
    SwiftBox.make(BoxedEntries(value, entries), SwiftBox.dictionaryClass)
  }
}

/// Whether a value of any module stands for nil in collections.
package func standsForNil(_ value: Any) -> Bool {
  if isCommon(value) { return false }
  if value is KeyValueNull { return true }
  guard case .null = (value as? any ForeignValue)?.foreignForm else { return false }
  return true
}

/// Whether a value is of one of the types that most values are of, which stand for nothing else.
package func isCommon(_ value: Any) -> Bool {
  let type = type(of: value)
  return type == Int.self || type == String.self || type == Double.self || type == Bool.self
}

/// The contents of an object, for a foreign type to make a value of; nil if there are none that
/// could serve.
private func foreignSource(of id: isa_id?) -> ForeignSource? {
  guard let id else { return nil }
  switch kvc_kind_of(id) {
  case KVC_KIND_NUMBER: return .number(number(in: id))
  case KVC_KIND_STRING: return text(of: id).map { .text($0) }
  case KVC_KIND_ARRAY, KVC_KIND_ORDERED_SET, KVC_KIND_SET: return .elements(elements(in: id))
  case KVC_KIND_DICTIONARY: return .entries(entries(in: id))
  default: return nil
  }
}

private func elements(in id: isa_id) -> [Any] {
  var elements: [Any] = []
  visitElements(of: id) { elements.append(anyValue($0) ?? KeyValueNull()) }
  return elements
}

private func entries(in id: isa_id) -> [(key: Any, value: Any)] {
  var keys: isa_id?
  guard kvc_dictionary_copy_keys(id, &keys) == ISA_OK, let keys else { return [] }
  defer { isa_object_release(keys) }
  return Array(zip(elements(in: keys), elements(in: id)))
}

// MARK: - Values in boxes

/// A foreign value.
class BoxedForeign: BoxedValue {
  private let value: any ForeignValue

  init(_ value: any ForeignValue) { self.value = value }

  var any: Any { value }

  func isEqual(to other: any BoxedValue) -> Bool {
    guard let equatable = value as? any Equatable else { return self === other }
    return type(of: value).foreignCast(other.any).map { areEqual(equatable, $0) } ?? false
  }

  var hash: Int {
    value.foreignHash ?? (value as? any Hashable)?.hashValue ?? ObjectIdentifier(self).hashValue
  }

  func compare(to other: any BoxedValue) -> Int? { value.foreignOrder(beside: other.any) }

  // The members that a value with elements overrides.
  var count: Int { 0 }
  func copyElement(at index: Int) -> isa_id? { nil }
  func copyElements() -> [isa_id?] { [] }
  func copyKeys() -> [isa_id?] { [] }
  func copyMember(_ id: isa_id) -> isa_id? { nil }
}

private final class BoxedOrdered: BoxedForeign {
  private let elements: ForeignOrdered

  init(_ value: any ForeignValue, _ elements: ForeignOrdered) {
    self.elements = elements
    super.init(value)
  }

  override var count: Int { elements.count() }
  override func copyElement(at index: Int) -> isa_id? { copyElementObject(elements.element(index)) }

  override func copyElements() -> [isa_id?] {
    (0..<count).map { copyElementObject(elements.element($0)) }
  }

  override func copyMember(_ id: isa_id) -> isa_id? {
    let objects = copyElements()
    defer { objects.forEach(isa_object_release) }
    return objects.first { kvc_is_equal($0, id) }.flatMap { isa_object_retain($0) }
  }
}

private final class BoxedUnordered: BoxedForeign {
  private let elements: ForeignUnordered

  init(_ value: any ForeignValue, _ elements: ForeignUnordered) {
    self.elements = elements
    super.init(value)
  }

  override var count: Int { elements.elements().count }
  override func copyElements() -> [isa_id?] { elements.elements().map(copyElementObject) }

  override func copyMember(_ id: isa_id) -> isa_id? {
    anyValue(id).flatMap { elements.member($0) }.flatMap(copyElementObject)
  }
}

private final class BoxedEntries: BoxedForeign {
  private let entries: ForeignDictionary

  init(_ value: any ForeignValue, _ entries: ForeignDictionary) {
    self.entries = entries
    super.init(value)
  }

  override var count: Int { entries.keys().count }
  override func copyKeys() -> [isa_id?] { entries.keys().map(copyElementObject) }

  override func copyElements() -> [isa_id?] {
    entries.keys().map { copyElementObject(entries.value($0) ?? KeyValueNull()) }
  }

  override func copyMember(_ id: isa_id) -> isa_id? {
    anyValue(id).flatMap { entries.value($0) }.flatMap(copyElementObject)
  }
}

private func copyElementObject(_ element: Any) -> isa_id? { copyObject(element) ?? kvc_null() }

// MARK: - Numbers and texts

private func makeText(_ text: String, _ content: any BoxedValue) -> isa_id? {
  var text = text
  var id: isa_id?
  let status = text.withUTF8 { bytes in
    guard let start = bytes.baseAddress else { return kvc_string_make_in(textClass, "", 0, &id) }
    return start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      kvc_string_make_in(textClass, $0, bytes.count, &id)
    }
  }
  return SwiftBox.give(content, to: id, status)
}

// MARK: - Classes

nonisolated(unsafe) private let textClass = SwiftBox.makeClass(
  "IsaSwiftString", kvc_class_of_kind(KVC_KIND_STRING, false), SwiftBox.holderMethods)
nonisolated(unsafe) let nullClass = SwiftBox.makeClass(
  "IsaSwiftNull", kvc_class_of_kind(KVC_KIND_NULL, false), SwiftBox.nullMethods)
nonisolated(unsafe) private let orderedSetClass = SwiftBox.makeClass(
  "IsaSwiftOrderedSet", kvc_class_of_kind(KVC_KIND_ORDERED_SET, false),
  SwiftBox.orderedSetMethods)
