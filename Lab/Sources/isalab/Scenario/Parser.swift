/// Turns a scenario's text into statements, one line each, and says all that is wrong in it.
///
/// After an error it goes on with the next line, so that one run shows every mistake.
struct Parser {
  var lexer: Lexer
  var token: Token
  private var previous: Token
  private var diagnostics: [Diagnostic] = []
  /// How many brackets are open around the value that is being read.
  var depth = 0

  static let reservedWords: Set<String> = [
    "alive", "bind", "class", "did", "expect", "imp", "isa", "let", "methods", "nil", "observe",
    "observer", "poke", "registrations", "release", "remove", "retain-count", "struct",
    "superclass", "true", "false", "will", "wrap", "no", "error", "notifications", "add",
    "affected", "affecting", "closure", "fault", "fill", "follow", "get", "insert", "intersect",
    "minus", "null", "on", "pending", "repeat", "replace", "set", "share", "shared", "swizzle",
    "unbind", "union", "validate", "when", "whenever",
  ]

  /// - Throws: every diagnostic of the text, the ones of broken lines included.
  static func parse(_ text: String, file: String) throws(DiagnosticList) -> Scenario {
    var parser = Parser(lexer: Lexer(file: file, text: text))
    let statements = parser.statements()
    guard parser.diagnostics.isEmpty else {
      throw DiagnosticList(diagnostics: parser.diagnostics)
    }
    return Scenario(file: file, source: text.sourceLines, statements: statements)
  }

  private init(lexer: Lexer) {
    self.lexer = lexer
    token = lexer.startOfToken()
    previous = token
    token.kind = .newline
  }

  private mutating func statements() -> [Statement] {
    var statements: [Statement] = []
    while true {
      do throws(Diagnostic) {
        try skipNewlines()
        if token.kind == .end { return statements }
        statements.append(try statement())
      } catch {
        recover(from: error)
      }
    }
  }

  private mutating func recover(from diagnostic: Diagnostic) {
    diagnostics.append(diagnostic)
    guard token.kind != .end else { return }
    if token.kind != .newline { lexer.skipLine() }
    token.kind = .newline
  }

  mutating func statement() throws(Diagnostic) -> Statement {
    let start = token
    let kind = try statementKind()
    let end = previous.range.upperBound
    guard token.kind == .newline || token.kind == .end else {
      throw unexpected(Text("syntax.line-end"))
    }
    let written = lexer.text(in: start.range.lowerBound..<end)
    guard isBlock(kind) else {
      let text = written.shown
      return Statement(kind: kind, location: start.location, text: text, lines: [text])
    }
    return Statement(
      kind: kind, location: start.location, text: header(of: written.shown),
      lines: lines(of: written))
  }

  private func isBlock(_ kind: Statement.Kind) -> Bool {
    switch kind {
    case .structure, .classPair: true
    default: false
    }
  }

  /// The lines of a block as written, its members set in by two blanks, comments left out.
  private func lines(of block: String) -> [String] {
    let lines = block.sourceLines.map { line in
      String(line.withoutComment.drop { $0.isWhitespace })
    }.filter { !$0.isEmpty }
    return lines.enumerated().map { index, line in
      let isMember = index > 0 && !(index == lines.count - 1 && line.hasPrefix("}"))
      return (isMember ? "  " : "") + line.shown
    }
  }

  /// The text before the bracket of a block.
  private func header(of text: String) -> String {
    text.prefix { $0 != "{" }.split(separator: " ").joined(separator: " ")
  }

  private mutating func statementKind() throws(Diagnostic) -> Statement.Kind {
    guard case .word(let word) = token.kind else {
      throw unexpected(Text("syntax.short-statement"))
    }
    switch word {
    case "struct": return .structure(try structDeclaration())
    case "class": return try classDeclarationOrQuery()
    case "let": return try objectDeclaration()
    case "observer":
      try advance()
      return .observer(try newName(Text("syntax.noun-observer")))
    case "poke": return try poke()
    case "set": return try keyedSet()
    case "observe": return .observe(try observe())
    case "remove": return try remove()
    case "release":
      try advance()
      return .release(try name(Text("syntax.object")))
    case "will", "did": return try announcement(word)
    case "insert", "replace", "add", "union", "minus", "intersect", "fill":
      return .edit(try edit())
    case "wrap": return .wrap(try wrapping())
    case "bind": return try binding(isTwoWay: true)
    case "follow": return try binding(isTwoWay: false)
    case "unbind":
      try advance()
      return .unbind(try property())
    case "swizzle": return try swizzle()
    case "fault": return try fault()
    case "when", "whenever": return try reaction(word)
    case "repeat": return try repetition()
    case "on": return try onThread()
    case "shared": return try shared()
    case "share": return try share()
    case "expect": return .expect(try expectation())
    case "isa": return try isaQueryOrSwap()
    default: return try queryOrAssignment()
    }
  }

  // MARK: Tokens

  mutating func advance() throws(Diagnostic) {
    if token.kind != .newline { previous = token }
    do throws(Diagnostic) {
      token = try lexer.next()
    } catch {
      lexer.skipLine()
      token.kind = .newline
      throw error
    }
  }

  mutating func skipNewlines() throws(Diagnostic) {
    while token.kind == .newline { try advance() }
  }

  /// Takes a sign, or says what was expected.
  mutating func take(_ sign: String, or other: Text? = nil) throws(Diagnostic) {
    guard token.kind == .sign(sign) else {
      throw unexpected(
        Text { language in
          alternatives(["'\(sign)'"] + (other.map { [$0[language]] } ?? []))[language]
        })
    }
    try advance()
  }

  /// Takes a word if it is the next one.
  mutating func skip(_ word: String) throws(Diagnostic) -> Bool {
    guard token.kind == .word(word) else { return false }
    try advance()
    return true
  }

  /// A name of something that exists; a reserved word is none.
  mutating func name(_ expected: Text) throws(Diagnostic) -> Name {
    guard case .word(let word) = token.kind, !Parser.reservedWords.contains(word),
      !word.hasPrefix("@")
    else { throw unexpected(expected) }
    let name = Name(text: word, location: token.location)
    try advance()
    return name
  }

  /// A name that the statement gives to something.
  mutating func newName(_ what: Text) throws(Diagnostic) -> Name {
    if case .word(let word) = token.kind, Parser.reservedWords.contains(word) {
      throw problem(
        Text("syntax.reserved", ["word": word]), Text("syntax.other-name-for", ["what": what]))
    }
    return try name(Text("syntax.name-for", ["what": what]))
  }

  /// A selector: words and colons without blanks between them.
  mutating func selector() throws(Diagnostic) -> Name {
    guard case .word(var text) = token.kind else { throw unexpected(Text("syntax.selector")) }
    let location = token.location
    var end = token.range.upperBound
    try advance()
    while token.range.lowerBound == end, let part = selectorPart {
      text += part
      end = token.range.upperBound
      try advance()
    }
    return Name(text: text, location: location)
  }

  private var selectorPart: String? {
    switch token.kind {
    case .sign(":"): ":"
    case .word(let word): word
    default: nil
    }
  }

  /// A property's or field's type: a word or a raw encoding.
  mutating func type() throws(Diagnostic) -> Name {
    // The current token is the colon: what follows may be no token of the language at all.
    let raw = try lexer.rawType(from: lexer.startOfToken())
    guard case .word(let text) = raw.kind, !text.isEmpty, !text.hasPrefix("#") else {
      token = try lexer.next()
      throw unexpected(Text("syntax.type"))
    }
    previous = raw
    token = try lexer.next()
    return Name(text: text, location: raw.location)
  }

  func problem(_ problem: Text, _ expected: Text) -> Diagnostic {
    Diagnostic(file: lexer.file, location: token.location, problem: problem, expected: expected)
  }

  func unexpected(_ expected: Text) -> Diagnostic {
    problem(Text("syntax.unexpected", ["what": token.name]), expected)
  }

  var file: String { lexer.file }

  /// Keeps a diagnostic of a line inside a block and goes on behind that line.
  /// A block opened by `opening` on that same line ends with it.
  mutating func recoverInBlock(from diagnostic: Diagnostic, opening: Token) {
    diagnostics.append(diagnostic)
    guard token.kind != .sign("}"), token.kind != .newline, token.kind != .end else { return }
    let line = token.location.line
    let last = lexer.skipLine()
    token.kind = last == "}" && line == opening.location.line ? .sign("}") : .newline
  }
}

extension String {
  /// A line up to its comment, without the blanks before that.
  fileprivate var withoutComment: String {
    var isQuoted = false
    var last: Character = " "
    var end = startIndex
    for (index, character) in zip(indices, self) {
      if character == "\"", last != "\\" { isQuoted.toggle() }
      if character == "#", !isQuoted, last == " " || last == "\t" { break }
      if character != " ", character != "\t" { end = self.index(after: index) }
      last = character
    }
    return String(self[..<end])
  }
}
