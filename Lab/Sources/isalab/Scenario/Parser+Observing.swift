// Statements about observers.

extension Parser {
  mutating func observe() throws(Diagnostic) -> ObserveStatement {
    try advance()
    var statement = ObserveStatement(target: try property(), options: [.old, .new], context: 0)
    if try skip("by") { statement.observer = try name(Text("syntax.observing-object")) }
    if token.kind == .word("at") {
      guard statement.observer != nil else {
        throw unexpected(Text("syntax.by-before-at"))
      }
      statement.indexes = try indexes()
    }
    if try skip("options") { statement.options = try options() }
    if try skip("context") { statement.context = try context() }
    if case .word("as") = token.kind {
      guard statement.observer == nil else {
        throw unexpected(Text("syntax.end-or-own-name"))
      }
      try advance()
      statement.token = try newName(Text("syntax.noun-observer"))
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
      try take(",", or: Text(same: "')'"))
    }
    try take(")")
    return options
  }

  private mutating func context() throws(Diagnostic) -> UInt {
    guard case .integer(let digits) = token.kind, let context = UInt(scenario: digits) else {
      throw unexpected(Text("syntax.context-number"))
    }
    try advance()
    return context
  }

  mutating func remove() throws(Diagnostic) -> Statement.Kind {
    try advance()
    if token.kind == .word("from") || token.kind == .word("object") {
      return .edit(try removal())
    }
    let observer = try name(Text("syntax.what-to-remove"))
    guard try skip("from") else { return .removeToken(observer) }
    var statement = RemoveStatement(observer: observer, target: try property())
    if token.kind == .word("at") { statement.indexes = try indexes() }
    if try skip("context") { statement.context = try context() }
    return .removeObserver(statement)
  }

  /// `bind panel.width to window.width`, or `follow panel.width of window.width`.
  mutating func binding(isTwoWay: Bool) throws(Diagnostic) -> Statement.Kind {
    try advance()
    let target = try property()
    let word = isTwoWay ? "to" : "of"
    guard try skip(word) else { throw unexpected(Text("syntax.word-and-property", ["word": word])) }
    return .bind(target, to: try property(), isTwoWay: isTwoWay)
  }

  /// `shared s for Person`
  mutating func shared() throws(Diagnostic) -> Statement.Kind {
    try advance()
    let shared = try newName(Text("syntax.noun-collection"))
    guard try skip("for") else { throw unexpected(Text("syntax.for-class")) }
    return .shared(shared, for: try name(Text("syntax.class")))
  }

  /// `share s with p`, or `share nil with p` to take them away.
  mutating func share() throws(Diagnostic) -> Statement.Kind {
    try advance()
    let isNone = try skip("nil")
    let shared: Name? = isNone ? nil : try name(Text("syntax.shared-or-nil"))
    guard try skip("with") else { throw unexpected(Text("syntax.with-object")) }
    return .share(shared, with: try name(Text("syntax.object")))
  }
}
