// Values as a scenario writes them.

extension Parser {
  mutating func literal() throws(Diagnostic) -> Literal {
    let location = token.location
    let kind: Literal.Kind
    switch token.kind {
    case .integer(let digits): kind = .integer(digits)
    case .decimal(let digits): kind = .decimal(digits)
    case .text(let text): kind = .text(text)
    case .word("true"): kind = .bool(true)
    case .word("false"): kind = .bool(false)
    case .word("nil"): kind = .nothing
    case .word("null"): kind = .null
    case .word: return Literal(kind: .name(try selector().text), location: location)
    case .sign("("), .sign("["), .sign("{"): return Literal(kind: try nested(), location: location)
    default:
      throw unexpected(
        Text("syntax.value"))
    }
    try advance()
    return Literal(kind: kind, location: location)
  }

  /// A value in brackets.
  private mutating func nested() throws(Diagnostic) -> Literal.Kind {
    guard depth < Lexer.deepestNesting else {
      throw problem(
        Text("syntax.value-too-deep"),
        Text("syntax.bracket-depth", ["count": Lexer.deepestNesting]))
    }
    depth += 1
    defer { depth -= 1 }
    switch token.kind {
    case .sign("("): return .structure(try members())
    case .sign("["):
      try advance()
      return .array(try elements(upTo: "]"))
    default: return try setOrDictionary()
    }
  }

  /// `{1, 2}`, `{name: "Ada"}`, or `{:}`, the empty dictionary.
  private mutating func setOrDictionary() throws(Diagnostic) -> Literal.Kind {
    try take("{")
    if token.kind == .sign(":") {
      try advance()
      try take("}")
      return .dictionary([])
    }
    let beginning = self
    if token.kind != .sign("}"), try entryKey() != nil {
      self = beginning
      return .dictionary(try entries())
    }
    self = beginning
    return .set(try elements(upTo: "}"))
  }

  private mutating func entries() throws(Diagnostic) -> [Literal.Entry] {
    var entries: [Literal.Entry] = []
    while token.kind != .sign("}") {
      guard let key = try entryKey() else { throw unexpected(Text("syntax.key-colon")) }
      entries.append(Literal.Entry(key: key, value: try literal()))
      guard token.kind != .sign("}") else { break }
      try take(",", or: Text(same: "'}'"))
    }
    try take("}")
    return entries
  }

  /// A word or text with a colon behind it, both taken; nil if the next is no such thing.
  private mutating func entryKey() throws(Diagnostic) -> Name? {
    let location = token.location
    let text: String
    switch token.kind {
    case .word(let word): text = word
    case .text(let quoted): text = quoted
    default: return nil
    }
    try advance()
    guard token.kind == .sign(":") else { return nil }
    try advance()
    return Name(text: text, location: location)
  }

  private mutating func members() throws(Diagnostic) -> [Literal.Member] {
    var members: [Literal.Member] = []
    try take("(")
    while token.kind != .sign(")") {
      members.append(try member())
      guard token.kind != .sign(")") else { break }
      try take(",", or: Text(same: "')'"))
    }
    try take(")")
    return members
  }

  private mutating func member() throws(Diagnostic) -> Literal.Member {
    guard case .word(let word) = token.kind, !Parser.reservedWords.contains(word) else {
      return Literal.Member(label: nil, value: try literal())
    }
    let beginning = self
    let label = Name(text: word, location: token.location)
    try advance()
    guard token.kind == .sign(":") else {
      self = beginning
      return Literal.Member(label: nil, value: try literal())
    }
    try advance()
    return Literal.Member(label: label, value: try literal())
  }

  private mutating func elements(upTo end: String) throws(Diagnostic) -> [Literal] {
    var elements: [Literal] = []
    while token.kind != .sign(end) {
      elements.append(try literal())
      guard token.kind != .sign(end) else { break }
      try take(",", or: Text(same: "'\(end)'"))
    }
    try take(end)
    return elements
  }
}
