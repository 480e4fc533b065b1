import Foundation

/// Numbers in place, one after the other as the members of a struct stand.
enum Scalars {
  /// The letters of a type's scalars, a struct's names and brackets left out.
  static func letters(of encoding: String) -> [Character] {
    var letters: [Character] = [], isName = false
    for character in encoding {
      switch character {
      case "{": isName = true
      case "=": isName = false
      case "}": break
      default: if !isName { letters.append(character) }
      }
    }
    return letters
  }

  /// Calls `visit` with each scalar's letter, number and address.
  static func walk(
    _ encoding: String, _ bytes: UnsafeMutableRawPointer,
    _ visit: (Character, Int, UnsafeMutableRawPointer) -> Void
  ) {
    var offset = 0
    for (index, letter) in letters(of: encoding).enumerated() {
      let size = size(of: letter)
      offset = (offset + size - 1) / size * size
      visit(letter, index, bytes + offset)
      offset += size
    }
  }

  private static func size(of letter: Character) -> Int {
    switch letter {
    case "c", "C", "B": 1
    case "s", "S": 2
    case "i", "I", "f": 4
    default: 8
    }
  }

  static func store(
    _ numbers: [Substring], _ encoding: String, _ bytes: UnsafeMutableRawPointer
  ) {
    walk(encoding, bytes) { letter, index, address in
      store(index < numbers.count ? String(numbers[index]) : "0", letter, address)
    }
  }

  private static func store(
    _ number: String, _ letter: Character, _ address: UnsafeMutableRawPointer
  ) {
    switch letter {
    case "f": address.storeBytes(of: Float(strtod(number, nil)), as: Float.self)
    case "d": address.storeBytes(of: strtod(number, nil), as: Double.self)
    case "B": address.storeBytes(of: strtoll(number, nil, 10) != 0, as: Bool.self)
    default:
      // Little-endian or not, the value is cut to its size as C cuts it.
      let isUnsigned = letter.isUppercase
      let bits =
        isUnsigned ? strtoull(number, nil, 10) : UInt64(bitPattern: strtoll(number, nil, 10))
      storeInteger(bits, size(of: letter), address)
    }
  }

  private static func storeInteger(_ bits: UInt64, _ size: Int, _ address: UnsafeMutableRawPointer)
  {
    switch size {
    case 1: address.storeBytes(of: UInt8(truncatingIfNeeded: bits), as: UInt8.self)
    case 2: address.storeBytes(of: UInt16(truncatingIfNeeded: bits), as: UInt16.self)
    case 4: address.storeBytes(of: UInt32(truncatingIfNeeded: bits), as: UInt32.self)
    default: address.storeBytes(of: bits, as: UInt64.self)
    }
  }

  /// A scalar as the trace shows it; nil for an object or class.
  static func describe(_ letter: Character, _ address: UnsafeRawPointer) -> String? {
    switch letter {
    case "c": "\(address.load(as: Int8.self))"
    case "C": "\(address.load(as: UInt8.self))"
    case "s": "\(address.load(as: Int16.self))"
    case "S": "\(address.load(as: UInt16.self))"
    case "i": "\(address.load(as: Int32.self))"
    case "I": "\(address.load(as: UInt32.self))"
    case "l", "q": "\(address.load(as: Int64.self))"
    case "L", "Q": "\(address.load(as: UInt64.self))"
    case "B": address.load(as: Bool.self) ? "1" : "0"
    case "f": describe(Double(address.load(as: Float.self)))
    case "d": describe(address.load(as: Double.self))
    default: nil
    }
  }

  private static func describe(_ value: Double) -> String {
    if abs(value) < 1e15, value == value.rounded(.towardZero) { return "\(Int64(value))" }
    return withVaList([value]) { NSString(format: "%.17g", arguments: $0) as String }
  }
}
