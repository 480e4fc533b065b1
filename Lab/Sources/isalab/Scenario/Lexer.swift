/// One word, number, text or sign of a scenario.
struct Token: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case word(String)
    case integer(String)
    case decimal(String)
    case text(String)
    case sign(String)
    case newline
    case end
  }

  var kind: Kind
  var location: SourceLocation
  /// Offsets of the first character and of the one behind the last.
  var range: Range<Int>

  /// The token as a message names it.
  var name: Text {
    switch kind {
    case .word(let word), .integer(let word), .decimal(let word): Text(same: "'\(word)'")
    case .text(let text): Text(same: "\"\(text.escaped)\"")
    case .sign(let sign): Text(same: "'\(sign)'")
    case .newline: Text("syntax.line-end")
    case .end: Text("syntax.file-end")
    }
  }
}

/// Cuts a scenario into tokens, one at a time, because a raw type encoding can be told from other
/// text only by the parser, which then asks for it with `rawType()`.
struct Lexer {
  /// How many brackets may stand inside each other: the runtime takes 64 types, the innermost of
  /// which has none, so that a value nested deeper would fit none.
  static let deepestNesting = 63

  let file: String
  private let characters: [Character]
  private var offset = 0
  private var line = 1
  private var lineStart = 0

  init(file: String, text: String) {
    self.file = file
    characters = Array(text)
  }

  private var location: SourceLocation {
    SourceLocation(line: line, column: offset - lineStart + 1)
  }
  private var current: Character? { offset < characters.count ? characters[offset] : nil }

  private func character(at index: Int) -> Character? {
    index < characters.count ? characters[index] : nil
  }

  /// The characters of one range, such as a statement's.
  func text(in range: Range<Int>) -> String { String(characters[range]) }

  /// Reads the next token; behind the last one it is `.end`, again and again.
  mutating func next() throws(Diagnostic) -> Token {
    skipBlanks()
    guard let first = current else { return token(.end, from: offset) }
    if first.isLineEnd { return newline() }
    if first.isWordStart { return word() }
    // An operator of a key path, such as @sum.
    if first == "@", character(at: offset + 1)?.isWordStart == true { return word() }
    if first.isDigit || (first == "-" && character(at: offset + 1)?.isDigit == true) {
      return try number()
    }
    if first == "\"" { return try text() }
    return try sign(first)
  }

  private mutating func skipBlanks() {
    while let character = current, character == " " || character == "\t" { offset += 1 }
    guard current == "#" else { return }
    while let character = current, !character.isLineEnd { offset += 1 }
  }

  private func token(_ kind: Token.Kind, from start: Int) -> Token {
    let column = SourceLocation(line: line, column: start - lineStart + 1)
    return Token(kind: kind, location: column, range: start..<offset)
  }

  private mutating func newline() -> Token {
    let start = offset
    offset += 1
    let newline = token(.newline, from: start)
    line += 1
    lineStart = offset
    return newline
  }

  private mutating func word() -> Token {
    let start = offset
    if current == "@" { offset += 1 }
    while let character = current {
      // A hyphen joins words ("retain-count") only where a letter follows.
      let joins = character == "-" && self.character(at: offset + 1)?.isWordStart == true
      guard character.isWordPart || joins else { break }
      offset += 1
    }
    let word = String(characters[start..<offset])
    return token(.word(word), from: start)
  }

  private mutating func number() throws(Diagnostic) -> Token {
    let start = offset
    offset += 1
    while let character = current, character.isWordPart || character.isNumberSign(in: self) {
      offset += 1
    }
    let literal = String(characters[start..<offset])
    if Int64(scenario: literal) != nil || UInt64(scenario: literal) != nil {
      return token(.integer(literal), from: start)
    }
    let isWhole = literal.allSatisfy { $0.isDigit || $0 == "-" } || literal.contains("x")
    if !isWhole, Double(literal) != nil { return token(.decimal(literal), from: start) }
    throw problem(
      Text("syntax.no-number", ["text": literal]), Text("syntax.number-bits"), from: start)
  }

  fileprivate func isNumberSign(_ character: Character) -> Bool {
    if character == "." { return self.character(at: offset + 1)?.isDigit == true }
    guard character == "-" || character == "+", offset > 0 else { return false }
    return characters[offset - 1] == "e" || characters[offset - 1] == "E"
  }

  private mutating func text() throws(Diagnostic) -> Token {
    let start = offset
    var text = ""
    offset += 1
    while let character = current, character != "\"" {
      if character.isLineEnd { break }
      offset += 1
      text.append(character == "\\" ? try escape() : character)
    }
    guard current == "\"" else {
      throw problem(Text("syntax.text-open"), Text("syntax.closing-quote"), from: start)
    }
    offset += 1
    return token(.text(text), from: start)
  }

  private mutating func escape() throws(Diagnostic) -> Character {
    let known: [Character: Character] = ["n": "\n", "t": "\t", "\"": "\"", "\\": "\\"]
    guard let character = current, let meaning = known[character] else {
      throw problem(
        Text("syntax.unknown-escape", ["letter": current.map(String.init) ?? ""]),
        Text("syntax.escapes"),
        from: offset - 1)
    }
    offset += 1
    return meaning
  }

  private mutating func sign(_ first: Character) throws(Diagnostic) -> Token {
    let start = offset
    if first == "=" || first == "!", character(at: offset + 1) == "=" {
      offset += 2
      return token(.sign(first == "=" ? "==" : "!="), from: start)
    }
    guard "{}()[]:,=.".contains(first) else {
      offset += 1
      throw problem(
        Text("syntax.unexpected-character", ["text": first]), Text("syntax.word-number-text"),
        from: start)
    }
    offset += 1
    return token(.sign(String(first)), from: start)
  }

  private func problem(_ problem: Text, _ expected: Text, from start: Int) -> Diagnostic {
    let location = SourceLocation(line: line, column: start - lineStart + 1)
    return Diagnostic(file: file, location: location, problem: problem, expected: expected)
  }

  // MARK: Reading at the parser's request

  /// Reads a type: a word, or an encoding with its brackets, up to a blank, a comma or a bracket
  /// that closes more than the type opened. `token` is the type's first token, already read.
  mutating func rawType(from token: Token) throws(Diagnostic) -> Token {
    let start = token.range.lowerBound
    var end = start
    var depth = 0
    while let character = character(at: end), !character.isWhitespace {
      if "{[(".contains(character) { depth += 1 }
      if "}])".contains(character) { depth -= 1 }
      if depth < 0 || (depth == 0 && character == ",") { break }
      guard depth <= Lexer.deepestNesting else {
        throw problem(
          Text("syntax.type-too-deep"),
          Text("syntax.bracket-depth", ["count": Lexer.deepestNesting]), from: end)
      }
      end += 1
    }
    guard depth <= 0 else {
      throw problem(Text("syntax.type-open"), Text("syntax.closing-brackets"), from: start)
    }
    let text = String(characters[start..<end])
    guard !text.hasControls else {
      throw problem(Text("syntax.control-character"), Text("syntax.encoding"), from: start)
    }
    offset = end
    return self.token(.word(text), from: start)
  }

  /// Peeks at the first character behind blanks, without making a token of it.
  func startOfToken() -> Token {
    var copy = self
    while let character = copy.current, character == " " || character == "\t" { copy.offset += 1 }
    return copy.token(.end, from: copy.offset)
  }

  /// Steps to the end of the line, for the parser to go on after an error; answers the last
  /// character that was no blank.
  @discardableResult
  mutating func skipLine() -> Character? {
    var last: Character?
    while let character = current, !character.isLineEnd {
      if !character.isWhitespace { last = character }
      offset += 1
    }
    return last
  }
}

extension Character {
  /// As editors and compilers count lines: a form feed, say, ends none.
  fileprivate var isLineEnd: Bool { self == "\n" || self == "\r\n" || self == "\r" }
  fileprivate var isWordStart: Bool { isLetter || self == "_" }
  fileprivate var isDigit: Bool { isASCII && isNumber }
  var isWordPart: Bool { isLetter || isNumber || self == "_" }
  fileprivate func isNumberSign(in lexer: Lexer) -> Bool { lexer.isNumberSign(self) }
}

extension FixedWidthInteger {
  /// Reads `40`, `-40`, `0x28` or `-0x28`.
  init?(scenario literal: String) {
    let negative = literal.hasPrefix("-")
    let digits = negative ? literal.dropFirst() : literal[...]
    let sign = negative ? "-" : ""
    if digits.hasPrefix("0x") {
      self.init(sign + digits.dropFirst(2), radix: 16)
    } else {
      self.init(sign + digits, radix: 10)
    }
  }
}

extension String {
  /// The lines of a text, counted as the lexer counts them.
  var sourceLines: [String] {
    split(omittingEmptySubsequences: false, whereSeparator: \.isLineEnd).map(String.init)
  }
}
