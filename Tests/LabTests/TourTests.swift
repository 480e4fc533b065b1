import Foundation
import Testing

@testable import isalab

@Suite("The tour", .serialized)
struct TourTests {
  private func tour(_ options: TextOptions = TextOptions()) -> (code: Int32, output: Output) {
    let output = Output()
    let code = TourRun(options: options, console: output.console).run()
    return (code, output)
  }

  @Test("reads as recorded, and all that it says of itself is so")
  func transcript() throws {
    let before = liveCounts()
    let (code, output) = tour()
    #expect(code == 0)
    #expect(output.err == [])
    #expect(try matchesTranscript(output.text, "tour"))
    #expect(liveCounts() == before)
  }

  @Test("fits a terminal of 80 columns")
  func width() {
    #expect(tour().output.out.filter { $0.count > 80 } == [])
  }

  @Test("shows addresses and machine code, or says why not, only when asked for")
  func real() {
    let plain = tour().output.text
    let real = tour(TextOptions(showsAddresses: true)).output.text
    #expect(!plain.contains("0x"))
    #expect(real.contains(" at 0x"))
  }

  @Test("every step belongs to one lesson")
  func coverage() throws {
    let program = try Checker.check(try Parser.parse(Tour.scenario, file: "tour"))
    let ranges = Tour.lessons.indices.map { Tour.lineRange(ofLesson: $0) }
    for statement in program.scenario.statements {
      #expect(ranges.filter { $0.contains(statement.location.line) }.count == 1)
    }
  }
}

@Suite("Views")
struct ViewTests {
  @Test("NO_COLOR, a dumb terminal and a pipe get no colour")
  func colour() {
    #expect(TextStyle.suited(isTerminal: true, environment: [:]).isColoured)
    #expect(TextStyle.suited(isTerminal: true, environment: ["NO_COLOR": ""]).isColoured)
    #expect(!TextStyle.suited(isTerminal: true, environment: ["NO_COLOR": "1"]).isColoured)
    #expect(!TextStyle.suited(isTerminal: true, environment: ["TERM": "dumb"]).isColoured)
    #expect(!TextStyle.suited(isTerminal: false, environment: [:]).isColoured)
  }

  @Test("colour adds nothing but escape sequences")
  func colourOnly() {
    let lines = "class K { x: int }\nlet c = K()\nobserve c.x as t\nc.x = 1\nexpect t count 1\n"
    let coloured = runScenario(lines, TextOptions(style: TextStyle(isColoured: true))).output.text
    let plain = runScenario(lines).output.text
    #expect(coloured.contains("\u{1B}["))
    #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
  }

  @Test("paragraphs break between words")
  func wrapping() {
    #expect(wrapped("one two three", width: 7) == ["one two", "three"])
    #expect(wrapped("incomprehensibility", width: 7) == ["incomprehensibility"])
    #expect(wrapped("one two", width: 6, indent: "  ") == ["  one", "  two"])
  }

  @Test("without objdump, or without code to show, a line says so")
  func noObjdump() {
    let install = ["(install objdump, of the package binutils, to see the machine code)"]
    #expect(Disassembly.lines(of: [0xC3], at: 0, searchPath: "/no/such/folder") == install)
    let unread = ["(this system does not let a process read its code)"]
    #expect(Disassembly.lines(of: [], at: 0) == unread)
  }

  @Test("machine code ends with the first instruction that leaves, or with dots")
  func instructions() {
    let output = """
      Disassembly of section .data:

      0000000000001000 <.data>:
          1000:\tf3 0f 1e fa          \tendbr64
          1004:\tc3                   \tret
          1005:\t90                   \tnop
      """
    #expect(Disassembly.instructions(in: output) == ["1000: endbr64", "1004: ret"])
    #expect(Disassembly.instructions(in: output, limit: 1) == ["1000: endbr64", "…"])
  }
}
