/// The fields of a text that is built into the program.
///
/// A line `key: words` begins a field, which goes on in the lines below that are indented by two
/// blanks: as one paragraph, or line by line where nothing stands behind `key:`. Empty lines part
/// what belongs together, for the eye only, but for those between the lines of a block.
struct TextFields: Sendable {
  struct Field: Hashable, Sendable {
    var key: String
    var text: String
    var line: Int
    /// Whether its lines stay apart.
    var isBlock: Bool
  }

  let file: String
  private(set) var fields: [Field] = []
  /// The empty lines right above the one that is read.
  private var gap = ""

  /// - Parameter keys: All that a text of this kind may have.
  init(_ text: String, file: String, keys: Set<String>) throws(Diagnostic) {
    self.file = file
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      if line.isEmpty { gap += "\n" } else { try read(line, index + 1, keys) }
    }
  }

  private init(file: String, fields: ArraySlice<Field>) {
    self.file = file
    self.fields = Array(fields)
  }

  private mutating func read(
    _ line: Substring, _ number: Int, _ keys: Set<String>
  ) throws(Diagnostic) {
    defer { gap = "" }
    if line.hasPrefix("  "), !fields.isEmpty { return goOn(with: line.dropFirst(2)) }
    let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, TextFields.isKey(parts[0]),
      parts[1].isEmpty || (parts[1].hasPrefix(" ") && parts[1] != " ")
    else {
      throw mistake("'\(line)' is no line of a text", "'key: words' or an indented line", number)
    }
    let key = String(parts[0])
    guard keys.contains(key) else {
      throw mistake("there is no field '\(key)'", alternatives(keys.sorted()).english, number)
    }
    fields.append(
      Field(
        key: key, text: String(parts[1].dropFirst()), line: number, isBlock: parts[1].isEmpty))
  }

  /// Whether it is a word or two.
  private static func isKey(_ text: Substring) -> Bool {
    let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    return words.count <= 2 && words.allSatisfy { !$0.isEmpty && $0.allSatisfy(letters.contains) }
  }

  private mutating func goOn(with line: Substring) {
    let last = fields.count - 1
    let join = fields[last].isBlock ? (fields[last].text.isEmpty ? "" : gap + "\n") : " "
    fields[last].text += join + line
  }

  /// The mistake in the line of a field, or in the first line.
  func mistake(_ problem: String, _ expected: String, _ line: Int? = nil) -> Diagnostic {
    let place = SourceLocation(line: line ?? fields.first?.line ?? 1, column: 1)
    return Diagnostic(
      file: file, location: place, problem: Text(same: problem), expected: Text(same: expected))
  }
}

extension TextFields {
  func texts(_ key: String) -> [String] { fields.filter { $0.key == key }.map(\.text) }

  func optional(_ key: String) -> String? { texts(key).first }

  func text(_ key: String) throws(Diagnostic) -> String {
    guard let text = optional(key) else { throw mistake("there is no '\(key)'", "one") }
    return text
  }

  /// A field as what it is the name or number of.
  func value<Value>(_ key: String, _ make: (String) -> Value?) throws(Diagnostic) -> Value {
    let text = try text(key)
    guard let value = make(text) else {
      let line = fields.first { $0.key == key }?.line
      throw mistake("'\(text)' is no \(key)", "another", line)
    }
    return value
  }

  /// A field in every language.
  func words(_ key: String) throws(Diagnostic) -> Text {
    Text(english: try text(key), chinese: try text(key + " zh"))
  }

  /// The parts that begin with a field `key` each and go on to the next one.
  func parts(_ key: String) -> [TextFields] {
    let starts = fields.indices.filter { fields[$0].key == key }
    return zip(starts, starts.dropFirst() + [fields.endIndex]).map {
      TextFields(file: file, fields: fields[$0..<$1])
    }
  }

  /// The things that `make` reads, one from each part that begins with `key`.
  func list<Part>(
    _ key: String, _ make: (TextFields) throws(Diagnostic) -> Part
  ) throws(Diagnostic) -> [Part] {
    var list: [Part] = []
    for part in parts(key) { list.append(try make(part)) }
    return list
  }
}

/// A value read from a text of the program's own: a mistake in it ends the process.
func builtIn<Value>(_ read: () throws(Diagnostic) -> Value) -> Value {
  do { return try read() } catch { fatalError("\(error)") }
}
