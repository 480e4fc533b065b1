import CIsa

/// Literals of the language as boxed objects, and objects as the trace shows them.
extension Engine {
  // MARK: making

  func make(_ literal: Literal) throws -> Owned {
    switch literal {
    case .name(let name): try named(name)
    case .text(let text): try Owned.text(text)
    case .numbers(let type, let numbers): try make(type.encoding, numbers)
    case .collection(let start, let isMutable, let members):
      try make(start, isMutable, try members.map { try make($0) })
    }
  }

  private func make(_ encoding: String, _ numbers: [Substring]) throws -> Owned {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: Self.largest, alignment: 16)
    defer { bytes.deallocate() }
    Scalars.store(numbers, encoding, bytes)
    return try Owned { out in
      encoding.withCString { kvc_box(kvc_value(types: $0, address: bytes), out) }
    }
  }

  private func make(_ start: Character, _ isMutable: Bool, _ members: [Owned]) throws -> Owned {
    let ids = members.map { $0.id ?? kvc_null() }, count = ids.count
    return try withExtendedLifetime(members) {
      try Owned { out in
        switch (start, isMutable) {
        case ("[", false): kvc_array_make(ids, count, out)
        case ("[", true): kvc_mutable_array_make(ids, count, out)
        case ("{", false): kvc_set_make(ids, count, out)
        case ("{", true): kvc_mutable_set_make(ids, count, out)
        case ("<", false): kvc_ordered_set_make(ids, count, out)
        case ("<", true): kvc_mutable_ordered_set_make(ids, count, out)
        default: Self.makeDictionary(ids, isMutable, out)
        }
      }
    }
  }

  /// A dictionary of keys and values, one after the other.
  private static func makeDictionary(
    _ ids: [isa_id?], _ isMutable: Bool, _ out: UnsafeMutablePointer<isa_id?>
  ) -> isa_status {
    let count = ids.count / 2
    let keys = (0..<count).map { ids[2 * $0] }, values = (0..<count).map { ids[2 * $0 + 1] }
    return isMutable
      ? kvc_mutable_dictionary_make(keys, values, count, out)
      : kvc_dictionary_make(keys, values, count, out)
  }

  // MARK: bytes

  /// More than any value of the language takes.
  private static let largest = 64

  static func size(of encoding: String) -> Int {
    var size = 0
    isa_encoding_measure(encoding, &size, nil, nil)
    return size
  }

  /// Where an object has an ivar that its class is known to have.
  func bytes(of ivar: String, _ object: isa_id) -> UnsafeMutableRawPointer {
    let found = isa_class_find_ivar(isa_object_get_class(object), ivar)
    return isa_object_ivar_address(object, found)!
  }

  /// Calls `body` with the literal's value in place, as a value of the type.
  func withBytes(
    of literal: Literal, _ encoding: String, _ body: (UnsafeMutableRawPointer) throws -> Void
  ) throws {
    let bytes = UnsafeMutableRawPointer.allocate(byteCount: Self.largest, alignment: 16)
    defer { bytes.deallocate() }
    if encoding == "@" || encoding == "#" {
      let value = try make(literal)
      bytes.storeBytes(of: value.id, as: isa_id?.self)
      return try withExtendedLifetime(value) { try body(bytes) }
    }
    guard case .numbers(_, let numbers) = literal else { throw Raised.unknown }
    Scalars.store(numbers, encoding, bytes)
    try body(bytes)
  }

  /// Writes a value to an ivar; objects are retained, and nil for the bytes is nil.
  func store(
    _ encoding: String, _ bytes: UnsafeMutableRawPointer?, _ ivar: UnsafeMutableRawPointer
  ) {
    guard encoding == "@" else {
      return ivar.copyMemory(from: bytes!, byteCount: Self.size(of: encoding))
    }
    let old = ivar.load(as: isa_id?.self)
    let new = isa_object_retain(bytes?.load(as: isa_id?.self) ?? nil)
    ivar.storeBytes(of: new, as: isa_id?.self)
    isa_object_release(old)
  }

  // MARK: describing

  func describe(_ value: kvc_value) -> String {
    guard let address = value.address else { return "nil" }
    return describe(String(cString: value.types), address)
  }

  func describe(_ encoding: String, _ address: UnsafeRawPointer) -> String {
    var texts: [String] = []
    Scalars.walk(encoding, UnsafeMutableRawPointer(mutating: address)) { letter, _, address in
      texts.append(
        Scalars.describe(letter, address) ?? describe(address.load(as: isa_id?.self)))
    }
    let joined = texts.joined(separator: ", ")
    return encoding.hasPrefix("{") ? "{\(joined)}" : joined
  }

  func describe(_ object: isa_id?) -> String {
    guard let object else { return "nil" }
    switch kvc_kind_of(object) {
    case KVC_KIND_NULL: return "null"
    case KVC_KIND_STRING: return "\"\(String(cString: kvc_string_text(object)))\""
    case KVC_KIND_NUMBER, KVC_KIND_VALUE:
      return withUnsafePointer(to: object) { pointer in
        pointer.withMemoryRebound(to: isa_id?.self, capacity: 1) { describe(kvc_unbox($0)) }
      }
    case KVC_KIND_ARRAY: return "[\(members(object).joined(separator: ", "))]"
    case KVC_KIND_ORDERED_SET: return "<\(members(object).joined(separator: ", "))>"
    case KVC_KIND_SET: return "{\(members(object).sorted().joined(separator: ", "))}"
    case KVC_KIND_DICTIONARY: return "(\(pairs(object).sorted().joined(separator: ", ")))"
    default: return describe(instance: object)
    }
  }

  private func members(_ collection: isa_id) -> [String] {
    let members = (try? Owned.members(of: collection)) ?? []
    return members.map { $0.use(describe) }
  }

  private func pairs(_ dictionary: isa_id) -> [String] {
    guard let keys = try? Owned({ kvc_dictionary_copy_keys(dictionary, $0) }),
      let members = try? Owned.members(of: keys.id)
    else { return [] }
    return members.map { key in
      let value = try? key.use { key in
        try Owned { kvc_dictionary_copy_value(dictionary, key, $0) }
      }
      return "\(key.use(describe)) = \(value?.use(describe) ?? "nil")"
    }
  }

  private func describe(instance object: isa_id) -> String {
    if isa_class_is_metaclass(isa_object_get_class(object)) {
      let cls = classes.values.first { isa_class_as_object($0.cls) == object }?.cls
      return cls.map(Self.shortName) ?? "a class"
    }
    if let name = name(of: object) { return name }
    return "a \(Self.shortName(kvo_class_original(isa_object_get_class(object))))"
  }

  private static func shortName(_ cls: isa_class) -> String {
    let name = String(cString: isa_class_name(cls))
    return name.hasPrefix(classPrefix) ? String(name.dropFirst(classPrefix.count)) : name
  }
}
