/// The source of names for the words that a decoder finds.
protocol NameSource {
  /// An object's name; the contents of a text, number or collection.
  func value(ofObject word: UInt, _ decoder: ValueDecoder) -> Value
  func name(ofClass word: UInt) -> String
  func name(ofSelector word: UInt) -> String
}

/// Reads the bytes of a type as a value.
struct ValueDecoder {
  var labels: [String: [String]]
  var names: any NameSource

  func value(at address: UnsafeRawPointer, encoding: String) -> Value {
    guard let layout = Layout(encoding, labels: labels) else { return .opaque(encoding) }
    return value(at: address, layout)
  }

  private func value(at address: UnsafeRawPointer, _ layout: Layout) -> Value {
    switch layout {
    case .scalar(let letter): scalar(at: address, letter)
    case .structure(_, let fields):
      .structure(
        fields.map {
          Value.Member(label: $0.label, value: value(at: address + $0.offset, $0.layout))
        })
    case .array(let count, let stride, let element):
      .array((0..<count).map { value(at: address + $0 * stride, element) })
    }
  }

  private func scalar(at address: UnsafeRawPointer, _ letter: Character) -> Value {
    switch letter {
    case "c": integer(at: address, Int8.self)
    case "s": integer(at: address, Int16.self)
    case "i", "l": integer(at: address, Int32.self)
    case "q": integer(at: address, Int64.self)
    case "C": unsigned(at: address, UInt8.self)
    case "S": unsigned(at: address, UInt16.self)
    case "I", "L": unsigned(at: address, UInt32.self)
    case "Q": unsigned(at: address, UInt64.self)
    case "B": .bool(address.load(as: UInt8.self) != 0)
    case "f": real(address.loadUnaligned(as: Float.self).description)
    case "d": real(address.loadUnaligned(as: Double.self).description)
    case "D": real(LongDouble.digits(address))
    default: word(address.loadUnaligned(as: UInt.self), letter)
    }
  }

  private func integer<Number: FixedWidthInteger & BitwiseCopyable>(
    at address: UnsafeRawPointer, _ type: Number.Type
  ) -> Value {
    .integer(Int64(address.loadUnaligned(as: type)))
  }

  private func unsigned<Number: FixedWidthInteger & BitwiseCopyable>(
    at address: UnsafeRawPointer, _ type: Number.Type
  ) -> Value {
    .unsigned(UInt64(address.loadUnaligned(as: type)))
  }

  /// Whole numbers are shown as one would write them: 40, not 40.0.
  private func real(_ digits: String) -> Value {
    .real(digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits)
  }

  private func word(_ word: UInt, _ letter: Character) -> Value {
    guard word != 0 else { return .nothing }
    switch letter {
    case "@": return names.value(ofObject: word, self)
    case "#": return .name(names.name(ofClass: word))
    case ":": return .name(names.name(ofSelector: word))
    case "*": return .text(String(cString: UnsafePointer<CChar>(bitPattern: word)!))
    default: return .pointer(word)
    }
  }
}
