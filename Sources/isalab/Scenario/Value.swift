/// A value as a scenario shows it: names instead of addresses, and equal when it reads alike.
indirect enum Value: Hashable, Sendable, CustomStringConvertible {
  case integer(Int64)
  case unsigned(UInt64)
  /// The shortest digits that give the number back in its own width.
  case real(String)
  case bool(Bool)
  case text(String)
  case nothing
  /// An object, a class or a selector, by its name.
  case name(String)
  case pointer(UInt)
  case structure([Member])
  case array([Value])
  /// Bytes of a type that has no notation, such as a union.
  case opaque(String)

  struct Member: Hashable, Sendable {
    var label: String?
    var value: Value
  }

  var description: String {
    switch self {
    case .integer(let number): String(number)
    case .unsigned(let number): String(number)
    case .real(let digits): digits
    case .bool(let flag): flag ? "true" : "false"
    case .text(let text): "\"\(text.escaped)\""
    case .nothing: "nil"
    case .name(let name): name
    case .pointer(let address): "0x" + String(address, radix: 16)
    case .structure(let members): "(" + members.map(\.description).joined(separator: ", ") + ")"
    case .array(let elements): "[" + elements.map(\.description).joined(separator: ", ") + "]"
    case .opaque(let encoding): "a value of type \(encoding)"
    }
  }
}

extension Value.Member: CustomStringConvertible {
  var description: String {
    label.map { "\($0): \(value)" } ?? value.description
  }
}
