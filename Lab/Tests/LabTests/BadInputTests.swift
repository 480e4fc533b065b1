import Foundation
import Testing

@testable import isalab

@Suite("Bad input", .serialized, .oneAtATime)
struct BadInputTests {
  private static let preamble = """
    struct Point { x: double, y: double }
    class Person { name: string, age: int8, born: int readonly, home: Point, ok: bool, friend: object
    }
    let p = Person()
    observer o
    observe p.age as t

    """
  private static let firstLine = 7

  @Test(
    "a line that cannot be read is answered with its place and what was expected",
    arguments: [
      ("let = Person()", 5, "unexpected '=', expected a name for the object"),
      (
        "let isa = Person()", 5,
        "'isa' is a word of the language, expected another name for the object"
      ),
      ("let q = Person", 15, "unexpected the end of the line, expected '('"),
      ("p.age 40", 7, "unexpected '40', expected '=' or the end of the line"),
      ("p.age = 1 2", 11, "unexpected '2', expected the end of the line"),
      ("p.name = \"abc", 10, "the text is not closed, expected a closing \" on the same line"),
      ("p.name = \"a\\q\"", 12, "unknown escape '\\q', expected \\n, \\t, \\\" or \\\\"),
      (
        "p.age = 12abc", 9,
        "'12abc' is not a number, expected up to 64 bits, as 40, -1.5, 1e9 or 0x1F"
      ),
      ("; p.age", 1, "unexpected character ';', expected a word, a number or a text"),
      (
        "observe p.age options(old, foo)", 28,
        "unexpected 'foo', expected old, new, initial, prior or retain"
      ),
      ("observe p.age options(old new)", 27, "unexpected 'new', expected ',' or ')'"),
      (
        "observe p.age context x", 23,
        "unexpected 'x', expected a number from 0, which stands for the context pointer"
      ),
      ("remove o from p", 16, "unexpected the end of the line, expected '.'"),
      ("wrap gold", 6, "unexpected 'gold', expected automatic, libffi or apple"),
      ("expect t 0 old 1", 10, "notifications count from 1, expected 1 or more"),
      ("expect isa p", 13, "unexpected the end of the line, expected '==' or '!=' and a value"),
      ("class K { x int }", 13, "unexpected 'int', expected ':' and a type"),
      (
        "class K { x: int oops }", 18,
        """
        unexpected 'oops', expected readonly, manual, weak, setter SELECTOR, getter SELECTOR, \
        accessors, depends on (…), triggered by (…), valid … to … or the end of the line
        """
      ),
      (
        "class K { x: int setter foo }", 25,
        "'foo' is no setter's selector, expected one argument, as in setIs<Key>:"
      ),
    ])
  func syntax(_ line: String, _ column: Int, _ message: String) {
    expect(line, column, message)
  }

  @Test(
    "a name that nothing bears, a type or a value that does not fit, is found before anything runs",
    arguments: [
      (
        "let q = Persn()", 9, "unknown class 'Persn', expected Person, or a declaration of it above"
      ),
      (
        "class K : Persn {}", 11,
        "unknown class 'Persn', expected Person, or a declaration of it above"
      ),
      ("let p = Person()", 5, "'p' is taken already, expected a name of its own"),
      ("class Person {}", 7, "'Person' is taken already, expected a name of its own"),
      ("class Dictionary {}", 7, "'Dictionary' is taken already, expected a name of its own"),
      ("q.age = 1", 1, "unknown object 'q', expected o or p"),
      (
        "p.agee = 1", 3,
        "Person has no property 'agee', expected name, age, born, home, ok or friend"
      ),
      (
        "p.born = 1", 3,
        "'born' is read-only, expected a property with a setter, or 'poke', which writes the ivar"
      ),
      ("p.age = 128", 9, "128 does not fit here, expected a whole number from -128 to 127"),
      ("p.age = 1.5", 9, "1.5 does not fit here, expected a whole number from -128 to 127"),
      ("p.ok = 1", 8, "1 does not fit here, expected true or false"),
      ("p.name = 1", 10, "1 does not fit here, expected an object's name, a text in quotes or nil"),
      ("p.name = o", 10, "o does not fit here, expected a text in quotes or nil for a string"),
      (
        "p.friend = q", 12,
        "q does not fit here, expected a number, a collection, an object's name, a text in quotes or nil"
      ),
      ("p.home = 1", 10, "1 does not fit here, expected 2 values in ( ): x, y"),
      ("p.home = (1, 2, 3)", 10, "(1, 2, 3) does not fit here, expected 2 values in ( ): x, y"),
      ("p.home = (x: 1, z: 2)", 17, "'z' is not the field's name, expected 'y:'"),
      ("p.home = (1, true)", 14, "true does not fit here, expected a number"),
      ("remove u", 8, "unknown observer 'u', expected t"),
      ("remove p", 8, "unknown observer 'p' (an object is removed 'from' a property), expected t"),
      ("expect u count 1", 8, "unknown observer 'u', expected t, o or p"),
      (
        "expect t last new 300", 19,
        "300 does not fit here, expected a whole number from -128 to 127"
      ),
      ("expect retain-count p == \"a\"", 26, "\"a\" does not fit here, expected a number"),
      ("isa Persn", 5, "'Persn' is no object and no class, expected o, p or Person"),
      (
        "class K { x: strin }", 14,
        "unknown type 'strin', expected int, double, string, Point, K, Person, a class declared above or an encoding such as {Point=dd}"
      ),
      (
        "class K { x: {P=dd }", 14,
        "the type is not closed, expected as many closing brackets as opening"
      ),
      (
        "class K { x: (U=id) }", 14,
        "libffi cannot pass '(U=id)', expected a type that a setter can take by value"
      ),
      ("class K { x: int, x: int }", 19, "'x' is a property of K already, expected another name"),
      (
        "class K { dealloc: int }", 11,
        "every object answers to 'dealloc' already, expected another name"
      ),
      ("class K { x: int weak }", 14, "weak int, expected an object's type for a weak property"),
      (
        "observe p.age options(retain)", 9,
        "there is no object to retain, expected 'by OBSERVER' with the option retain"
      ),
    ])
  func meaning(_ line: String, _ column: Int, _ message: String) {
    expect(line, column, message)
  }

  @Test(
    "a value or a type nested deeper than any type is refused at the bracket that is one too many",
    arguments: [
      ("p.home = ", "(", 2000, "value"), ("p.home = ", "[", 200_000, "value"),
      ("class K { x: ", "{", 200_000, "type"), ("class K { x: ", "[", 64, "type"),
      ("expect p.home == ", "(", 64, "value"), ("expect t last new ", "[", 64, "value"),
    ])
  func nesting(_ start: String, _ bracket: String, _ count: Int, _ what: String) {
    expect(
      start + String(repeating: bracket, count: count) + " }", start.count + 64,
      "the \(what) is nested too deep, expected at most 63 brackets inside each other")
  }

  @Test("structs nested deeper than a type may be are refused where one is too many")
  func nestedStructs() {
    let structs = (1...70).map { "struct S\($0) { a: S\($0 - 1) }\n" }.joined()
    let (code, output) = runScenario("struct S0 { a: int }\n" + structs)
    #expect(code == 2)
    #expect(
      output.err.first?.hasPrefix(
        "test.kvo:64:8: struct S63 is nested too deep, expected at most 63 structs and arrays")
        == true)
  }

  @Test("structs that double the one before are refused where the encoding grows too long")
  func doubledStructs() {
    let structs = (1...30).map { "struct S\($0) { a: S\($0 - 1), b: S\($0 - 1) }\n" }.joined()
    let (code, output) = runScenario("struct S0 { a: int }\n" + structs)
    #expect(code == 2)
    #expect(
      output.err.first?.split(separator: "\n").first
        == "test.kvo:10:20: the encoding of struct S9 grows too long with this field, expected fewer or smaller fields: at most 4096 characters in all"
    )
  }

  @Test(
    "a struct or class whose name would read as another type is refused",
    arguments: [
      ("struct B { x: int }", "'B' is a type encoding already"),
      ("class C {}", "'C' is a type encoding already"),
      ("struct rd { x: int }", "'rd' is a type encoding already"),
    ])
  func ambiguousName(_ line: String, _ problem: String) {
    let column = line.hasPrefix("class") ? 7 : 8
    expect(line, column, problem + ", expected a name that is none, such as a longer one")
  }

  @Test("a struct that is declared below its use is unknown, its name a letter and a digit or not")
  func usedTooEarly() {
    let (code, output) = runScenario("struct S2 { a: S1 }\nstruct S1 { x: int }\n")
    #expect(code == 2)
    #expect(output.err.first?.hasPrefix("test.kvo:1:16: unknown type 'S1', expected ") == true)
  }

  @Test(
    "a number beyond its type's range is refused",
    arguments: [
      ("double", "1e999", "1.7976931348623157e+308"),
      ("double", "-1e999", "1.7976931348623157e+308"),
      ("float", "1e39", "3.4028235e+38"), ("long-double", "1e999", "1.7976931348623157e+308"),
    ])
  func outOfRange(_ type: String, _ literal: String, _ most: String) {
    let (code, output) = runScenario("class K { x: \(type) }\nlet k = K()\nk.x = \(literal)\n")
    #expect(code == 2)
    #expect(
      output.err == [
        "test.kvo:3:7: \(literal) does not fit here, expected a number from -\(most) to \(most)"
      ])
  }

  @Test(
    "what would steer the terminal is shown written out",
    arguments: [
      "p.name = \"\u{1B}[31m\"\np.name",
      "p.name = \"\u{1B}[31m\"\nexpect p.name == \"\u{7F}\u{9B}\"",
      "p.age = \"\u{1B}\"", "p.age = \"\u{1B}", "let \"\r\u{7}\"", "\u{1B}", "p.age = 1 # \u{1B}",
      "class K { x: {\u{1B}[31mP=d} }", "class K { x: int setter set\u{1B}: }",
    ])
  func controls(_ lines: String) {
    let (_, output) = runScenario(
      BadInputTests.preamble + lines + "\n", file: "\u{1B}.kvo", TextOptions(showsTrace: true))
    let shown = (output.out + output.err).joined()
    #expect(!shown.isEmpty)
    let controls = shown.unicodeScalars.filter { $0.properties.generalCategory == .control }
    #expect(controls.allSatisfy { $0 == "\n" })
  }

  @Test("a text's control characters are shown in the way of \\u{1B}")
  func escapes() {
    let lines = "class K { x: string }\nlet k = K()\nk.x = \"a\u{1B}\\n\"\nexpect k.x == \"b\"\n"
    let (_, output) = runScenario(lines)
    #expect(output.text.contains("k.x = \"a\\u{1B}\\n\""))
    #expect(output.err == ["test.kvo:4:1: it is \"a\\u{1B}\\n\", expected \"b\""])
  }

  private func expect(_ line: String, _ column: Int, _ message: String) {
    let before = liveCounts()
    let (code, output) = runScenario(BadInputTests.preamble + line + "\n")
    #expect(code == 2)
    #expect(output.out == [])
    #expect(output.err == ["test.kvo:\(BadInputTests.firstLine):\(column): \(message)"])
    #expect(liveCounts() == before)
  }

  @Test("all mistakes of a scenario are told at once")
  func several() {
    let (code, output) = runScenario("let = A()\nclass K {\n  x int\n  y: int\n  z\n}\nwrap\n")
    #expect(code == 2)
    #expect(
      output.err.joined().split(separator: "\n").map { $0.prefix { $0 != " " } } == [
        "test.kvo:1:5:", "test.kvo:3:5:", "test.kvo:5:4:", "test.kvo:7:5:",
      ])
  }

  @Test("an object that was released cannot be used any more")
  func released() {
    let (code, output) = runScenario("class K { x: int }\nlet c = K()\nrelease c\nc.x = 1\n")
    #expect(code == 2)
    #expect(
      output.err == [
        "test.kvo:4:1: 'c' was released in line 3, expected an object that is still held"
      ])
  }

  @Test("what the runtime refuses stops the run, unless the next line expects it")
  func refusal() {
    let lines = "class K { x: int }\nlet c = K()\nobserver o\nremove o from c.x\n"
    let (code, output) = runScenario(lines + "c.x = 1\n")
    #expect(code == 2)
    #expect(output.err.first?.hasPrefix("test.kvo:4:1: NSRangeException: ") == true)
    #expect(
      output.err.first?.hasSuffix(
        ", expected 'expect error NSRangeException' in the next line if this is meant") == true)
    #expect(runScenario(lines + "expect error NSRangeException\nc.x = 1\n").code == 0)
  }

  @Test("an expectation that is not met is told with its place, and the exit code is 1")
  func brokenExpectation() {
    let lines = "class K { x: int }\nlet c = K()\nc.x = 1\nexpect c.x == 2\nexpect c.x == 1\n"
    let (code, output) = runScenario(lines)
    #expect(code == 1)
    #expect(output.err == ["test.kvo:4:1: it is 1, expected 2"])
    #expect(output.out.last == "1 of 2 expectations not met")
  }

  @Test(
    "what is not as expected is told in words",
    arguments: [
      ("expect c.x != 1", "it is 1, expected anything else"),
      ("expect isa c == K", "it is NSKVONotifying_K, expected K"),
      ("expect t count 2", "t heard 1 notification, expected 2"),
      ("expect no notification", "1 notification, expected 0"),
      ("expect error NSRangeException", "there is no error, expected NSRangeException"),
      ("expect t 2 new 1", "t heard 1, expected a notification number 2"),
      ("expect t last prior", "it is of kind change, expected prior"),
      ("expect t last key y", "its key is x, expected y"),
      ("expect t last context 1", "its context is 0, expected 1"),
      ("expect t last old 5", "its old is 0, expected 5"),
      ("expect t last new absent", "its new is 1, expected none"),
      ("expect methods c lacks setX:", "NSKVONotifying_K itself has setX:, expected none"),
      ("expect methods c has x", "NSKVONotifying_K itself has not x, expected one"),
      ("expect imp c setX: == closure", "it is thunk, expected closure"),
    ])
  func difference(_ line: String, _ message: String) {
    let lines = "class K { x: int }\nlet c = K()\nobserve c.x as t\nc.x = 1\n" + line + "\n"
    let (code, output) = runScenario(lines)
    #expect(code == 1)
    #expect(output.err == ["test.kvo:5:1: \(message)"])
  }

  @Test("a scenario cut off anywhere is answered with places inside it")
  func cutOff() {
    let text =
      BadInputTests.preamble + """
        p.home = (x: 1, y: [2])
        expect t last old "a\\n" new 1e9
        class K profile apple private { a: int = sum(b, 1) depends on (b), ivar b: int valid 0 to 9 }
        let l: mutable-array = [1, {a: [2], "b": {3}}]
        insert [1] into p.items at (0, 2) by accessor
        when t hears: union p.tags with {1, nil}
        expect get p.items.@sum.price != {:}

        """
    for length in 0..<text.count {
      let prefix = String(text.prefix(length))
      let lines = prefix.split(separator: "\n", omittingEmptySubsequences: false)
      do throws(DiagnosticList) {
        _ = try Checker.check(try Parser.parse(prefix, file: "test.kvo"))
      } catch {
        for diagnostic in error.diagnostics {
          let line = diagnostic.location.line
          #expect(line <= lines.count)
          #expect(diagnostic.location.column <= lines[line - 1].count + 1)
        }
      }
    }
  }

  @Test("a scenario is read from a pipe as from a file, a folder is none")
  func pipe() throws {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data("class K { x: int }\n".utf8))
    pipe.fileHandleForWriting.closeFile()
    let name = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    #expect(try ScenarioFile(name: name).text() == "class K { x: int }\n")
    #expect(throws: DiagnosticList.self) { try ScenarioFile(name: "/").text() }
  }

  @Test("what is no text is told where it stands, what is no file as what it is")
  func unreadable() throws {
    let room = try TemporaryFolder()
    let file = room.file("latin.kvo")
    try Data("class K { x: int }\nlet k = K() # caf".utf8 + [0xE9, 0x0A]).write(to: file)
    let reasons = [
      (file.path, "2:18: cannot be read: a byte that is no text"),
      (room.url.path, "1:1: cannot be read: it is a folder"),
      (room.file("none").path, "1:1: cannot be read: there is no such file"),
      ("/dev/zero", "1:1: cannot be read: it is too long"),
    ]
    for (name, reason) in reasons {
      let output = Output()
      let run = ScenarioRun(options: TextOptions(), console: output.console)
      #expect(run.run(files: [name]) == 2)
      #expect(output.err.first?.hasPrefix("\(name):\(reason), expected") == true)
    }
  }

  @Test("of many mistakes, and of a long one, only the beginning is told")
  func many() {
    let lines = Array(repeating: "let a = Nothing()", count: 50).joined(separator: "\n")
    let errors = runScenario(lines).output.err.joined(separator: "\n").split(separator: "\n")
    #expect(errors.count == 21 && errors.last == "… and 30 more")
    let long = runScenario("let a = " + String(repeating: "K", count: 5000) + "()").output.err
    #expect(long.count == 1 && long[0].count < 1300)
  }

  @Test("a range that no number is in is refused")
  func emptyRange() {
    let (code, output) = runScenario("class K { x: int valid 5 to 1 }")
    #expect(code == 2)
    #expect(output.err.first?.hasPrefix("test.kvo:1:29: no number is from 5 to 1") == true)
  }
}
