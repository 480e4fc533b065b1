/// A value that an event carries, as far as it was recorded.
package enum TraceValue: Hashable, Sendable {
  /// A signed integer of C, or such a number as an object.
  case integer(Int64)
  /// An unsigned integer of C, or such a number as an object.
  case unsigned(UInt64)
  case bool(Bool)
  case float(Float)
  case double(Double)
  /// No object.
  case null
  /// An object, by its address.
  case object(UInt64)
  /// A text; `length` is in bytes, and the text is cut if that is more than it has.
  case text(String, length: UInt64)
  /// A value that is not recorded, by the number of its type encoding's text.
  case unrecorded(TextNumber)
}

extension TraceValue {
  /// The number, if the value is one.
  package var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .unsigned(let number): Double(number)
    case .bool(let bool): bool ? 1 : 0
    case .float(let number): Double(number)
    case .double(let number): number
    case .null, .object, .text, .unrecorded: nil
    }
  }
}
