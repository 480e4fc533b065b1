/// The meaning of a type encoding, as far as values differ in how they are kept.
package enum TypeLayout {
  case void, bool, float, double, longDouble
  case signed(size: Int)
  case unsigned(size: Int)
  case object, runtimeClass, selector, text, pointer
  /// A struct whose members are known, or an array.
  case aggregate
  /// Bytes that nothing more is known of.
  case opaque

  /// The layout that a letter, qualifiers skipped, announces.
  package init(letter: UInt8) {
    self =
      switch Unicode.Scalar(letter) {
      case "v": .void
      case "B": .bool
      case "f": .float
      case "d": .double
      case "D": .longDouble
      case "c": .signed(size: 1)
      case "s": .signed(size: 2)
      case "i", "l": .signed(size: 4)
      case "q": .signed(size: 8)
      case "C": .unsigned(size: 1)
      case "S": .unsigned(size: 2)
      case "I", "L": .unsigned(size: 4)
      case "Q": .unsigned(size: 8)
      case "@": .object
      case "#": .runtimeClass
      case ":": .selector
      case "*": .text
      case "^": .pointer
      case "{", "[": .aggregate
      default: .opaque
      }
  }
}
