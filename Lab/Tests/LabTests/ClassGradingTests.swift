import Foundation
import Testing

@testable import isalab

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// The suites of a report in JUnit's XML, as a parser reads them.
private final class Suites: NSObject, XMLParserDelegate {
  private(set) var all: [[String: String]] = []
  private(set) var error: (any Error)?

  init(in xml: String) {
    super.init()
    let parser = XMLParser(data: Data(xml.utf8))
    parser.delegate = self
    if !parser.parse() { error = parser.parserError }
  }

  func parser(
    _: XMLParser, didStartElement element: String, namespaceURI _: String?,
    qualifiedName _: String?, attributes: [String: String]
  ) {
    if element == "testsuite" { all.append(attributes) }
  }
}

/// A class's folders, most of them copies of the first ones.
private final class ClassFolder {
  private let room: TemporaryFolder
  let url: URL
  private let seeds: [StudentFolder]

  /// - Parameter count: Folders of level 1: right, wrong, not compiling, and so on.
  init(count: Int) throws {
    room = try TemporaryFolder()
    url = room.url.appendingPathComponent("class")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    let wrong = try StudentFolder(level: 1, solution: "C")
    try wrong.change(
      "notifying.c", "if (isa_object_get_class(object) != original)", to: "if (false)")
    let broken = try StudentFolder(level: 1)
    try broken.change("student_kvo.c", "isa_status student_add(", to: "isa_satus student_add(")
    seeds = [try StudentFolder(level: 1, solution: "C"), wrong, broken]
    for index in 0..<count {
      try FileManager.default.copyItem(
        at: seeds[index < 40 ? 0 : index < 48 ? 1 : 2].url,
        to: url.appendingPathComponent(String(format: "s%02d", index)))
    }
  }

  func grade(report: String? = nil, level: Int? = nil) -> (code: Int32, output: Output) {
    let (lab, output) = seeds[0].lab(seed: 9)
    return (ClassRun(lab: lab).grade(level, folders: url.path, report: report), output)
  }
}

@Suite("A class's folders", .serialized, .oneAtATime)
struct ClassGradingTests {
  @Test("fifty folders are graded by one command, with a row each")
  func fifty() throws {
    let folder = try ClassFolder(count: 50)
    let report = folder.url.deletingLastPathComponent().appendingPathComponent("report.csv")
    let (code, output) = folder.grade(report: report.path)
    #expect(code == 1 && output.err == [])
    let network = NetworkFence.found.text.english
    #expect(output.out.first == "50 folders, values drawn with --seed 9, \(network).")
    #expect(output.out.contains("40 of 50 folders pass."))
    let rows = try String(contentsOf: report, encoding: .utf8).components(separatedBy: "\r\n")
    #expect(rows.count == 52 && rows[0].hasPrefix("folder,level,language,outcome,passed,cases,"))
    #expect(rows[1].hasPrefix("s00,1,c,passed,10,10,,,,9,"))
    #expect(rows[2].hasPrefix("s01,1,c,passed,10,10,,,s00,9,"))
    #expect(rows[41].hasPrefix("s40,1,c,failed,9,10,REM-15,,,9,"))
    #expect(rows[49].hasPrefix("s48,1,c,error,0,10,,your code does not compile:,,9,"))
  }

  @Test("the report is JSON or JUnit's XML by the end of its name")
  func forms() throws {
    let scene = Level.all[0].scenes[0].drawn(seed: 1)
    let failed = SceneResult(
      scene: scene, heard: ["> <&\u{1}\"]]>"], trouble: .tookTooLong(seconds: 2))
    let passed = SceneResult(scene: scene, heard: scene.expected)
    let report = ClassReport(
      rows: [
        .init(
          folder: "=a,\"b\"", level: Level.all[0], language: .c,
          grade: Grade(seed: 1, results: [passed, failed])),
        .init(folder: "none", problem: Text(same: "it holds nothing\nat all")),
      ], seed: 1, network: Text(same: "no network"))
    #expect(report.text(as: .csv).contains("\r\n\"'=a,\"\"b\"\"\",1,c,failed,1,2,REG-01,"))
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(report.text(as: .json).utf8)) as? [String: Any])
    let students = try #require(json["students"] as? [[String: Any]])
    #expect(students.map { $0["outcome"] as? String } == ["failed", "error"])
    let xml = report.text(as: .xml)
    let suites = Suites(in: xml)
    #expect(
      suites.all == [
        ["name": "=a,\"b\"", "tests": "2", "failures": "1", "errors": "0"],
        ["name": "none", "tests": "1", "failures": "0", "errors": "1"],
      ])
    #expect(suites.error == nil)
  }

  @Test("a wrong call is refused before anything is graded")
  func wrongCalls() throws {
    let folder = try ClassFolder(count: 1)
    #expect(
      folder.grade(report: "/no/such/r.csv").output.err.first?.contains("/no/such is no folder")
        == true)
    #expect(
      folder.grade(report: "r.pdf").output.err == [
        "--report r.pdf: expected a name that ends in .csv, .json or .xml"
      ])
    #expect(folder.grade(level: 9).code == 2)
    let (lab, output) = try StudentFolder(level: 1).lab()
    let empty = try TemporaryFolder()
    #expect(ClassRun(lab: lab).grade(1, folders: empty.url.path, report: nil) == 2)
    #expect(output.err.first?.contains("expected a folder that holds one for each student") == true)
  }

  @Test("a scene's process has limits on memory and files, and no network where that can be had")
  func limits() throws {
    let room = try TemporaryFolder()
    var shell = ChildProcess(executable: URL(fileURLWithPath: "/bin/sh"), seconds: 30)
    shell.limits = Limits(seconds: 7, megabytes: 512, fileMegabytes: 1, openFiles: 64)
    let script = """
      ulimit -t; ulimit -v; ulimit -f; ulimit -n; ulimit -c
      head -c 3000000 /dev/zero >"$0"; echo $?
      """
    let run = try #require(shell.run(["-c", script, room.file("big").path]))
    let lines = run.output.split(separator: "\n").map(String.init)
    #if os(Linux)
      #expect(lines.prefix(5) == ["7", "524288", "2048", "64", "0"], "\(run.output)\(run.errors)")
    #endif
    let size = try FileManager.default.attributesOfItem(atPath: room.file("big").path)[.size]
    #expect(size as? Int == 1 << 20, "\(run.output)\(run.errors)")
    guard NetworkFence.found != .none, let python = Tool.find("python3") else { return }
    var fenced = ChildProcess(executable: python, seconds: 30)
    fenced.limits = .scene
    let names = try #require(
      fenced.run(["-c", "import socket; print([n for _, n in socket.if_nameindex()])"]))
    #expect(names.output == "['lo']\n", "\(names.errors)")
  }
}
