// Structs and classes: the statements that span lines.

extension Parser {
  mutating func structDeclaration() throws(Diagnostic) -> StructDeclaration {
    try advance()
    let name = try newName("struct")
    let fields = try block { parser throws(Diagnostic) in try parser.field() }
    return StructDeclaration(name: name, fields: fields)
  }

  /// `class Person {` or `class Person : Base {` declares, `class p` asks.
  mutating func classDeclarationOrQuery() throws(Diagnostic) -> Statement.Kind {
    try advance()
    let name = try newName("class")
    guard token.kind == .sign("{") || token.kind == .sign(":") else {
      return .query(.claimedClass(name))
    }
    var superclass: Name?
    if token.kind == .sign(":") {
      try advance()
      superclass = try self.name("a superclass")
    }
    let properties = try block { parser throws(Diagnostic) in try parser.propertyDeclaration() }
    return .classPair(
      ClassDeclaration(name: name, superclass: superclass, properties: properties))
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
      throw problem("the '{' of line \(opening.location.line) is not closed", "'}'")
    }
    try advance()
    return members
  }

  private mutating func endMember() throws(Diagnostic) {
    switch token.kind {
    case .sign(","): try advance()
    case .newline, .sign("}"), .end: break
    default: throw unexpected("',', '}' or the end of the line")
    }
  }

  private mutating func field() throws(Diagnostic) -> FieldDeclaration {
    let name = try newName("field")
    guard token.kind == .sign(":") else { throw unexpected("':' and a type") }
    return FieldDeclaration(name: name, type: try type())
  }

  private mutating func propertyDeclaration() throws(Diagnostic) -> PropertyDeclaration {
    let name = try newName("property")
    guard token.kind == .sign(":") else { throw unexpected("':' and a type") }
    let type = try type()
    var attributes: [PropertyDeclaration.Attribute] = []
    while case .word(let word) = token.kind { attributes.append(try attribute(word)) }
    return PropertyDeclaration(name: name, type: type, attributes: attributes)
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
    guard word == "setter" else {
      throw unexpected("readonly, manual, weak, setter SELECTOR or the end of the line")
    }
    return .setter(try setterSelector())
  }

  private mutating func setterSelector() throws(Diagnostic) -> String {
    // The selector may hold <Key>, which is no token: read it as raw text, like a type.
    let selector = try type()
    guard selector.text.hasSuffix(":"), selector.text.count(where: { $0 == ":" }) == 1 else {
      throw Diagnostic(
        file: file, location: selector.location,
        problem: "'\(selector)' is no setter's selector",
        expected: "one argument, as in setIs<Key>:")
    }
    return selector.text
  }
}
