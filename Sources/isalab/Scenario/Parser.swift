/// Turns a scenario's text into statements, one line each, and says all that is wrong in it.
///
/// After an error it goes on with the next line, so that one run shows every mistake.
struct Parser {
  private var lexer: Lexer
  private(set) var token: Token
  private var previous: Token
  private var diagnostics: [Diagnostic] = []
  /// How many brackets are open around the value that is being read.
  private var depth = 0

  static let reservedWords: Set<String> = [
    "alive", "class", "did", "expect", "imp", "isa", "let", "methods", "nil", "observe",
    "observer", "poke", "registrations", "release", "remove", "retain-count", "struct",
    "superclass", "true", "false", "will", "wrap", "no", "error", "notifications",
  ]

  /// - Throws: every diagnostic of the text, the ones of broken lines included.
  static func parse(_ text: String, file: String) throws(DiagnosticList) -> Scenario {
    var parser = Parser(lexer: Lexer(file: file, text: text))
    let statements = parser.statements()
    guard parser.diagnostics.isEmpty else {
      throw DiagnosticList(diagnostics: parser.diagnostics)
    }
    return Scenario(file: file, statements: statements)
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

  private mutating func statement() throws(Diagnostic) -> Statement {
    let start = token
    let kind = try statementKind()
    let end = previous.range.upperBound
    guard token.kind == .newline || token.kind == .end else {
      throw unexpected("the end of the line")
    }
    let text = lexer.text(in: start.range.lowerBound..<end).withVisibleControls
    return Statement(
      kind: kind, location: start.location, text: isBlock(kind) ? header(of: text) : text)
  }

  private func isBlock(_ kind: Statement.Kind) -> Bool {
    switch kind {
    case .structure, .classPair: true
    default: false
    }
  }

  /// What stands before the bracket of a block.
  private func header(of text: String) -> String {
    text.prefix { $0 != "{" }.split(separator: " ").joined(separator: " ")
  }

  private mutating func statementKind() throws(Diagnostic) -> Statement.Kind {
    guard case .word(let word) = token.kind else {
      throw unexpected("a statement, such as 'let p = Person()'")
    }
    switch word {
    case "struct": return .structure(try structDeclaration())
    case "class": return try classDeclarationOrQuery()
    case "let": return try objectDeclaration()
    case "observer":
      try advance()
      return .observer(try newName("observer"))
    case "poke": return try poke()
    case "observe": return .observe(try observe())
    case "remove": return try remove()
    case "release":
      try advance()
      return .release(try name("an object"))
    case "will":
      try advance()
      return .willChange(try property())
    case "did":
      try advance()
      return .didChange(try property())
    case "wrap": return .wrap(try wrapping())
    case "expect": return .expect(try expectation())
    case "isa": return try isaQueryOrSwap()
    default: return try queryOrAssignment()
    }
  }

  // MARK: Statements of one line

  private mutating func objectDeclaration() throws(Diagnostic) -> Statement.Kind {
    try advance()
    let object = try newName("object")
    try take("=")
    let cls = try name("a class, as in 'let p = Person()'")
    try take("(")
    try take(")")
    return .object(object, of: cls)
  }

  private mutating func poke() throws(Diagnostic) -> Statement.Kind {
    try advance()
    let target = try property()
    try take("=")
    return .poke(target, try literal())
  }

  private mutating func observe() throws(Diagnostic) -> ObserveStatement {
    try advance()
    var statement = ObserveStatement(target: try property(), options: [.old, .new], context: 0)
    if try skip("by") { statement.observer = try name("an observing object") }
    if try skip("options") { statement.options = try options() }
    if try skip("context") { statement.context = try context() }
    if case .word("as") = token.kind {
      guard statement.observer == nil else {
        throw unexpected("the end of the line: an observing object is removed by its own name")
      }
      try advance()
      statement.token = try newName("observer")
    }
    return statement
  }

  private mutating func options() throws(Diagnostic) -> Set<ObserveStatement.Option> {
    var options: Set<ObserveStatement.Option> = []
    try take("(")
    while token.kind != .sign(")") {
      guard case .word(let word) = token.kind, let option = ObserveStatement.Option(rawValue: word)
      else { throw unexpected(alternatives(ObserveStatement.Option.allCases.map(\.rawValue))) }
      options.insert(option)
      try advance()
      guard token.kind != .sign(")") else { break }
      try take(",", or: "')'")
    }
    try take(")")
    return options
  }

  private mutating func context() throws(Diagnostic) -> UInt {
    guard case .integer(let digits) = token.kind, let context = UInt(scenario: digits) else {
      throw unexpected("a number from 0, which stands for the context pointer")
    }
    try advance()
    return context
  }

  private mutating func remove() throws(Diagnostic) -> Statement.Kind {
    try advance()
    let observer = try name("what to remove: a name given by 'as' or by 'observer'")
    guard try skip("from") else { return .removeToken(observer) }
    let target = try property()
    let context: UInt? = try skip("context") ? try context() : nil
    return .removeObserver(RemoveStatement(observer: observer, target: target, context: context))
  }

  private mutating func wrapping() throws(Diagnostic) -> Wrapping {
    try advance()
    guard case .word(let word) = token.kind, let wrapping = Wrapping(rawValue: word) else {
      throw unexpected(alternatives(Wrapping.allCases.map(\.rawValue)))
    }
    try advance()
    return wrapping
  }

  private mutating func isaQueryOrSwap() throws(Diagnostic) -> Statement.Kind {
    try advance()
    let object = try name("an object or a class")
    guard token.kind == .sign("=") else { return .query(.isa(object)) }
    try advance()
    return .swapIsa(object, to: try name("a class"))
  }

  private mutating func queryOrAssignment() throws(Diagnostic) -> Statement.Kind {
    let query = try query("a statement, such as 'let p = Person()' or 'p.age = 40'")
    guard case .property(let target) = query, token.kind != .newline, token.kind != .end else {
      return .query(query)
    }
    try take("=", or: "the end of the line")
    return .set(target, try literal())
  }

  // MARK: Queries and values

  /// Parses a question to the runtime; `expected` describes it where there is none.
  mutating func query(_ expected: String) throws(Diagnostic) -> Query {
    guard case .word(let word) = token.kind else { throw unexpected(expected) }
    if !Parser.reservedWords.contains(word) {
      let object = try name("an object")
      guard token.kind == .sign(".") else {
        throw Diagnostic(
          file: lexer.file, location: object.location, problem: "'\(object)' begins no statement",
          expected: expected)
      }
      try advance()
      return .property(PropertyReference(object: object, key: try name("a property")))
    }
    return try keywordQuery(word, expected)
  }

  private mutating func keywordQuery(
    _ word: String, _ expected: String
  ) throws(Diagnostic) -> Query {
    let start = token
    try advance()
    switch word {
    case "isa": return .isa(try name("an object or a class"))
    case "class": return .claimedClass(try name("an object or a class"))
    case "superclass": return .superclass(try name("an object or a class"))
    case "methods": return .methods(try name("an object or a class"))
    case "imp":
      let subject = try name("an object or a class")
      return .implementation(subject, selector: try selector())
    case "retain-count": return .retainCount(try name("an object"))
    case "registrations": return .registrations(try name("an object"))
    case "alive": return .alive(try name("an object"))
    default:
      token = start
      throw unexpected(expected)
    }
  }

  mutating func property() throws(Diagnostic) -> PropertyReference {
    let object = try name("an object and its property, as 'p.age'")
    try take(".")
    return PropertyReference(object: object, key: try name("a property"))
  }

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
    case .word: return Literal(kind: .name(try selector().text), location: location)
    case .sign("("), .sign("["): return Literal(kind: try nested(), location: location)
    default:
      throw unexpected("a value: a number, a text in quotes, true, false, nil, a name, (…) or […]")
    }
    try advance()
    return Literal(kind: kind, location: location)
  }

  /// A value in brackets.
  private mutating func nested() throws(Diagnostic) -> Literal.Kind {
    guard depth < Lexer.deepestNesting else {
      throw problem(
        "the value is nested too deep",
        "at most \(Lexer.deepestNesting) brackets inside each other")
    }
    depth += 1
    defer { depth -= 1 }
    return token.kind == .sign("(") ? .structure(try members()) : .array(try elements())
  }

  private mutating func members() throws(Diagnostic) -> [Literal.Member] {
    var members: [Literal.Member] = []
    try take("(")
    while token.kind != .sign(")") {
      members.append(try member())
      guard token.kind != .sign(")") else { break }
      try take(",", or: "')'")
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

  private mutating func elements() throws(Diagnostic) -> [Literal] {
    var elements: [Literal] = []
    try take("[")
    while token.kind != .sign("]") {
      elements.append(try literal())
      guard token.kind != .sign("]") else { break }
      try take(",", or: "']'")
    }
    try take("]")
    return elements
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
  mutating func take(_ sign: String, or other: String? = nil) throws(Diagnostic) {
    guard token.kind == .sign(sign) else {
      throw unexpected(alternatives(["'\(sign)'"] + (other.map { [$0] } ?? [])))
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
  mutating func name(_ expected: String) throws(Diagnostic) -> Name {
    guard case .word(let word) = token.kind, !Parser.reservedWords.contains(word) else {
      throw unexpected(expected)
    }
    let name = Name(text: word, location: token.location)
    try advance()
    return name
  }

  /// A name that the statement gives to something.
  mutating func newName(_ what: String) throws(Diagnostic) -> Name {
    if case .word(let word) = token.kind, Parser.reservedWords.contains(word) {
      throw problem("'\(word)' is a word of the language", "another name for the \(what)")
    }
    return try name("a name for the \(what)")
  }

  /// A selector: words and colons without blanks between them.
  mutating func selector() throws(Diagnostic) -> Name {
    guard case .word(var text) = token.kind else { throw unexpected("a selector, such as setAge:") }
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
      throw unexpected("a type, such as int, string or {Point=dd}")
    }
    previous = raw
    token = try lexer.next()
    return Name(text: text, location: raw.location)
  }

  func problem(_ problem: String, _ expected: String) -> Diagnostic {
    Diagnostic(file: lexer.file, location: token.location, problem: problem, expected: expected)
  }

  func unexpected(_ expected: String) -> Diagnostic {
    problem("unexpected \(token.name)", expected)
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
