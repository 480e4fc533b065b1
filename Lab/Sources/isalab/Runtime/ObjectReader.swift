import CIsa

/// Reads what texts, numbers and collections hold; any other object is its name.
struct ObjectReader {
  let names: Names
  let decoder: ValueDecoder

  func value(of object: isa_id) -> Value {
    switch kvc_kind_of(object) {
    case KVC_KIND_STRING: .text(ObjectReader.text(of: object) ?? "")
    case KVC_KIND_NUMBER, KVC_KIND_VALUE: boxed(object)
    case KVC_KIND_NULL: .null
    case KVC_KIND_ARRAY, KVC_KIND_ORDERED_SET: .array(elements(of: object))
    case KVC_KIND_SET: .set(elements(of: object).sorted(by: Value.isShownBefore))
    case KVC_KIND_DICTIONARY: dictionary(object)
    default: .name(names.name(of: object))
    }
  }

  /// The text of a string object; nil for any other.
  static func text(of object: isa_id) -> String? {
    guard let text = kvc_string_text(object) else { return nil }
    let bytes = UnsafeRawBufferPointer(start: text, count: kvc_string_size(object))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The objects that a collection holds at this moment, lent by it.
  static func objects(in collection: isa_id) -> [isa_id] {
    var objects: [isa_id] = []
    withUnsafeMutablePointer(to: &objects) { list in
      let visit: kvc_visitor = { object, _, context in
        context!.assumingMemoryBound(to: [isa_id].self).pointee.append(object!)
        return true
      }
      _ = kvc_collection_enumerate(collection, visit, list)
    }
    return objects
  }

  private func elements(of collection: isa_id) -> [Value] {
    ObjectReader.objects(in: collection).map {
      names.value(ofObject: UInt(bitPattern: $0), decoder)
    }
  }

  private func boxed(_ object: isa_id) -> Value {
    if let digits = kvc_number_digits(object) { return .real(String(cString: digits)) }
    var object: isa_id? = object
    return withUnsafePointer(to: &object) {
      let value = kvc_unbox($0)
      guard let address = value.address, let types = value.types else { return .nothing }
      return decoder.value(at: address, encoding: String(cString: types))
    }
  }

  private func dictionary(_ dictionary: isa_id) -> Value {
    var keys: isa_id?
    guard kvc_dictionary_copy_keys(dictionary, &keys) == ISA_OK, let keys else { return .nothing }
    defer { isa_object_release(keys) }
    let entries = ObjectReader.objects(in: keys).map { key in
      var value: isa_id?
      _ = kvc_dictionary_copy_value(dictionary, key, &value)
      defer { isa_object_release(value) }
      return Value.Entry(
        key: names.value(ofObject: UInt(bitPattern: key), decoder),
        value: names.value(ofObject: UInt(bitPattern: value), decoder))
    }
    return .dictionary(entries.sorted { $0.key.description < $1.key.description })
  }
}
