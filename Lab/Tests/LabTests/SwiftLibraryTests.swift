import Foundation
import Testing

@testable import isalab

/// A folder that the package manager takes for a checkout of the library, with next to nothing in
/// it.
private struct SmallCheckout {
  private let room: TemporaryFolder
  let url: URL

  init() throws {
    room = try TemporaryFolder()
    url = room.url.appendingPathComponent("a checkout")
    try write(SmallCheckout.manifest, "Package.swift")
    for target in ["CIsaHeader", "CSwiftRuntime", "CIsa"] {
      let header = target == "CIsa" ? "isa.h" : "\(target).h"
      try write("int \(target)_number(void);\n", "Sources/\(target)/include/\(header)")
      try write(
        "module \(target) { header \"\(header)\" export * }\n",
        "Sources/\(target)/include/module.modulemap")
      try write(
        "#include \"\(header)\"\nint \(target)_number(void) { return 1; }\n",
        "Sources/\(target)/in/\(target).c")
    }
    try write("import CIsa\npublic func number() -> Int32 { CIsa_number() }\n", runtime)
    try write("import IsaRuntime\npublic let answer = number() + 41\n", "Sources/IsaKVO/KVO.swift")
  }

  let runtime = "Sources/IsaRuntime/Runtime.swift"

  private static let manifest = """
    // swift-tools-version: 6.1
    import PackageDescription
    let package = Package(
      name: "IsaKVO",
      products: [
        .library(name: "IsaRuntime", targets: ["IsaRuntime"]),
        .library(name: "IsaKVO", targets: ["IsaKVO"]),
      ],
      targets: [
        .target(name: "CIsaHeader"), .target(name: "CSwiftRuntime"),
        .target(name: "CIsa", dependencies: ["CIsaHeader"]),
        .target(name: "IsaRuntime", dependencies: ["CIsa", "CSwiftRuntime"]),
        .target(name: "IsaKVO", dependencies: ["IsaRuntime"]),
      ]
    )
    """

  func write(_ text: String, _ path: String) throws {
    let file = url.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}

@Suite("The library for code in Swift", .serialized, .oneAtATime)
struct SwiftLibraryTests {
  private let manager = FileManager.default

  /// The output of a program with the library.
  private func output(of code: String, _ library: SwiftLibrary) throws -> String {
    let room = try TemporaryFolder()
    let (source, program) = (room.file("main.swift"), room.file("program"))
    try Data(code.utf8).write(to: source)
    let modules = library.products.appendingPathComponent("Modules").path
    try SwiftCompiler().compile(
      ["-I", modules, "-o", program.path, source.path] + library.compileFlags + library.linkFlags,
      Text(same: "no program"), edited: { $0 })
    return try #require(ChildProcess(executable: program, seconds: 60).run([])).output
  }

  @Test("another checkout's is built in the cache, and anew where a source has changed")
  func package() throws {
    let checkout = try SmallCheckout()
    let cache = try TemporaryFolder()
    let compiler = try SwiftCompiler()
    var said: [String] = []
    func find() throws -> SwiftLibrary {
      try SwiftLibrary.find(
        at: checkout.url.path, compiler: compiler, cache: cache.url,
        isChatty: { said.append($0.english) })
    }
    #expect(try output(of: "import IsaKVO\nprint(answer)\n", find()) == "42\n")
    try checkout.write(
      "import CIsa\npublic func number() -> Int32 { CIsa_number() + 1 }\n", checkout.runtime)
    #expect(try output(of: "import IsaKVO\nprint(answer)\n", find()) == "43\n")
    #expect(said == ["building the library, once"])
    try checkout.write("public func number() -> Int32 { nothing }\n", checkout.runtime)
    let failure = #expect(throws: LabFailure.self) { try find() }
    #expect(failure?.code == 2)
    #expect(
      failure?.message.english.hasPrefix("the library in \(checkout.url.path) does not ") == true)
    #expect(failure?.message.english.contains("cannot find 'nothing' in scope") == true)
  }

  /// A program's folder as the package manager leaves it, with links to what lies beside isalab.
  private func folder(_ body: (URL) throws -> Void) throws {
    let room = try TemporaryFolder()
    let beside = Child.executable.deletingLastPathComponent()
    for name in try manager.contentsOfDirectory(atPath: beside.path)
    where name == "Modules" || name.hasSuffix(".build") {
      try manager.createSymbolicLink(
        at: room.file(name), withDestinationURL: beside.appendingPathComponent(name))
    }
    let program = room.file("isalab")
    try Data().write(to: program)
    try body(program)
  }

  private func beside(_ program: URL, _ compiler: SwiftCompiler) -> SwiftLibrary? {
    SwiftLibrary.beside(program, from: Folder.checkout, compiler)
  }

  @Test("isalab's own is the one that it was built of, as long as that is up to date")
  func own() throws {
    let compiler = try SwiftCompiler()
    try folder { program in
      #expect(beside(program, compiler) != nil)
      try manager.setAttributes([.modificationDate: Date.distantPast], ofItemAtPath: program.path)
      #expect(beside(program, compiler) == nil)
    }
    try folder { program in
      let object = program.deletingLastPathComponent().appendingPathComponent("CIsaHeader.build")
      try manager.removeItem(at: object)
      #expect(beside(program, compiler) == nil)
    }
    #expect(beside(URL(fileURLWithPath: "/usr/bin/env"), compiler) == nil)
  }

  @Test("another compiler than the one that built isalab does not read isalab's own")
  func otherCompiler() throws {
    let tools = try TemporaryFolder()
    for name in ["swift", "swiftc"] {
      try Data("#!/bin/sh\necho 'Swift version 5.0 (swift-5.0-RELEASE)'\n".utf8)
        .write(to: tools.file(name))
      try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tools.file(name).path)
    }
    let other = try SwiftCompiler(environment: ["PATH": tools.url.path])
    try folder { #expect(beside($0, other) == nil) }
  }

  @Test("a machine without a Swift compiler is told so")
  func noCompiler() {
    let failure = #expect(throws: LabFailure.self) {
      try SwiftCompiler(environment: ["PATH": "/nonexistent"])
    }
    #expect(
      failure?.message.english
        == "there is no Swift compiler: swiftc and swift were looked for in PATH")
  }

  @Test("a folder that is no checkout is a wrong call")
  func noCheckout() throws {
    let student = try StudentFolder(level: 1, language: "swift")
    let (code, output) = student.grade(library: "/nonexistent")
    #expect(code == 2)
    #expect(output.err.first?.hasPrefix("/nonexistent is no checkout of the library") == true)
  }

  @Test("students are graded at once without knowing of each other")
  func atOnce() throws {
    let right = try StudentFolder(level: 2, solution: "Swift", language: "swift")
    let wrong = try StudentFolder(level: 1, language: "swift")
    // Time enough for a library that has to be built first.
    let shell = ChildProcess(executable: URL(fileURLWithPath: "/bin/sh"), seconds: 900)
    let command = """
      export XDG_CACHE_HOME="$3"
      "$0" lab grade 1 --dir "$2" >"$2/said" & "$0" lab grade 2 --dir "$1"; echo "$?"; wait
      """
    let words = [Child.executable, right.url, wrong.url, StudentFolder.cache].map(\.path)
    let run = try #require(shell.run(["-c", command] + words))
    #expect(run.output.contains("\nPassed: all "), "\(run.output)\(run.errors)")
    #expect(run.output.hasSuffix("\n0\n"))
    let said = try String(contentsOf: wrong.url.appendingPathComponent("said"), encoding: .utf8)
    #expect(said.contains("\nFailed: "), "\(said)")
  }
}
