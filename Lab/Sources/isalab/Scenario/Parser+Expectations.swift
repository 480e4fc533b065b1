// `expect …`: the lines that make a scenario a test.

extension Parser {
  mutating func expectation() throws(Diagnostic) -> Expectation {
    try advance()
    switch token.kind {
    case .word("error"): return Expectation(kind: try expectedError())
    case .word("no"): return Expectation(kind: try expectedSilence())
    case .word("notifications"): return Expectation(kind: try expectedNotifications())
    case .word("methods"): return Expectation(kind: try expectedMethod())
    case .word(let word) where !Parser.reservedWords.contains(word):
      return Expectation(kind: try expectedHearingOrProperty())
    default: return Expectation(kind: try expectedAnswer(try query(Parser.expectations)))
    }
  }

  private static let expectations = Text("syntax.expectation")

  private mutating func expectedError() throws(Diagnostic) -> Expectation.Kind {
    try advance()
    return .error(try name(Text("syntax.exception")))
  }

  private mutating func expectedSilence() throws(Diagnostic) -> Expectation.Kind {
    try advance()
    guard try skip("notification") else { throw unexpected(Text("syntax.notification")) }
    return .notifications(0)
  }

  private mutating func expectedNotifications() throws(Diagnostic) -> Expectation.Kind {
    try advance()
    return .notifications(try count())
  }

  private mutating func expectedMethod() throws(Diagnostic) -> Expectation.Kind {
    try advance()
    let subject = try name(Text("syntax.object-or-class"))
    if try skip("has") { return .method(subject, selector: try selector(), negated: false) }
    guard try skip("lacks") else { throw unexpected(Text("syntax.has-or-lacks")) }
    return .method(subject, selector: try selector(), negated: true)
  }

  private mutating func expectedAnswer(_ query: Query) throws(Diagnostic) -> Expectation.Kind {
    guard token.kind == .sign("==") || token.kind == .sign("!=") else {
      throw unexpected(Text("syntax.equals"))
    }
    let negated = token.kind == .sign("!=")
    try advance()
    return .equal(query, try literal(), negated: negated)
  }

  private mutating func expectedHearingOrProperty() throws(Diagnostic) -> Expectation.Kind {
    let observer = try name(Text("syntax.observer-or-object"))
    switch token.kind {
    case .sign("."):
      return try expectedAnswer(.property(try path(from: observer)))
    case .word("count"):
      try advance()
      return .heard(observer: observer, count: try count())
    case .word("first"), .word("last"), .integer:
      return .notification(observer: observer, try pattern())
    default: throw unexpected(Text("syntax.what-of-observer"))
    }
  }

  private mutating func count() throws(Diagnostic) -> Int {
    guard case .integer(let digits) = token.kind, let count = Int(scenario: digits), count >= 0
    else { throw unexpected(Text("syntax.from-zero")) }
    try advance()
    return count
  }

  private mutating func pattern() throws(Diagnostic) -> NotificationPattern {
    var pattern = NotificationPattern(position: try position())
    let first = token.location
    while case .word(let word) = token.kind {
      try advance(ofPattern: &pattern, word)
    }
    guard token.location != first else {
      throw unexpected(
        Text("syntax.pattern", ["words": Parser.patternWords]))
    }
    return pattern
  }

  private mutating func position() throws(Diagnostic) -> NotificationPattern.Position {
    if try skip("first") { return .first }
    if try skip("last") { return .last }
    let start = token
    let number = try count()
    guard number > 0 else {
      throw Diagnostic(
        file: file, location: start.location, problem: Text("syntax.from-one"),
        expected: Text("syntax.one-or-more"))
    }
    return .number(number)
  }

  private static let patternWords = Text("syntax.pattern-words")

  private mutating func advance(
    ofPattern pattern: inout NotificationPattern, _ word: String
  ) throws(Diagnostic) {
    if let phase = NotificationPattern.Phase(rawValue: word) {
      try advance()
      pattern.phase = phase
      return
    }
    if let kind = NotificationPattern.Kind(rawValue: word) {
      try advance()
      pattern.kind = kind
      return
    }
    if word == "at" {
      pattern.indexes = try expectedIndexes()
      return
    }
    guard ["of", "key", "old", "new", "context"].contains(word) else {
      throw unexpected(Text("syntax.pattern-or-end", ["words": Parser.patternWords]))
    }
    try advance()
    switch word {
    case "of": pattern.object = try name(Text("syntax.object"))
    case "key": pattern.key = try keyPath(Text("syntax.property"))
    case "old": pattern.old = try expectedValue()
    case "new": pattern.new = try expectedValue()
    default: pattern.context = UInt(try count())
    }
  }

  /// `at 0`, `at (0, 2)` or `at absent`.
  private mutating func expectedIndexes() throws(Diagnostic) -> NotificationPattern.Indexes {
    let beginning = self
    try advance()
    if try skip("absent") { return .absent }
    self = beginning
    return .at(try indexes())
  }

  private mutating func expectedValue() throws(Diagnostic) -> NotificationPattern.Value {
    try skip("absent") ? .absent : .value(try literal())
  }
}
