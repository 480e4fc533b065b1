import CIsa

// Objects and texts for literals; the world keeps them until the statement is done.

extension World: WordSource {
  func word(ofObject name: String) -> UInt? { objects[name].map { UInt(bitPattern: $0) } }
  func word(ofClass name: String) -> UInt? { isa_class_find(name).map { UInt(bitPattern: $0) } }
  func word(ofSelector name: String) -> UInt { UInt(bitPattern: selector(name)) }
  var nullWord: UInt { UInt(bitPattern: kvc_null()) }

  func word(ofText text: String) -> UInt {
    var made: isa_id?
    let bytes = Array(text.utf8)
    _ = bytes.withUnsafeBytes {
      kvc_string_make_bytes($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count, &made)
    }
    return UInt(bitPattern: releaseLater(made))
  }

  func word(ofCString text: String) -> UInt {
    if let known = cStrings[text] { return UInt(bitPattern: known) }
    let characters = Array(text.utf8CString)
    let copy = UnsafeMutablePointer<CChar>.allocate(capacity: characters.count)
    copy.initialize(from: characters, count: characters.count)
    cStrings[text] = copy
    return UInt(bitPattern: copy)
  }

  func word(boxing bytes: [UInt8], types: String) -> UInt {
    UInt(bitPattern: box(bytes, types))
  }

  /// A value as an object, or the object itself.
  func box(_ bytes: [UInt8], _ types: String) -> isa_id? {
    var made: isa_id?
    types.withCString { types in
      bytes.withUnsafeBytes { bytes in
        _ = kvc_box(kvc_value(types: types, address: bytes.baseAddress), &made)
      }
    }
    return releaseLater(made)
  }

  func word(ofCollection elements: [UInt], _ type: CollectionType) -> UInt {
    let objects = elements.map { isa_id(bitPattern: $0) }
    var array: isa_id?
    _ = kvc_array_make(objects, objects.count, &array)
    guard type != CollectionType(kind: .array, isMutable: false) else {
      return UInt(bitPattern: releaseLater(array))
    }
    defer { isa_object_release(array) }
    var made: isa_id?
    _ = kvc_collection_make(type.kind.runtimeKind, type.isMutable, array, &made)
    return UInt(bitPattern: releaseLater(made))
  }

  func word(ofDictionary entries: [(key: UInt, value: UInt)], isMutable: Bool) -> UInt {
    let keys = entries.map { isa_id(bitPattern: $0.key) }
    let values = entries.map { isa_id(bitPattern: $0.value) }
    var made: isa_id?
    if isMutable {
      // A class of the scenario's own: its notifying class goes with it.
      _ = isa_object_allocate(isa_class_find(Symbols.dictionaryClass), &made)
      for (key, value) in zip(keys, values) { _ = kvc_dictionary_set(made, key, value) }
    } else {
      _ = kvc_dictionary_make(keys, values, keys.count, &made)
    }
    return UInt(bitPattern: releaseLater(made))
  }
}

extension CollectionType.Kind {
  var runtimeKind: kvc_kind {
    switch self {
    case .array: KVC_KIND_ARRAY
    case .orderedSet: KVC_KIND_ORDERED_SET
    case .set: KVC_KIND_SET
    case .dictionary: KVC_KIND_DICTIONARY
    }
  }
}
