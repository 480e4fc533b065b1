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

  @Test(
    "a class property is reported that has the name of one of KVObject's",
    arguments: [
      "static let keys = [\"a\"]", "static var keys: [String] { [] }", "class var keys: Int { 1 }",
      "private static let profile = 1",
    ])
  func reportsClassProperties(_ property: String) {
    let text = "class A: NSObject {\n  @objc dynamic var a: Int { 1 }\n  \(property)\n}\n"
    let file = port(text)
    #expect(file.places == ["3:3 todo declared-keys"])
    // The library's declarations are written all the same.
    #expect(file.text.contains("[.key(\"a\", \\A.a)]"))
    #expect(port(file.text).findings.map(\.what) == file.findings.map(\.what))
    #expect(!port(file.text).isChanged)
    #expect(port("class A: NSObject {\n  \(property)\n}\n").places == [])
  }

  @Test(
    "an override in an extension is reported",
    arguments: [
      "override var description: String { \"\" }",
      "override func isEqual(_ object: Any?) -> Bool { true }",
      "@objc override var a: Int { 1 }",
      "override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }",
    ])
  func reportsOverridesInExtensions(_ member: String) {
    let files = port([
      ("A.swift", "class A: NSObject {\n  @objc dynamic var b = 1\n}\n"),
      ("B.swift", "extension A {\n  \(member)\n}\n"),
    ])
    let column = member.hasPrefix("@") ? 9 : 3
    #expect(files.map(\.places) == [[], ["2:\(column) todo overridden-signature"]])
  }

  @Test(
    "an override is reported of a member that stands in an extension of the class above",
    arguments: [
      ("var a: Int { 1 }", true), ("func a() {}", true), ("class func a() {}", true),
      ("func a(_ a: Int) {}", false),
    ])
  func reportsOverriddenExtensions(_ member: String, _ isReported: Bool) {
    let body = isReported ? member : "func a() {}"
    let file = port(
      """
      class A: NSObject { @objc dynamic var b = 1; \(isReported ? "" : "func a() {}") }
      extension A { @objc \(member) }
      class B: A {}
      class C: B { override \(body) }
      """)
    #expect(file.places == (isReported ? ["4:14 todo overridden-signature"] : []))
  }

  @Test(
    "a key path that leads through an object of Foundation's is reported",
    arguments: [
      "observe(\\.progress.fractionCompleted) { _, _ in }",
      "self.observe(\\.progress?.fractionCompleted) { _, _ in }",
      "a.observe(\\.b.queue.operationCount) { _, _ in }",
      "x.observe(\\A.b.queue.operationCount) { _, _ in }",
      "x.observe(\\Progress.fractionCompleted) { _, _ in }",
      "a.observe(\\.work.isFinished) { _, _ in }",
      "x.addObserver(self, forKeyPath: #keyPath(A.progress.fractionCompleted), options: [], context: nil)",
      "x.addObserver(self, forKeyPath: #keyPath(progress.fractionCompleted))",
      "a.addObserver(self, forKeyPath: \"b.queue.operationCount\", options: [], context: nil)",
    ])
  func reportsPaths(_ call: String) {
    let files = port([
      (
        "A.swift",
        """
        class A: NSObject {
          @objc dynamic var progress: Progress!, b = B(), work: Work?
          @objc dynamic var all: [Progress] = []
          func f(_ a: A) {
            \(call)
          }
        }

        """
      ),
      (
        "B.swift",
        "class Work: Operation {}\nclass B: NSObject { @objc dynamic var queue: OperationQueue }\n"
      ),
    ])
    #expect(files[0].places == ["5:5 todo foundation-observable"])
    #expect(files[0].findings[0].what.contains(" through "))
    let again = port(files.map { ($0.path, $0.text) })
    #expect(again[0].findings.map(\.what) == files[0].findings.map(\.what))
  }

  @Test(
    "a key path that ends with an object of Foundation's, or counts such objects, is none of them",
    arguments: [
      "observe(\\.progress) { _, _ in }", "observe(\\.other.progress) { _, _ in }",
      "addObserver(self, forKeyPath: \"all.@count\", options: [], context: nil)",
    ])
  func leavesPaths(_ call: String) {
    let file = port(
      """
      class A: NSObject {
        @objc dynamic var progress: Progress?, other: A?, all: [Progress] = []
        func f() { \(call) }
      }
      """)
    #expect(file.places == [])
  }

  @Test(
    "a file is told once of a module that its types of Foundation's are in",
    arguments: [
      ("let a: URLSession = .shared, b = URLRequest(url: c)", "1:8"),
      ("func f() { URLSession.shared.g() }", "1:12"),
      ("extension HTTPURLResponse {}", "1:11"),
      ("class A: NSObject, XMLParserDelegate {}", "1:20"),
      ("import Foundation\nlet a = XMLParser(data: b)", "2:9"),
    ])
  func reportsModules(_ text: String, _ place: String) {
    let file = port(text)
    #expect(file.places == ["\(place) todo import"])
    let module = text.contains("XML") ? "FoundationXML" : "FoundationNetworking"
    #expect(
      file.findings[0].write == "#if canImport(\(module)), import \(module), #endif")
    #expect(port("import \(module)\n" + text).places == [])
    #expect(port("#if canImport(\(module))\nimport \(module)\n#endif\n" + text).places == [])
    #expect(port("class XMLParser {}\nlet a = XMLParser()").places == [])
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
