/// C's names for the types of encodings.
enum CTypes {
  private static let scalars: [Character: String] = [
    "c": "int8_t", "s": "int16_t", "i": "int32_t", "l": "int32_t", "q": "int64_t", "C": "uint8_t",
    "S": "uint16_t", "I": "uint32_t", "L": "uint32_t", "Q": "uint64_t", "f": "float",
    "d": "double", "D": "long double", "B": "bool", "@": "isa_id", "#": "isa_class",
    ":": "isa_sel", "*": "char *", "^": "void *",
  ]

  static func name(of type: ValueType) -> String { name(of: type.encoding) }

  static func name(of encoding: String) -> String {
    let text = encoding.drop { "rnNoORVAj".contains($0) }
    guard let first = text.first else { return "void" }
    if first == "{" { return "struct " + text.dropFirst().prefix { $0 != "=" } }
    return scalars[first] ?? "void *"
  }

  /// The structs in an encoding, inner ones first: name, encoding and definition.
  static func structures(
    in encoding: String, labels: [String: [String]]
  ) -> [(name: String, encoding: String, definition: String)] {
    guard encoding.hasPrefix("{") else {
      return encoding.hasPrefix("[") ? structures(in: element(of: encoding), labels: labels) : []
    }
    let name = String(encoding.dropFirst().prefix { $0 != "=" })
    let members = members(of: encoding)
    let names = labels[name] ?? members.indices.map { "_\($0)" }
    let fields = zip(members, names).map { field($0, $1) }.joined(separator: " ")
    return members.flatMap { structures(in: $0, labels: labels) }
      + [(name, encoding, "struct \(name) { \(fields) };")]
  }

  private static func field(_ encoding: String, _ name: String) -> String {
    guard encoding.hasPrefix("[") else {
      let type = CTypes.name(of: encoding)
      return type.hasSuffix("*") ? "\(type)\(name);" : "\(type) \(name);"
    }
    let count = encoding.dropFirst().prefix { $0.isNumber }
    return "\(CTypes.name(of: element(of: encoding))) \(name)[\(count)];"
  }

  /// The type of an array's elements.
  static func element(of encoding: String) -> String {
    String(encoding.dropFirst().drop { $0.isNumber }.dropLast())
  }

  /// The types of a struct's members.
  static func members(of encoding: String) -> [String] {
    guard let equals = encoding.firstIndex(of: "=") else { return [] }
    var rest = encoding[encoding.index(after: equals)...]
    var members: [String] = []
    while let first = rest.first, first != "}" {
      if first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") {
        rest = rest[rest.index(after: end)...]
      }
      guard let extent = Extent(firstOf: String(rest)) else { break }
      members.append(String(rest.prefix(extent.length)))
      rest = rest.dropFirst(extent.length)
    }
    return members
  }
}
