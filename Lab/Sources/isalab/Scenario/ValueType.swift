import IsaRuntime

/// The type of a property, a field or a value in transit.
struct ValueType: Hashable, Sendable {
  /// As the scenario writes it: `int`, `Point`, `{CGSize=dd}`.
  var name: String
  /// The encoding that the runtime reads.
  var encoding: String

  var isObject: Bool { encoding.hasPrefix("@") }
  /// Whether key-value coding knows it as a number, as it does all but a long double.
  var isNumber: Bool { encoding.count == 1 && "cCsSiIlLqQfdB".contains(encoding) }

  /// Whether a text is the encoding of one type, without the offset that one of a method may have:
  /// `S1` may name a struct.
  static func isEncoding(_ text: String) -> Bool {
    guard let extent = Extent(firstOf: text), extent.length == text.utf8.count else { return false }
    return text.last?.isNumber == false
  }

  /// The types with a name of their own.
  static let named: [String: String] = [
    "bool": "B", "char": "c", "uchar": "C", "short": "s", "ushort": "S", "int": "i", "uint": "I",
    "long": "q", "ulong": "Q", "int8": "c", "uint8": "C", "int16": "s", "uint16": "S",
    "int32": "i", "uint32": "I", "int64": "q", "uint64": "Q", "float": "f", "double": "d",
    "long-double": "D", "string": "@", "object": "@", "class": "#", "selector": ":",
    "cstring": "*", "pointer": "^v",
  ]
}

/// How the bytes of a type are laid out.
indirect enum Layout: Hashable, Sendable {
  struct Field: Hashable, Sendable {
    var label: String?
    var offset: Int
    var layout: Layout
  }

  /// One of the letters of a type encoding.
  case scalar(Character)
  case structure(size: Int, [Field])
  case array(count: Int, stride: Int, Layout)

  /// Reads an encoding; nil if it cannot be parsed, or its bytes have no fixed meaning (a union's).
  ///
  /// - Parameter labels: The field names of the structs that the scenario declares.
  init?(_ encoding: some StringProtocol, labels: [String: [String]] = [:]) {
    let text = String(encoding.drop { "rnNoORVAj".contains($0) })
    guard let first = text.first, let extent = Extent(firstOf: text) else { return nil }
    switch first {
    case "{": self.init(structure: text, extent, labels)
    case "[": self.init(array: text, extent, labels)
    case "(", "b", "?", "v", "t", "T": return nil
    default: self = .scalar(first)
    }
  }

  private init?(structure text: String, _ extent: Extent, _ labels: [String: [String]]) {
    guard let equals = text.firstIndex(of: "=") else { return nil }
    let name = String(text[text.index(after: text.startIndex)..<equals])
    var rest = text[text.index(after: equals)...]
    var fields: [Field] = []
    var offset = 0
    while let next = rest.first, next != "}" {
      let label = Layout.dropLabel(&rest) ?? Layout.label(fields.count, in: labels[name])
      guard let member = Extent(firstOf: String(rest)) else { return nil }
      let encoding = rest.prefix(member.length)
      guard let layout = Layout(encoding, labels: labels) else { return nil }
      offset = (offset + member.alignment - 1) / member.alignment * member.alignment
      fields.append(Field(label: label, offset: offset, layout: layout))
      offset += member.size
      rest = rest.dropFirst(member.length)
    }
    self = .structure(size: extent.size, fields)
  }

  private init?(array text: String, _ extent: Extent, _ labels: [String: [String]]) {
    let inside = text.dropFirst()
    guard let count = Int(inside.prefix { $0.isNumber }), count > 0 else { return nil }
    let element = inside.drop { $0.isNumber }
    guard let layout = Layout(element, labels: labels) else { return nil }
    self = .array(count: count, stride: extent.size / count, layout)
  }

  /// Takes a quoted member name off the front: `"x"d`.
  private static func dropLabel(_ rest: inout Substring) -> String? {
    guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
    let label = String(rest[rest.index(after: rest.startIndex)..<end])
    rest = rest[rest.index(after: end)...]
    return label
  }

  private static func label(_ index: Int, in labels: [String]?) -> String? {
    guard let labels, index < labels.count else { return nil }
    return labels[index]
  }
}

/// The room that one type takes, in bytes, and its encoding, in characters.
typealias Extent = RuntimeTypeEncoding.Layout

extension Extent {
  /// Measures the first type of an encoding; nil if it cannot be parsed or has no size.
  init?(firstOf encoding: String) {
    guard let extent = try? RuntimeTypeEncoding(encoding).measure() else { return nil }
    self = extent
  }
}
