// Statements about observers.

extension Parser {
  mutating func observe() throws(Diagnostic) -> ObserveStatement {
    try advance()
    var statement = ObserveStatement(target: try property(), options: [.old, .new], context: 0)
    if try skip("by") { statement.observer = try name("an observing object") }
    if token.kind == .word("at") {
      guard statement.observer != nil else {
        throw unexpected("'by OBSERVER' before 'at': only objects observe the elements of an array")
      }
      statement.indexes = try indexes()
    }
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

  mutating func remove() throws(Diagnostic) -> Statement.Kind {
    try advance()
    if token.kind == .word("from") || token.kind == .word("object") {
      return .edit(try removal())
    }
    let observer = try name("what to remove: a name given by 'as' or by 'observer'")
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
    guard try skip(word) else { throw unexpected("'\(word)' and the property to bind to") }
    return .bind(target, to: try property(), isTwoWay: isTwoWay)
  }

  /// `shared s for Person`
  mutating func shared() throws(Diagnostic) -> Statement.Kind {
    try advance()
    let shared = try newName("collection of shared observers")
    guard try skip("for") else { throw unexpected("'for' and a class") }
    return .shared(shared, for: try name("a class"))
  }

  /// `share s with p`, or `share nil with p` to take them away.
  mutating func share() throws(Diagnostic) -> Statement.Kind {
    try advance()
    let isNone = try skip("nil")
    let shared: Name? = isNone ? nil : try name("shared observers or nil")
    guard try skip("with") else { throw unexpected("'with' and an object") }
    return .share(shared, with: try name("an object"))
  }
}
