import Foundation
import Testing

@testable import IsaKVOPort

/// Findings, and files that are left alone.
@Suite struct FindingTests {
  private static let folder = Folder.fixtures.appendingPathComponent("Reported")

  private func reported(moved: Bool = false) throws -> PortedFile {
    let text = try read(Self.folder.appendingPathComponent("Reported.swift"))
    return port([("Reported.swift", text)], moved: moved)[0]
  }

  @Test("each thing that is left is told with its place, its reason and what to write")
  func reports() throws {
    let report = Report(Port(files: [try reported()]), isWritten: false)
    let expected = try read(Self.folder.appendingPathComponent("Reported.txt"))
    #expect(report.lines + report.closing == expected)
    #expect(report.exitCode == 1)
  }

  @Test("what was reported is reported again once the edits are made, at its new place")
  func reportsAgain() throws {
    let first = try reported(moved: true)
    let second = port([("Reported.swift", first.text)])[0]
    #expect(!second.isChanged)
    let lasting = first.findings.filter { !$0.what.contains("of the class itself") }
    #expect(second.findings == lasting)
  }

  @Test(
    "a file whose syntax is wrong is left alone, and the first wrong place is told",
    arguments: [
      ("class A: NSObject {\n  @objc dynamic var a = 1\n", "2:26"), ("let a = (1\n", "1:11"),
      ("class A: NSObject { @objc dynamic var = 1 }", "1:39"), ("let s = \"open\n", "1:14"),
      ("func f( {}\n", "1:9"), ("}\n", "1:1"),
    ])
  func leavesWrong(_ text: String, _ place: String) {
    let file = port(text)
    #expect(!file.isChanged)
    #expect(file.places == ["\(place) error syntax"])
  }

  @Test("a file that is wrong keeps no other from being ported")
  func portsOthers() {
    let files = port([
      ("A.swift", "}"), ("B.swift", "class B: NSObject { @objc dynamic var b = 1 }"),
    ])
    #expect(files.map(\.isChanged) == [false, true])
    #expect(Report(Port(files: files), isWritten: false).exitCode == 3)
  }

  @Test("a file that is not UTF-8 is left alone")
  func leavesForeign() {
    let file = Porter().port([.init(path: "A.swift", bytes: [0x41, 0xFF])]).files[0]
    #expect(file.places == ["1:1 error file"])
    #expect(file.after == [0x41, 0xFF])
  }

  @Test("an error says the whole line that the reader needs")
  func saysLine() {
    #expect(
      port("let a = 1 }\n").findings.map(\.text) == [
        "A.swift:1:11: error: “}” is not expected here; the file is left as it is"
      ])
  }

  @Test("a receiver is known by the declaration of its name")
  func knowsReceivers() {
    let head = "class A: NSObject { @objc dynamic var a = 1 }\n"
    let progress =
      head + "let p = Progress(totalUnitCount: 1)\nlet t = p.observe(\\.isFinished) { _, _ in }"
    #expect(port(progress).places == ["3:9 todo foundation-observable"])
    let own = head + "let p = A()\nlet t = p.observe(\\.a) { _, _ in }"
    #expect(port(own).places == [])
  }
}
