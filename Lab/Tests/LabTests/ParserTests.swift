import Testing

@testable import isalab

@Suite("Reading scenarios")
struct ParserTests {
  private func kind(_ line: String) throws -> Statement.Kind {
    try #require(try Parser.parse(line, file: "test.kvo").statements.first).kind
  }

  private func property(_ line: String) throws -> PropertyDeclaration {
    guard case .classPair(let declaration) = try kind("class K {\n\(line)\n}") else {
      throw Diagnostic(
        file: "", location: SourceLocation(line: 1, column: 1), problem: Text(same: ""),
        expected: Text(same: ""))
    }
    return try #require(declaration.properties.first)
  }

  @Test("comments and empty lines are no statements")
  func comments() throws {
    let scenario = try Parser.parse("# one\n\n   # two\nisa p # three\n", file: "test.kvo")
    #expect(scenario.statements.map(\.text) == ["isa p"])
    #expect(scenario.statements.first?.location == SourceLocation(line: 4, column: 1))
  }

  @Test("a # inside a text begins no comment")
  func textWithHash() throws {
    let scenario = try Parser.parse(#"p.name = "a # b" # c"#, file: "test.kvo")
    #expect(scenario.statements.map(\.text) == [#"p.name = "a # b""#])
  }

  @Test("lines may end as on any system", arguments: ["\n", "\r\n", "\r"])
  func lineEnds(_ end: String) throws {
    let scenario = try Parser.parse("isa p\(end)isa q\(end)", file: "test.kvo")
    #expect(scenario.statements.map(\.location.line) == [1, 2])
  }

  @Test(
    "a form feed and the like end no line",
    arguments: ["\u{0B}", "\u{0C}", "\u{85}", "\u{2028}"] as [Character])
  func noLineEnds(_ character: Character) throws {
    let text = "# one\(character) comment\nisa p"
    let scenario = try Parser.parse(text, file: "test.kvo")
    #expect(scenario.statements.map(\.location.line) == [2])
    #expect(text.sourceLines.count == 2)
    let list = #expect(throws: DiagnosticList.self) {
      try Parser.parse("isa p\(character)isa q", file: "test.kvo")
    }
    #expect(list?.diagnostics.map(\.location.line) == [1])
  }

  @Test("a class's properties may stand on lines of their own or between commas")
  func separators() throws {
    let inLines = try kind("class K {\n a: int\n b: bool\n}")
    let inLine = try kind("class K { a: int, b: bool }")
    guard case .classPair(let first) = inLines, case .classPair(let second) = inLine else {
      Issue.record("no class")
      return
    }
    #expect(first.properties.map(\.name.text) == ["a", "b"])
    #expect(second.properties.map(\.type.text) == ["int", "bool"])
  }

  @Test(
    "a type may be a word or a raw encoding",
    arguments: [
      "int", "long-double", "{CGRect={CGPoint=dd}{CGSize=dd}}", "^v", "[4i]", "@",
      "{P=\"x\"d\"y\"d}",
    ])
  func types(_ type: String) throws {
    #expect(try property("p: \(type)").type.text == type)
    #expect(try property("p: \(type)   readonly # comment").isReadonly)
  }

  @Test(
    "a setter's selector may leave the key open",
    arguments: [
      ("", "setOpen:"), ("setter _set<Key>:", "_setOpen:"), ("setter setIs<Key>:", "setIsOpen:"),
      ("setter change:", "change:"),
    ])
  func setters(_ attribute: String, _ selector: String) throws {
    #expect(try property("open: bool \(attribute)").setter == selector)
  }

  @Test("a read-only property has no setter")
  func readonly() throws {
    #expect(try property("open: bool readonly").setter == nil)
  }

  @Test("observing without options asks for old and new, with empty ones for neither")
  func options() throws {
    guard case .observe(let usual) = try kind("observe p.age"),
      case .observe(let none) = try kind("observe p.age options()"),
      case .observe(let all) = try kind(
        "observe p.age by o options(old, new, initial, prior, retain) context 7")
    else {
      Issue.record("no observe")
      return
    }
    #expect(usual.options == [.old, .new])
    #expect(none.options == [])
    #expect(all.options == Set(ObserveStatement.Option.allCases))
    #expect(all.context == 7)
    #expect(all.observer?.text == "o")
  }

  @Test("class begins a declaration before a bracket or a colon, else a question")
  func classWord() throws {
    guard case .query(.claimedClass(let name)) = try kind("class p") else {
      Issue.record("no question")
      return
    }
    #expect(name.text == "p")
  }

  @Test(
    "values read back as they were written",
    arguments: [
      "40", "-1.5", "1e9", "0x1F", "true", "nil", "\"text\"", "ada", "setAge:", "insertObject:in:",
      "(1, 2)", "(x: 1, y: (2, 3))", "[1, 2]", "()", "{1, 2}", "{}", "{:}",
      "{a: 1, \"b c\": [{2}]}",
      "null",
    ])
  func literals(_ text: String) throws {
    guard case .set(_, let literal) = try kind("p.v = \(text)") else {
      Issue.record("no assignment")
      return
    }
    #expect(literal.description == text)
  }

  @Test(
    "a path may be keys, operators, or a text in quotes",
    arguments: [
      ("p.a", 1), ("p.a.b", 2), ("p.items.@sum.price", 3), ("p.\"a..b\"", 1), ("p.\"\"", 1),
    ])
  func paths(_ text: String, _ count: Int) throws {
    guard case .query(.keyed(let reference)) = try kind("get " + text) else {
      Issue.record("no question")
      return
    }
    #expect(reference.keys.count == count)
    #expect(reference.description == text)
    #expect(reference.isQuoted == text.contains("\""))
  }

  @Test(
    "an edit says what, where and by which way",
    arguments: [
      ("insert x into p.items at 0", Edit.Kind.insert, [0], Edit.Way.proxy),
      ("insert [x, y] into p.items at (0, 2) by accessor", .insert, [0, 2], .accessor),
      ("remove from p.items at 1 by ivar", .remove, [1], .ivar),
      ("replace in p.items at 1 with x", .replace, [1], .proxy),
      ("add x to p.items", .add, [], .proxy),
      ("remove object x from p.tags", .removeObject, [], .proxy),
      ("union p.tags with {1}", .union, [], .proxy), ("minus p.tags with {1}", .minus, [], .proxy),
      ("intersect p.tags with {1}", .intersect, [], .proxy),
      ("fill p.tags with {1}", .fill, [], .proxy),
    ])
  func edits(_ line: String, _ kind: Edit.Kind, _ indexes: [UInt], _ way: Edit.Way) throws {
    guard case .edit(let edit) = try self.kind(line) else {
      Issue.record("no edit")
      return
    }
    #expect(edit.kind == kind)
    #expect(edit.indexes?.indexes ?? [] == indexes)
    #expect(edit.way == way)
  }

  @Test("what a property is computed from, and what it depends on, are paths")
  func computed() throws {
    let property = try property(
      "total: double = sum(tax, items.@sum.price, 1) depends on (tax, items)")
    #expect(property.expression?.function == .sum)
    #expect(property.expression?.operands.count == 3)
    #expect(property.isReadonly)
    #expect(property.ivarName == nil)
    let plain = try self.property("count: int = count")
    #expect(plain.expression?.function == nil)
  }

  @Test("an expectation about a notification names only what it cares about")
  func pattern() throws {
    let line = "expect t 2 prior key age old nil new absent context 3"
    guard case .expect(let expectation) = try kind(line),
      case .notification(let observer, let pattern) = expectation.kind
    else {
      Issue.record("no notification")
      return
    }
    #expect(observer.text == "t")
    #expect(pattern.position == .number(2))
    #expect(pattern.phase == .prior)
    #expect(pattern.key?.text == "age")
    #expect(pattern.new == .absent)
    #expect(pattern.context == 3)
  }
}
