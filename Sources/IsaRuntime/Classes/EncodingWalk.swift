// Walks type encodings: where the first type ends, the types of a method, the members of a struct.
internal import CIsa

/// A member of a struct or an element of an array.
struct Member {
  var encoding: RuntimeTypeEncoding
  var offset: Int
}

/// Measures the first type of `text`.
func measureFirstType(_ text: String) throws(KeyValueError) -> RuntimeTypeEncoding.Layout {
  let result = text.withCString { measure($0, text) }
  return try result.get()
}

private func measure(
  _ start: EncodingText, _ text: @autoclosure () -> String
) -> Result<RuntimeTypeEncoding.Layout, KeyValueError> {
  var size = 0
  var alignment = 0
  var end: EncodingText?
  let status = isa_encoding_measure(start, &size, &alignment, &end)
  guard status == ISA_OK, let end else {
    return .failure(KeyValueError(Outcome(status), key: text()))
  }
  return .success(.init(size: size, alignment: alignment, length: end - start))
}

/// The first type at `text` without its frame offset.
func firstType(_ text: EncodingText) -> RuntimeTypeEncoding {
  if text[0] != 0, text[1] == 0 { return RuntimeTypeEncoding(String(cString: text)) }
  guard let type = try? measure(text, "").get() else {
    return RuntimeTypeEncoding(String(cString: text))
  }
  let bytes = UnsafeBufferPointer(start: text, count: type.length).map { UInt8(bitPattern: $0) }
  return RuntimeTypeEncoding(String(decoding: bytes.withoutFrameOffset, as: UTF8.self))
}

extension [UInt8] {
  /// The text of a type without the digits of a frame offset behind it.
  fileprivate var withoutFrameOffset: ArraySlice<UInt8> {
    guard let last = last, Self.isDigit(last), first != UInt8(ascii: "b") else { return self[...] }
    let end =
      lastIndex { !Self.isDigit($0) && $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "+") } ?? 0
    return self[...end]
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

/// The types of a method encoding, without frame offsets.
func splitTypes(_ text: String) throws(KeyValueError) -> [RuntimeTypeEncoding] {
  let types = text.withCString { start in splitTypes(start, text) }
  return try types.get()
}

private func splitTypes(
  _ start: EncodingText, _ text: String
) -> Result<[RuntimeTypeEncoding], KeyValueError> {
  var types: [RuntimeTypeEncoding] = []
  var index = 0
  while true {
    var copy: UnsafeMutablePointer<CChar>?
    let status = isa_encoding_copy_type(start, index, &copy)
    if status == ISA_ERR_NOT_FOUND { return .success(types) }
    guard status == ISA_OK, let copy else {
      return .failure(KeyValueError(Outcome(status), key: text))
    }
    types.append(RuntimeTypeEncoding(String(cString: copy)))
    isa_free(copy)
    index += 1
  }
}

/// The members of the struct, or elements of the array, that `text` begins with; nil for any other
/// type and for a struct whose members are not known.
func aggregateMembers(_ text: String) throws(KeyValueError) -> [Member]? {
  let members = text.withCString { start -> Result<[Member]?, KeyValueError> in
    switch typeLetter(start) {
    case UInt8(ascii: "{"): structMembers(start)
    case UInt8(ascii: "["): arrayElements(start)
    default: .success(nil)
    }
  }
  return try members.get()
}

private func structMembers(_ start: EncodingText) -> Result<[Member]?, KeyValueError> {
  var cursor = start
  while cursor.pointee != 0, cursor.pointee != 0x3D, cursor.pointee != 0x7D { cursor += 1 }
  guard cursor.pointee == 0x3D else { return .success(nil) }
  cursor += 1
  var members: [Member] = []
  var offset = 0
  while cursor.pointee != 0, cursor.pointee != 0x7D {
    cursor = skipMemberName(cursor)
    switch measure(cursor, String(cString: start)) {
    case .failure(let error): return .failure(error)
    case .success(let type):
      offset = offset.rounded(upTo: type.alignment)
      members.append(Member(encoding: firstType(cursor), offset: offset))
      offset += type.size
      cursor += type.length
    }
  }
  return .success(members)
}

private func arrayElements(_ start: EncodingText) -> Result<[Member]?, KeyValueError> {
  var cursor = start
  while cursor.pointee != 0, cursor.pointee != 0x5B { cursor += 1 }
  cursor += 1
  var count = 0
  while (0x30...0x39).contains(cursor.pointee) {
    count = count * 10 + Int(cursor.pointee - 0x30)
    cursor += 1
  }
  return measure(cursor, String(cString: start)).map { type in
    let element = firstType(cursor)
    return (0..<count).map { Member(encoding: element, offset: $0 * type.size) }
  }
}

private func skipMemberName(_ start: EncodingText) -> EncodingText {
  guard start.pointee == 0x22 else { return start }
  var cursor = start + 1
  while cursor.pointee != 0, cursor.pointee != 0x22 { cursor += 1 }
  return cursor.pointee == 0 ? cursor : cursor + 1
}

extension Int {
  /// The smallest multiple of `alignment` that is not less.
  fileprivate func rounded(upTo alignment: Int) -> Int {
    alignment > 1 ? (self + alignment - 1) / alignment * alignment : self
  }
}
