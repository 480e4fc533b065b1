import Foundation
import Testing

@testable import IsaKVOPort

/// The program itself, as a process.
private struct Command {
  let status: Int32
  let output: String
  let errors: String

  init(_ arguments: [String], in folder: String? = nil, executable: URL = executable) throws {
    let process = Process(), output = Pipe(), errors = Pipe()
    process.executableURL = executable
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    self.output = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    self.errors = String(
      decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }

  /// It stands beside what runs the tests.
  private static var executable: URL {
    #if os(Linux)
      let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      let tests =
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        ?? URL(fileURLWithPath: CommandLine.arguments[0])
    #endif
    return tests.deletingLastPathComponent().appendingPathComponent("isakvo-port")
  }
}

/// Options, exit codes, and what is read.
@Suite struct CommandTests {
  private let folder: TemporaryFolder
  private static let before = "class A: NSObject {\n  @objc dynamic var a = 1\n}\n"
  private static let after =
    "import IsaKVO\nimport IsaKVOFoundation\n\nclass A: KVObject {\n  @Dynamic var a = 1\n}\n"

  init() throws { folder = try TemporaryFolder() }

  @Test("nothing is written without --write, and with it a second run has nothing to do")
  func writes() throws {
    let path = try folder.write(Self.before, to: "A.swift")
    let first = try Command([path])
    #expect(first.status == 0)
    #expect(
      first.output == "4 edits in 1 file of 1, to be written by --write; 0 left to do by hand\n")
    #expect(try read(URL(fileURLWithPath: path)) == Self.before)
    #expect(try Command([path, "--write"]).output.contains("4 edits in 1 file of 1, written;"))
    #expect(try read(URL(fileURLWithPath: path)) == Self.after)
    #expect(
      try Command([path, "--write"]).output == "0 edits in 0 files of 1; 0 left to do by hand\n")
  }

  @Test("--diff prints a difference that says each line, and the findings beside it")
  func diffs() throws {
    let path = try folder.write(Self.before + "let s = #selector(f)", to: "A.swift")
    let command = try Command([path, "--diff"])
    #expect(command.status == 1)
    #expect(
      command.output == """
        --- \(path)
        +++ \(path)
        @@ -1,4 +1,7 @@
        -class A: NSObject {
        -  @objc dynamic var a = 1
        +import IsaKVO
        +import IsaKVOFoundation
        +
        +class A: KVObject {
        +  @Dynamic var a = 1
         }
         let s = #selector(f)
        \\ No newline at end of file

        """)
    #expect(command.errors.hasPrefix("\(path):4:9: #selector(f); "))
  }

  @Test("the difference, applied, is the same as what is written")
  func appliesDifference() throws {
    let names = ["deep/A.swift", "B.swift", "two words.swift", "Windows.swift"]
    let texts = [
      try read(Folder.fixtures.appendingPathComponent("Before/Computed.swift")),
      Self.before + "let s = 1", Self.before,
      Self.before.replacingOccurrences(of: "\n", with: "\r\n"),
    ]
    let other = try TemporaryFolder()
    for (name, text) in zip(names, texts) {
      try folder.write(text, to: name)
      try other.write(text, to: name)
    }
    let difference = try Command(["."] + ["--diff"], in: folder.path)
    let patch = try other.write(difference.output, to: "port.patch")
    let git = try Command(
      ["git", "apply", "-p0", "--whitespace=nowarn", patch], in: other.path,
      executable: URL(fileURLWithPath: "/usr/bin/env"))
    #expect(git.status == 0, "\(git.errors)")
    _ = try Command([".", "--write"], in: folder.path)
    for name in names {
      let written = try read(URL(fileURLWithPath: "\(folder.path)/\(name)"))
      #expect(try read(URL(fileURLWithPath: "\(other.path)/\(name)")) == written, "\(name)")
      #expect(written.contains("KVObject"))
    }
  }

  @Test("a link stays one, and the file that it leads to keeps its mode")
  func writesThroughLinks() throws {
    let path = try folder.write(Self.before, to: "real/A.swift"), manager = FileManager.default
    try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let link = folder.path + "/B.swift"
    try manager.createSymbolicLink(atPath: link, withDestinationPath: "real/A.swift")
    #expect(try Command([link, "--write"]).status == 0)
    #expect(try manager.destinationOfSymbolicLink(atPath: link) == "real/A.swift")
    #expect(try read(URL(fileURLWithPath: path)) == Self.after)
    #expect(try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    #expect(try manager.contentsOfDirectory(atPath: folder.path + "/real") == ["A.swift"])
  }

  @Test("--json has the edits, the findings and their numbers")
  func encodes() throws {
    let path = try folder.write(Self.before + "let s = #selector(f)\n", to: "A.swift")
    let command = try Command([path, "--json"])
    #expect(command.status == 1)
    let object = try JSONSerialization.jsonObject(with: Data(command.output.utf8))
    let document = try #require(object as? [String: Any])
    #expect(Set(document.keys) == ["version", "isWritten", "files", "findings", "summary"])
    #expect(document["version"] as? Int == 1)
    #expect(document["isWritten"] as? Bool == false)
    let file = try #require((document["files"] as? [[String: Any]])?.first)
    #expect(file["path"] as? String == path)
    #expect(file["isChanged"] as? Bool == true)
    let edit = try #require((file["edits"] as? [[String: Any]])?.last)
    #expect(Set(edit.keys) == ["line", "column", "rule", "old", "new"])
    #expect(edit["rule"] as? String == "dynamic-property")
    let finding = try #require((document["findings"] as? [[String: Any]])?.first)
    #expect(
      Set(finding.keys) == ["file", "line", "column", "kind", "rule", "what", "why", "write"])
    #expect(finding["kind"] as? String == "todo")
    let summary = try #require(document["summary"] as? [String: Int])
    #expect(
      summary == ["files": 1, "changed": 1, "edits": 4, "todos": 1, "notes": 0, "errors": 0])
  }

  @Test("--summary prints numbers by rule")
  func summarises() throws {
    let path = try folder.write(Self.before, to: "A.swift")
    #expect(
      try Command([path, "--summary"]).output == """
        base-class: 1 edit
        dynamic-property: 2 edits
        import: 1 edit
        4 edits in 1 file of 1, to be written by --write; 0 left to do by hand

        """)
  }

  @Test("a mistake in options or paths ends with 2 and says so")
  func refuses() throws {
    for arguments in [[], ["--bogus", "a"], ["/no/such/file"], [".", "--json", "--diff"]] {
      let command = try Command(arguments)
      #expect(command.status == 2, "\(arguments)")
      #expect(command.output.isEmpty && !command.errors.isEmpty, "\(arguments)")
    }
    #expect(try Command(["--help"]).status == 0)
  }

  @Test("a syntax error ends with 3, and the other files are written")
  func endsWithSyntaxError() throws {
    try folder.write("class {", to: "Bad.swift")
    let path = try folder.write(Self.before, to: "deep/A.swift")
    try folder.write(Self.before, to: ".hidden/A.swift")
    let command = try Command([folder.path, "--write"])
    #expect(command.status == 3)
    #expect(command.output.contains("/Bad.swift:1:7: error: "))
    #expect(try read(URL(fileURLWithPath: path)) == Self.after)
    #expect(
      try read(URL(fileURLWithPath: folder.path + "/.hidden/A.swift")) == Self.before)
    #expect(try read(URL(fileURLWithPath: folder.path + "/Bad.swift")) == "class {")
  }

  @Test(
    "of a package the sources of its targets are read, and a target that lacks the library told")
  func readsPackages() throws {
    try folder.write(
      """
      // swift-tools-version: 6.1
      import PackageDescription
      let package = Package(
        name: "P",
        targets: [
          .target(name: "Model", exclude: ["Old"]),
          .target(name: "View", dependencies: [.target(name: "Model"), "IsaKVOFoundation"], path: "view"),
          .testTarget(name: "ModelTests", dependencies: ["Model"]),
        ])
      """, to: "Package.swift")
    for name in [
      "Sources/Model/A.swift", "Sources/Model/Old/A.swift", "view/B.swift", "other/A.swift",
    ] {
      try folder.write(Self.before, to: name)
    }
    try folder.write("let a = A().observe(\\.a) { _, _ in }\n", to: "Tests/ModelTests/A.swift")
    let inputs = try Inputs([folder.path])
    let names = inputs.files.map { $0.dropFirst(folder.path.count + 1) }
    #expect(names == ["Sources/Model/A.swift", "Tests/ModelTests/A.swift", "view/B.swift"])
    let command = try Command([folder.path])
    #expect(command.status == 1)
    let lines = command.output.split(separator: "\n")
    #expect(lines[0].hasPrefix("\(folder.path)/Package.swift:6:5: the target Model was ported; "))
    #expect(lines[1].hasPrefix("\(folder.path)/Package.swift:8:5: the target ModelTests was "))
    #expect(lines.count == 3)
    #expect(try Command([folder.path, "--target", "View"]).status == 0)
    #expect(try Command([folder.path, "--target", "None"]).status == 2)
  }

  @Test("of a package that computes its targets the package manager is asked")
  func asksPackageManager() throws {
    try folder.write(
      """
      // swift-tools-version: 6.1
      import PackageDescription
      let name = "Model"
      let package = Package(name: "P", targets: [.target(name: name + "s")])
      """, to: "Package.swift")
    try folder.write(Self.before, to: "Sources/Models/A.swift")
    #expect(try Inputs([folder.path]).files == [folder.path + "/Sources/Models/A.swift"])
  }

  @Test("a folder and a file in it are one file")
  func readsOnce() throws {
    let path = try folder.write(Self.before, to: "A.swift")
    #expect(try Inputs([path, folder.path, path]).files == [path])
  }
}
