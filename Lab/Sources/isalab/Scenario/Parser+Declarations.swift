// Structs and classes: the statements that span lines.

extension Parser {
  mutating func structDeclaration() throws(Diagnostic) -> StructDeclaration {
    try advance()
    let name = try newName(Text("syntax.noun-struct"))
    let fields = try block { parser throws(Diagnostic) in try parser.field() }
    return StructDeclaration(name: name, fields: fields)
  }

  /// `class Person {` or `class Person : Base {` declares, `class p` asks.
  mutating func classDeclarationOrQuery() throws(Diagnostic) -> Statement.Kind {
    try advance()
    let name = try newName(Text("syntax.noun-class"))
    let words: [Token.Kind] = [.sign("{"), .sign(":"), .word("profile"), .word("private")]
    guard words.contains(token.kind) else { return .query(.claimedClass(name)) }
    var declaration = ClassDeclaration(name: name, properties: [])
    if token.kind == .sign(":") {
      try advance()
      declaration.superclass = try self.name(Text("syntax.superclass"))
    }
    if try skip("profile") { declaration.profile = try profile() }
    if try skip("private") { declaration.isPrivate = true }
    declaration.properties = try block { parser throws(Diagnostic) in
      try parser.propertyDeclaration()
    }
    return .classPair(declaration)
  }

  private mutating func profile() throws(Diagnostic) -> ClassDeclaration.Profile {
    guard case .word(let word) = token.kind, let profile = ClassDeclaration.Profile(rawValue: word)
    else { throw unexpected(alternatives(ClassDeclaration.Profile.allCases.map(\.rawValue))) }
    try advance()
    return profile
  }

  /// Parses `{ member, member … }`; members are parted by commas or new lines.
  private mutating func block<Member>(
    _ member: (inout Parser) throws(Diagnostic) -> Member
  ) throws(Diagnostic) -> [Member] {
    let opening = token
    var members: [Member] = []
    try take("{")
    while true {
      do throws(Diagnostic) {
        try skipNewlines()
        if token.kind == .sign("}") { break }
        if token.kind == .end { break }
        members.append(try member(&self))
        try endMember()
      } catch {
        recoverInBlock(from: error, opening: opening)
      }
    }
    guard token.kind == .sign("}") else {
      throw problem(Text("syntax.brace-open", ["line": opening.location.line]), Text(same: "'}'"))
    }
    try advance()
    return members
  }

  private mutating func endMember() throws(Diagnostic) {
    switch token.kind {
    case .sign(","): try advance()
    case .newline, .sign("}"), .end: break
    default: throw unexpected(Text("syntax.comma-or-end"))
    }
  }

  private mutating func field() throws(Diagnostic) -> FieldDeclaration {
    let name = try newName(Text("syntax.noun-field"))
    guard token.kind == .sign(":") else { throw unexpected(Text("syntax.colon-type")) }
    return FieldDeclaration(name: name, type: try type())
  }

  private mutating func propertyDeclaration() throws(Diagnostic) -> PropertyDeclaration {
    var attributes: [PropertyDeclaration.Attribute] = []
    var name = try newName(Text("syntax.noun-property"))
    if name.text == "ivar", case .word = token.kind {
      attributes.append(.ivar)
      name = try newName(Text("syntax.noun-ivar"))
    }
    guard token.kind == .sign(":") else { throw unexpected(Text("syntax.colon-type")) }
    var property = PropertyDeclaration(name: name, type: try type(), attributes: attributes)
    if token.kind == .sign("=") {
      try advance()
      property.expression = try expression()
    }
    while case .word(let word) = token.kind { property.attributes.append(try attribute(word)) }
    return property
  }

  private mutating func attribute(
    _ word: String
  ) throws(Diagnostic) -> PropertyDeclaration.Attribute {
    let attributes: [String: PropertyDeclaration.Attribute] = [
      "readonly": .readonly, "manual": .manual, "weak": .weak,
    ]
    if let attribute = attributes[word] {
      try advance()
      return attribute
    }
    switch word {
    case "setter": return .setter(try accessorSelector(arguments: 1))
    case "getter": return .getter(try accessorSelector(arguments: 0))
    case "accessors":
      try advance()
      return .accessors(try accessorKinds())
    case "depends":
      try advance()
      guard try skip("on") else { throw unexpected(Text("syntax.on-key-paths")) }
      return .depends(try keyPaths(Text("syntax.key-path")))
    case "triggered":
      try advance()
      guard try skip("by") else { throw unexpected(Text("syntax.by-keys")) }
      return .triggered(try keyPaths(Text("syntax.key")))
    case "valid":
      try advance()
      let least = try literal()
      guard try skip("to") else { throw unexpected(Text("syntax.to-greatest")) }
      return .valid(from: least, to: try literal())
    default:
      throw unexpected(
        Text("syntax.attribute"))
    }
  }

  /// `(insert, remove)`, or nothing; words of the language may be among them.
  private mutating func accessorKinds() throws(Diagnostic) -> [Name] {
    guard token.kind == .sign("(") else { return [] }
    var kinds: [Name] = []
    try advance()
    while token.kind != .sign(")") {
      guard case .word(let word) = token.kind else {
        throw unexpected(Text("syntax.accessor-kind"))
      }
      kinds.append(Name(text: word, location: token.location))
      try advance()
      guard token.kind != .sign(")") else { break }
      try take(",", or: Text(same: "')'"))
    }
    try take(")")
    return kinds
  }

  private mutating func accessorSelector(arguments: Int) throws(Diagnostic) -> String {
    // The selector may hold <Key>, which is no token: read it as raw text, like a type.
    let selector = try type()
    let colons = selector.text.count(where: { $0 == ":" })
    let fits = colons == arguments && (arguments == 0 || selector.text.hasSuffix(":"))
    guard fits else {
      throw Diagnostic(
        file: file, location: selector.location,
        problem: Text(
          arguments == 0 ? "syntax.no-getter" : "syntax.no-setter", ["selector": selector]),
        expected: arguments == 0 ? Text("syntax.no-argument") : Text("syntax.one-argument")
      )
    }
    return selector.text
  }

  // MARK: Computed values

  /// `join(first, " ", last)`, `count(items)`, `items.@sum.price`, `1`.
  private mutating func expression() throws(Diagnostic) -> Expression {
    let location = token.location
    if case .word(let word) = token.kind, let function = Expression.Function(rawValue: word) {
      let beginning = self
      try advance()
      if token.kind == .sign("(") {
        return Expression(function: function, operands: try operands(), location: location)
      }
      self = beginning
    }
    return Expression(function: nil, operands: [try operand()], location: location)
  }

  private mutating func operands() throws(Diagnostic) -> [Expression.Operand] {
    var operands: [Expression.Operand] = []
    try take("(")
    while token.kind != .sign(")") {
      operands.append(try operand())
      guard token.kind != .sign(")") else { break }
      try take(",", or: Text(same: "')'"))
    }
    try take(")")
    return operands
  }

  private mutating func operand() throws(Diagnostic) -> Expression.Operand {
    let values = ["true", "false", "nil", "null"]
    if case .word(let word) = token.kind, !values.contains(word) {
      return .path(try keyPath(Text("syntax.path-or-value")))
    }
    return .literal(try literal())
  }
}
