// Boxed objects of the C core: making them from values, and looking inside.
package import CIsa

// MARK: - Making

/// Makes the object that stands for a value, with a +1: text becomes a string, an object is itself.
package func makeBox(_ value: RuntimeValue, _ out: inout isa_id?) -> isa_status {
  guard case .text(let content) = value.content else {
    return withInPlace(value) { kvc_box($0, &out) }
  }
  return content.map { makeText($0, &out) } ?? ISA_OK
}

extension RuntimeValue {
  /// The value as an object; nil if it is nil, or of a type that no box can hold.
  ///
  /// - Throws: `KeyValueError.Code.outOfMemory`.
  package func boxedObject() throws(KeyValueError) -> RuntimeObject? {
    var id: isa_id?
    let status = makeBox(self, &id)
    if status == ISA_ERR_NO_MEMORY { throw KeyValueError(.outOfMemory) }
    return id.map { RuntimeObject(adopting: $0) }
  }
}

/// The number in a box, or that a text begins with, as one of another type.
func readNumber(
  _ box: RuntimeObject?, as type: RuntimeTypeEncoding
) throws(KeyValueError) -> RuntimeValue {
  let room = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 16)
  defer { room.deallocate() }
  let letter = CChar(bitPattern: type.text.utf8.first ?? 0)
  try KeyValueError.check(kvc_number_read(box?.id, letter, room))
  return RuntimeValue(type, at: room)
}

/// A function that makes a collection of objects.
typealias MakeCollection = (
  UnsafePointer<isa_id?>?, Int, UnsafeMutablePointer<isa_id?>
) -> isa_status

/// A collection of the values' boxes, null for nil.
func makeCollection(_ values: [RuntimeValue], _ make: MakeCollection) -> RuntimeObject {
  var id: isa_id?
  let status = withBoxes(values) { make($0.baseAddress, $0.count, &id) }
  guard status == ISA_OK, let id else { fatalError("IsaKVO: no collection: \(lastReason())") }
  return RuntimeObject(adopting: id)
}

/// Calls `body` with the values' boxes, null for nil.
func withBoxes(
  _ values: [RuntimeValue], _ body: (UnsafeBufferPointer<isa_id?>) -> isa_status
) -> isa_status {
  var boxes: [isa_id?] = []
  defer { boxes.forEach(isa_object_release) }
  for value in values {
    var box: isa_id?
    let status = makeBox(value, &box)
    if status != ISA_OK { return status }
    boxes.append(box ?? kvc_null())
  }
  return boxes.withUnsafeBufferPointer(body)
}

/// A dictionary of the values' boxes, null for nil.
func makeDictionary(
  _ entries: [(key: RuntimeValue, value: RuntimeValue)], isMutable: Bool
) -> RuntimeObject {
  let make = isMutable ? kvc_mutable_dictionary_make : kvc_dictionary_make
  return makeCollection(entries.map(\.key) + entries.map(\.value)) { boxes, count, out in
    make(boxes, boxes.map { $0 + count / 2 }, count / 2, out)
  }
}

// MARK: - Looking inside

/// Which boxed class the object is an instance of.
func kind(of object: RuntimeObject) -> kvc_kind { kvc_kind_of(object.id) }

/// The elements of a collection at this moment, unboxed; of a dictionary, its values.
func elements(of object: RuntimeObject) -> [RuntimeValue] {
  var elements: [RuntimeValue] = []
  visitElements(of: object.id) { elements.append(RuntimeValue(unboxing: $0)) }
  return elements
}

/// The keys of a dictionary at this moment, unboxed, in the order of its values.
func keys(of object: RuntimeObject) -> [RuntimeValue] {
  var keys: isa_id?
  guard kvc_dictionary_copy_keys(object.id, &keys) == ISA_OK, let keys else { return [] }
  return elements(of: RuntimeObject(adopting: keys))
}

/// Whether two objects are equal: boxed ones by what is in them, others as they say.
package func areEqual(_ first: RuntimeObject, _ second: RuntimeObject) -> Bool {
  withAnswers { kvc_is_equal(first.id, second.id) }
}

/// An object's hash: a boxed one's by what is in it, another's as it says.
func boxHash(_ object: RuntimeObject) -> Int { withAnswers { kvc_hash(object.id) } }

/// A boxed object for people; nil for any other.
func boxDescription(of object: RuntimeObject) -> String? {
  kind(of: object) == KVC_KIND_OTHER ? nil : describe(object.id)
}

/// The value in a box: a number, a struct, a text. Nil for other objects, collections among them.
func contents(of object: RuntimeObject) -> RuntimeValue? {
  switch kind(of: object) {
  case KVC_KIND_NUMBER, KVC_KIND_VALUE: RuntimeValue(inside: object.id)
  case KVC_KIND_STRING: text(of: object.id).map { RuntimeValue(.cString, .text($0)) }
  default: nil
  }
}
