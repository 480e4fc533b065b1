// Walks type encodings: where the first type ends, the types of a method, the members of a struct.
internal import CIsa

/// A member of a struct or an element of an array.
struct Member {
  var encoding: RuntimeTypeEncoding
  var offset: Int
}

/// Measures the first type of `text`.
func measureFirstType(_ text: String) throws(KeyValueError) -> RuntimeTypeEncoding.Layout {
  let (status, layout) = text.withCString { measure($0) }
  try KeyValueError.check(status, key: text)
  return layout
}

private func measure(_ start: EncodingText) -> (isa_status, RuntimeTypeEncoding.Layout) {
  var size = 0
  var alignment = 0
  var end: EncodingText? = start
  let status = isa_encoding_measure(start, &size, &alignment, &end)
  return (status, .init(size: size, alignment: alignment, length: end! - start))
}

/// The first type at `text` without its frame offset.
func firstType(_ text: EncodingText) -> RuntimeTypeEncoding {
  if text[0] != 0, text[1] == 0 { return RuntimeTypeEncoding(String(cString: text)) }
  let (status, type) = measure(text)
  if status != ISA_OK { return RuntimeTypeEncoding(String(cString: text)) }
  var length = type.length
  if text[0] != CChar(UInt8(ascii: "b")) {
    while isOfFrameOffset(text[length - 1]) { length -= 1 }
  }
  let bytes = UnsafeRawBufferPointer(start: text, count: length)
  return RuntimeTypeEncoding(String(decoding: bytes, as: UTF8.self))
}

private func isOfFrameOffset(_ character: CChar) -> Bool {
  switch character {
  case 0x30...0x39, 0x2B, 0x2D: true  // digits and signs
  default: false
  }
}

/// The types of a method encoding, without frame offsets.
func splitTypes(_ text: String) throws(KeyValueError) -> [RuntimeTypeEncoding] {
  var types: [RuntimeTypeEncoding] = []
  while true {
    var copy: UnsafeMutablePointer<CChar>?
    let status = isa_encoding_copy_type(text, types.count, &copy)
    if status == ISA_ERR_NOT_FOUND { return types }
    try KeyValueError.check(status, key: text)
    types.append(RuntimeTypeEncoding(String(cString: copy!)))
    isa_free(copy)
  }
}

/// The members of the struct, or elements of the array, that `text` begins with; nil for any other
/// type and for a struct whose members are not known.
func aggregateMembers(_ text: String) throws(KeyValueError) -> [Member]? {
  var status = ISA_OK
  let members = copiedList({
    status = isa_encoding_copy_members(text, $0, $1)
    return status
  }) { (member: isa_encoding_member) in
    let type = Substring(text.utf8.dropFirst(member.start).prefix(member.length))
    return Member(encoding: RuntimeTypeEncoding(String(type)), offset: member.offset)
  }
  if status == ISA_ERR_NOT_FOUND { return nil }
  try KeyValueError.check(status, key: text)
  return members
}
