/// A value as a scenario shows it: names instead of addresses, and equal when it reads alike.
indirect enum Value: Hashable, Sendable, Codable, CustomStringConvertible {
  case integer(Int64)
  case unsigned(UInt64)
  /// The shortest digits that give the number back in its own width.
  case real(String)
  case bool(Bool)
  case text(String)
  case nothing
  /// The value for nothing in a collection.
  case null
  /// An object, a class or a selector, by its name.
  case name(String)
  case pointer(UInt)
  case structure([Member])
  case array([Value])
  /// Its members in an order that does not depend on addresses.
  case set([Value])
  case dictionary([Entry])
  /// Bytes of a type that has no notation, such as a union.
  case opaque(String)

  struct Entry: Hashable, Sendable, Codable {
    var key: Value
    var value: Value
  }

  struct Member: Hashable, Sendable, Codable {
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
    case .null: "null"
    case .name(let name): name
    case .pointer(let address): "0x" + String(address, radix: 16)
    case .structure(let members): "(" + members.map(\.description).joined(separator: ", ") + ")"
    case .array(let elements): "[" + elements.map(\.description).joined(separator: ", ") + "]"
    case .set(let members): "{" + members.map(\.description).joined(separator: ", ") + "}"
    case .dictionary(let entries): dictionaryNotation(entries.map { ($0.key.plain, "\($0.value)") })
    case .opaque(let encoding): "a value of type \(encoding)"
    }
  }
}

extension Value {
  /// Without the quotes of a text.
  fileprivate var plain: String {
    if case .text(let text) = self { text } else { description }
  }

  /// Numbers by size, then all else by its text.
  static func isShownBefore(_ first: Value, _ second: Value) -> Bool {
    switch (first.number, second.number) {
    case (let first?, let second?) where first != second: first < second
    case (_?, nil): true
    case (nil, _?): false
    default: first.description < second.description
    }
  }

  private var number: Double? {
    switch self {
    case .integer, .unsigned, .real: Double(description)
    default: nil
    }
  }
}

extension Value.Member: CustomStringConvertible {
  var description: String {
    label.map { "\($0): \(value)" } ?? value.description
  }
}
