// What the objects of the core hold, in Swift.
package import CIsa

/// A type's encoding, as the core writes it.
package typealias EncodingText = UnsafePointer<CChar>

/// The text of a boxed string.
package func text(of id: isa_id) -> String? {
  guard let text = kvc_string_text(id) else { return nil }
  let bytes = UnsafeRawBufferPointer(start: text, count: kvc_string_size(id))
  return String(decoding: bytes, as: UTF8.self)
}

/// Makes a string object, with a +1.
package func makeText(_ text: String, _ out: UnsafeMutablePointer<isa_id?>) -> isa_status {
  var text = text
  return text.withUTF8 { bytes in
    bytes.withMemoryRebound(to: CChar.self) {
      kvc_string_make_bytes($0.baseAddress, $0.count, out)
    }
  }
}

/// What an object holds, for people.
package func describe(_ id: isa_id) -> String {
  if let text = text(of: id) { return "\"\(text)\"" }
  var description: isa_id?
  _ = withAnswers { kvc_copy_description(id, &description) }
  defer { isa_object_release(description) }
  return description.flatMap { text(of: $0) } ?? hexadecimal(UInt(bitPattern: id))
}

/// Whether an object of any module stands for nil in collections.
package func isNull(_ id: isa_id?) -> Bool { kvc_kind_of(id) == KVC_KIND_NULL }

/// Calls `body` with each element that the collection has at this moment.
package func visitElements(of id: isa_id?, _ body: (isa_id?) -> Void) {
  withoutActuallyEscaping(body) { body in
    var body = body
    _ = withAnswers {
      withUnsafeMutablePointer(to: &body) { context in
        kvc_collection_enumerate(
          id,
          { element, _, context in
            context!.assumingMemoryBound(to: ((isa_id?) -> Void).self).pointee(element)
            return true
          }, context)
      }
    }
  }
}

/// The letter that tells what the type at `text` is, qualifiers skipped; "@?", a block, counts as
/// the pointer that it is.
package func typeLetter(_ text: EncodingText) -> UInt8 {
  var cursor = text
  while isQualifier(cursor.pointee) { cursor += 1 }
  let isBlock = cursor[0] == 0x40 && cursor[1] == 0x3F
  return isBlock ? UInt8(ascii: "^") : UInt8(bitPattern: cursor.pointee)
}

/// Whether the letter, such as r for const, says something about the type behind it.
private func isQualifier(_ letter: CChar) -> Bool {
  switch Unicode.Scalar(UInt8(bitPattern: letter)) {
  case "r", "n", "N", "o", "O", "R", "V", "A": true
  default: false
  }
}

// MARK: - Numbers

/// The number that stands at `address`; nil for any other value.
package func number(_ types: EncodingText, at address: UnsafeRawPointer) -> ForeignNumber? {
  switch TypeLayout(letter: typeLetter(types)) {
  case .bool: .bool(address.loadUnaligned(as: UInt8.self) != 0)
  case .float: .float(address.loadUnaligned(as: Float.self))
  case .double: .double(address.loadUnaligned(as: Double.self))
  case .signed(let size): .signed(loadSigned(address, size))
  case .unsigned(let size): .unsigned(loadUnsigned(address, size))
  default: nil
  }
}

package func loadSigned(_ address: UnsafeRawPointer, _ size: Int) -> Int64 {
  let spare = 64 - 8 * size
  return Int64(bitPattern: loadUnsigned(address, size) << spare) >> spare
}

package func loadUnsigned(_ address: UnsafeRawPointer, _ size: Int) -> UInt64 {
  switch size {
  case 1: UInt64(address.loadUnaligned(as: UInt8.self))
  case 2: UInt64(address.loadUnaligned(as: UInt16.self))
  case 4: UInt64(address.loadUnaligned(as: UInt32.self))
  default: address.loadUnaligned(as: UInt64.self)
  }
}

/// The number in a box; all its digits, where they are more than another kind has.
package func number(in id: isa_id) -> ForeignNumber {
  if let digits = kvc_number_digits(id) { return .decimal(String(cString: digits)) }
  return plainNumber(in: id)
}

/// The number in a box, rounded where it has more digits than its kind.
package func plainNumber(in id: isa_id) -> ForeignNumber {
  var object: isa_id? = id
  let value = withUnsafePointer(to: &object) { kvc_unbox($0) }
  if let known = number(value.types, at: value.address) { return known }
  var double = 0.0
  _ = kvc_number_read(id, CChar(bitPattern: UInt8(ascii: "d")), &double)
  return .double(double)
}
