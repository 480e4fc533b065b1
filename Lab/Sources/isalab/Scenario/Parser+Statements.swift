// Statements of one line, but for those about observers and about collections.

extension Parser {
  /// `let p = Person()` or `let list: mutable-array = [1, 2]`.
  mutating func objectDeclaration() throws(Diagnostic) -> Statement.Kind {
    try advance()
    let object = try newName(Text("syntax.noun-object"))
    if token.kind == .sign(":") {
      let type = try type()
      try take("=")
      return .collection(object, type: type, try literal())
    }
    try take("=")
    if token.kind == .sign("[") || token.kind == .sign("{") {
      return .collection(object, type: nil, try literal())
    }
    let cls = try name(Text("syntax.class-or-collection"))
    try take("(")
    try take(")")
    return .object(object, of: cls)
  }

  mutating func poke() throws(Diagnostic) -> Statement.Kind {
    try advance()
    let target = try property()
    try take("=")
    return .poke(target, try literal())
  }

  /// `set p.address.city = "Rome"` or `set p {name: "Ada"}`.
  mutating func keyedSet() throws(Diagnostic) -> Statement.Kind {
    try advance()
    let object = try name(Text("syntax.object-property"))
    guard token.kind == .sign(".") else {
      guard token.kind == .sign("{") else { throw unexpected(Text("syntax.dot-or-dictionary")) }
      return .bulkSet(object, try literal())
    }
    let target = try path(from: object)
    try take("=")
    return .keyedSet(target, try literal())
  }

  mutating func wrapping() throws(Diagnostic) -> Wrapping {
    try advance()
    guard case .word(let word) = token.kind, let wrapping = Wrapping(rawValue: word) else {
      throw unexpected(alternatives(Wrapping.allCases.map(\.rawValue)))
    }
    try advance()
    return wrapping
  }

  /// `when t hears: p.age = 2`, or `whenever t hears: …`.
  mutating func reaction(_ word: String) throws(Diagnostic) -> Statement.Kind {
    try advance()
    let observer = try name(Text("syntax.observer"))
    guard try skip("hears") else { throw unexpected(Text("syntax.hears")) }
    try take(":")
    let inner = try inner(word)
    return word == "when"
      ? .reaction(observer: observer, inner) : .standingReaction(observer: observer, inner)
  }

  /// `repeat 3: p.age = 2`
  mutating func repetition() throws(Diagnostic) -> Statement.Kind {
    try advance()
    guard case .integer(let digits) = token.kind, let count = Int(scenario: digits), count > 0
    else { throw unexpected(Text("syntax.how-often")) }
    try advance()
    try take(":")
    return .repetition(count: count, try inner("repeat"))
  }

  /// `swizzle Person.age as logger`
  mutating func swizzle() throws(Diagnostic) -> Statement.Kind {
    try advance()
    let target = try property()
    guard try skip("as") else { throw unexpected(Text("syntax.as-name")) }
    return .swizzle(target, as: try newName(Text("syntax.noun-method")))
  }

  /// `fault ada {name: "Ada", age: 36}`
  mutating func fault() throws(Diagnostic) -> Statement.Kind {
    try advance()
    let object = try name(Text("syntax.object"))
    guard token.kind == .sign("{") else { throw unexpected(Text("syntax.row")) }
    return .fault(object, try literal())
  }

  /// `on thread p.age = 2`
  mutating func onThread() throws(Diagnostic) -> Statement.Kind {
    try advance()
    guard try skip("thread") else { throw unexpected(Text("syntax.thread")) }
    return .onThread(try inner("on"))
  }

  private mutating func inner(_ word: String) throws(Diagnostic) -> Statement {
    let words = [
      "class", "struct", "let", "observer", "wrap", "when", "whenever", "shared", "expect",
      "swizzle", "fault",
    ]
    // Within a callback another thread may act; within a loop or on that thread none.
    let isMisplaced = ["on", "repeat"].contains(word) ? words + ["on"] : words
    if case .word(let next) = token.kind, isMisplaced.contains(next) || next == word {
      throw problem(
        Text("syntax.cannot-follow", ["what": next, "word": word]),
        Text("syntax.changes-or-observes"))
    }
    let statement = try statement()
    guard case .query = statement.kind else { return statement }
    throw Diagnostic(
      file: file, location: statement.location,
      problem: Text("syntax.question-cannot-follow", ["word": word]),
      expected: Text("syntax.changes-or-observes"))
  }

  mutating func isaQueryOrSwap() throws(Diagnostic) -> Statement.Kind {
    try advance()
    let object = try name(Text("syntax.object-or-class"))
    guard token.kind == .sign("=") else { return .query(.isa(object)) }
    try advance()
    return .swapIsa(object, to: try name(Text("syntax.class")))
  }

  mutating func queryOrAssignment() throws(Diagnostic) -> Statement.Kind {
    let query = try query(Text("syntax.statement"))
    guard case .property(let target) = query, token.kind != .newline, token.kind != .end else {
      return .query(query)
    }
    try take("=", or: Text("syntax.line-end"))
    return .set(target, try literal())
  }
}
