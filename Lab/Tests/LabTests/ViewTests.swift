import Foundation
import Testing

@testable import isalab

@Suite("Views", .serialized, .oneAtATime)
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
