// Questions, and the key paths in them.

extension Parser {
  /// Parses a question to the runtime; `expected` describes it where there is none.
  mutating func query(_ expected: Text) throws(Diagnostic) -> Query {
    guard case .word(let word) = token.kind else { throw unexpected(expected) }
    if !Parser.reservedWords.contains(word) {
      let object = try name(Text("syntax.object"))
      guard token.kind == .sign(".") else {
        throw Diagnostic(
          file: lexer.file, location: object.location,
          problem: Text("syntax.begins-nothing", ["name": object]),
          expected: expected)
      }
      return .property(try path(from: object))
    }
    return try keywordQuery(word, expected)
  }

  private mutating func keywordQuery(
    _ word: String, _ expected: Text
  ) throws(Diagnostic) -> Query {
    let start = token
    try advance()
    switch word {
    case "isa": return .isa(try name(Text("syntax.object-or-class")))
    case "class": return .claimedClass(try name(Text("syntax.object-or-class")))
    case "superclass": return .superclass(try name(Text("syntax.object-or-class")))
    case "methods": return .methods(try name(Text("syntax.object-or-class")))
    case "imp":
      let subject = try name(Text("syntax.object-or-class"))
      return .implementation(subject, selector: try selector())
    case "retain-count": return .retainCount(try name(Text("syntax.object")))
    case "registrations": return .registrations(try name(Text("syntax.object")))
    case "alive": return .alive(try name(Text("syntax.object")))
    case "get": return try keyedQuery()
    case "validate":
      let target = try property()
      return .validation(target, try literal())
    case "affected": return .affected(try property())
    case "affecting": return .affecting(try property())
    case "closure": return .closure(try property())
    case "pending": return .pending(try name(Text("syntax.object")))
    default:
      token = start
      throw unexpected(expected)
    }
  }

  /// `get p.items.@sum.price` or `get p (name, age)`.
  private mutating func keyedQuery() throws(Diagnostic) -> Query {
    let object = try name(Text("syntax.object-property"))
    guard token.kind == .sign("(") else { return .keyed(try path(from: object)) }
    return .bulk(object, keys: try keyPaths(Text("syntax.key")))
  }

  /// Key paths in brackets, with commas between them.
  mutating func keyPaths(_ expected: Text) throws(Diagnostic) -> [Name] {
    var paths: [Name] = []
    try take("(")
    while token.kind != .sign(")") {
      paths.append(try keyPath(expected))
      guard token.kind != .sign(")") else { break }
      try take(",", or: Text(same: "')'"))
    }
    try take(")")
    return paths
  }

  /// `address.city` or `"address.city"`, as one name.
  mutating func keyPath(_ expected: Text) throws(Diagnostic) -> Name {
    let location = token.location
    if case .text(let text) = token.kind {
      try advance()
      return Name(text: text, location: location, isQuoted: true)
    }
    let keys = try keys(expected)
    return Name(text: keys.map(\.text).joined(separator: "."), location: location)
  }

  private mutating func keys(_ expected: Text) throws(Diagnostic) -> [Name] {
    var keys = [try key(expected)]
    while token.kind == .sign(".") {
      try advance()
      keys.append(try key(expected))
    }
    return keys
  }

  /// A name, or an operator such as `@sum`.
  private mutating func key(_ expected: Text) throws(Diagnostic) -> Name {
    guard case .word(let word) = token.kind, word.hasPrefix("@") else { return try name(expected) }
    let key = Name(text: word, location: token.location)
    try advance()
    return key
  }

  mutating func property() throws(Diagnostic) -> PropertyReference {
    try path(from: try name(Text("syntax.object-property")))
  }

  /// The `.address.city` or `."address.city"` behind an object.
  mutating func path(from object: Name) throws(Diagnostic) -> PropertyReference {
    try take(".")
    let location = token.location
    if case .text(let text) = token.kind {
      try advance()
      let key = Name(text: text, location: location, isQuoted: true)
      return PropertyReference(object: object, keys: [key])
    }
    return PropertyReference(object: object, keys: try keys(Text("syntax.property")))
  }
}
