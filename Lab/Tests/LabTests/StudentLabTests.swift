import Foundation
import Testing

@testable import isalab

@Suite("The labs", .serialized, .oneAtATime)
struct StudentLabTests {
  @Test("the list names eight levels, each with its cases")
  func list() {
    let output = Output()
    #expect(LabRun(console: output.console).list() == 0)
    for level in Level.all {
      #expect(
        output.text.contains("\(level.number)  \(level.title.english) (\(level.scenes.count) cases")
      )
    }
    #expect(Level.all.map(\.number) == Array(1...8))
  }

  @Test("every case is one of the catalogue's, has a hint, and expects something")
  func scenes() throws {
    let catalogue = try String(
      contentsOf: Folder.checkout.appendingPathComponent("docs/behaviour.md"), encoding: .utf8)
    for scene in Level.all.flatMap(\.scenes) {
      #expect(catalogue.contains(scene.id), "\(scene.id)")
      #expect(!scene.hint.english.isEmpty && !scene.title.english.isEmpty)
      #expect(scene.hint.chinese.hasHan && scene.title.chinese.hasHan)
      #expect(scene.expected.count > 2 && scene.expected[0].hasPrefix("> "))
      #expect(scene.expected.allSatisfy { $0.hasPrefix("> ") || $0.hasPrefix("  ") })
    }
  }

  // MARK: Start

  @Test("a level is begun in a new folder, with its task and what it adds", arguments: 1...8)
  func start(_ number: Int) throws {
    let room = try TemporaryFolder()
    let folder = room.url.appendingPathComponent("mine")
    let output = Output()
    let lab = LabRun(console: output.console)
    #expect(lab.start(number, language: "c", folder: folder.path) == 0)
    let level = try #require(Level.find(number))
    let readme = try text(folder, "README.md")
    for scene in level.scenes { #expect(readme.contains("- \(scene.id): \(scene.title.english)")) }
    let header = try text(folder, "student_kvo.h")
    #expect(header.contains("student_depends(") == (number >= 6))
    #expect(header.contains("student_will_change(") == (number >= 7))
    #expect(lab.start(number, language: "c", folder: folder.path) == 2)
    #expect(
      output.err == ["\(folder.relativePath) is there already: name another folder with --dir"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: room.url.path) == ["mine"])
  }

  @Test("a folder that cannot be made leaves nothing behind")
  func unwritable() throws {
    let room = try TemporaryFolder()
    try Data().write(to: room.url.appendingPathComponent("file"))
    let output = Output()
    let folder = room.url.appendingPathComponent("file/mine").path
    #expect(LabRun(console: output.console).start(1, language: "c", folder: folder) == 2)
    #expect(output.err.count == 1 && output.err[0].contains("cannot be written"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: room.url.path) == ["file"])
    #expect(LabRun(console: output.console).start(1, language: "c", folder: "/no/such/folder") == 2)
    #expect(output.err.last?.hasPrefix("/no/such/folder: cannot be written") == true)
  }

  @Test(
    "a wrong call is refused with what was expected",
    arguments: [
      (0, "c", "there is no level 0, expected 1 to 8"),
      (9, "c", "there is no level 9, expected 1 to 8"),
      (1, "rust", "there is no kit for the language 'rust', expected c or swift"),
      (9, "swift", "there is no level 9, expected 1 to 8"),
    ])
  func wrongCall(_ number: Int, _ language: String, _ message: String) throws {
    let room = try TemporaryFolder()
    let output = Output()
    let folder = room.url.appendingPathComponent("mine").path
    #expect(LabRun(console: output.console).start(number, language: language, folder: folder) == 2)
    #expect(output.err == [message])
    #expect(!FileManager.default.fileExists(atPath: folder))
  }

  @Test("grading a folder that is none, or holds no code, is a wrong call")
  func wrongFolder() throws {
    let room = try TemporaryFolder()
    let output = Output()
    let lab = LabRun(console: output.console)
    #expect(lab.grade(1, folder: room.url.appendingPathComponent("none").path) == 2)
    #expect(lab.grade(1, folder: room.url.path) == 2)
    #expect(lab.grade(77, folder: room.url.path) == 2)
    #expect(output.err[0].hasPrefix("there is no folder"))
    #expect(output.err[1].contains("holds neither C sources nor a Package.swift"))
    #expect(output.err[2] == "there is no level 77, expected 1 to 8")
  }

  @Test("a machine without a C compiler is told so")
  func noCompiler() throws {
    #expect(throws: LabFailure.self) {
      try CGrader.findCompiler(environment: ["PATH": "/nonexistent"])
    }
    let failure = #expect(throws: LabFailure.self) {
      try CGrader.findCompiler(environment: ["PATH": "/nonexistent", "CC": "mycc"])
    }
    #expect(failure?.message.english == "the C compiler that CC names, mycc, is not in PATH")
    #expect(failure?.code == 2)
  }

  @Test("a library that is not where it was said to be is a wrong call")
  func noLibrary() throws {
    let student = try StudentFolder(level: 1)
    let (code, output) = student.grade(library: "/nonexistent")
    #expect(code == 2)
    #expect(output.err.first?.hasPrefix("--isakvo /nonexistent: neither a checkout") == true)
  }

  // MARK: Grade

  @Test("what a student begins with builds and fails in the first case", arguments: 1...8)
  func skeleton(_ number: Int) throws {
    let (code, output) = try StudentFolder(level: number).grade()
    #expect(code == 1)
    #expect(output.err == [])
    #expect(output.text.contains("\nFailed: "))
    #expect(output.out.filter { $0.count > 80 } == [])
  }

  @Test("the model solution passes every case", arguments: 1...8)
  func model(_ number: Int) throws {
    let student = try StudentFolder(level: number, solution: "C")
    let (code, output) = student.grade()
    let count = try #require(Level.find(number)).scenes.count
    #expect(code == 0, "\(output.text)")
    #expect(output.out.last == "Passed: all \(count) cases.")
    #expect(!output.text.contains("failed"))
  }

  @Test("the runtime's own observing passes every case", arguments: 1...8)
  func engine(_ number: Int) throws {
    let level = try #require(Level.find(number))
    let student = try StudentFolder(level: number, solution: "Engine")
    let compiler = try CGrader.findCompiler()
    let core = try CoreLibrary.find(
      at: nil, compiler: compiler, cache: StudentFolder.cache, isChatty: { _ in })
    let grader = CGrader(level: number, folder: student.url, compiler: compiler, core: core)
    let room = try TemporaryFolder()
    let program = try grader.build(in: room.url, guarded: false)
    let played = SceneProgram(file: program, seconds: 20, sources: student.url)
    for scene in level.scenes {
      let result = try SceneResult.play(scene.drawn(seed: 1), played)
      #expect(result.hasPassed, "\(scene.id): \(result.heard)")
    }
  }

  @Test("the runtime's own observing may not be called")
  func forbidden() throws {
    let student = try StudentFolder(level: 1, solution: "Engine")
    let (code, output) = student.grade()
    #expect(code == 1)
    #expect(output.err.first?.contains("poisoned") == true)
    #expect(output.err.first?.contains("kvo_add_observer") == true)
  }

  @Test("a wrong solution fails in the case that says why", arguments: WrongSolution.all)
  func wrong(_ solution: WrongSolution) throws {
    try StudentFolder(level: solution.level, solution: "C").expectFailure(of: solution)
  }

  @Test("code that does not compile, or lacks a function, is said to, with the compiler's words")
  func buildErrors() throws {
    let student = try StudentFolder(level: 1, solution: "C")
    try student.change("change.c", "static void collect(", to: "static viod collect(")
    let (code, output) = student.grade()
    #expect(code == 1)
    #expect(output.err.first?.hasPrefix("your code does not compile:\n") == true)
    #expect(output.err.first?.contains("change.c") == true)
    let other = try StudentFolder(level: 1, solution: "C")
    try other.change("registration.c", "isa_status student_remove(", to: "isa_status student_drop(")
    let (otherCode, otherOutput) = other.grade()
    #expect(otherCode == 1)
    #expect(otherOutput.err.first?.contains("student_kvo.h of level 1") == true)
    #expect(otherOutput.err.first?.contains("student_remove") == true)
  }

  @Test("grading twice with one seed says the same, byte by byte")
  func deterministic() throws {
    let student = try StudentFolder(level: 2)
    #expect(student.grade(seed: 7).output.text == student.grade(seed: 7).output.text)
  }

  @Test("the driver compiles without warnings under each compiler that is there", arguments: 1...8)
  func driver(_ level: Int) throws {
    let student = try StudentFolder(level: level)
    for (name, text) in CGrader.driver {
      try Data(text.utf8).write(to: student.url.appendingPathComponent(name))
    }
    let includes = ["Sources/CIsa/include", "Sources/CIsaHeader/include"]
      .map { "-I" + Folder.checkout.appendingPathComponent($0).path }
    for compiler in ["gcc", "clang"].compactMap({ Tool.find($0) }) {
      let process = ChildProcess(executable: compiler, seconds: 60)
      let arguments =
        ["-std=c17", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-D_GNU_SOURCE", "-I."] + includes
        + ["-DLAB_LEVEL=\(level)", "-fsyntax-only", "driver.c", "student_kvo.c"]
      let run = try #require(process.run(arguments, in: student.url))
      #expect(run.hasSucceeded, "\(run.errors)")
    }
  }

  @Test("what a solution prints is its own, and shown below the case that fails")
  func printed() throws {
    let student = try StudentFolder(level: 1, solution: "C")
    let before = "#include \"registration.h\"\n"
    let speak = "\n#include <stdio.h>\n__attribute__((constructor)) static void speak(void)"
    try student.change(
      "registration.c", before,
      to: before + speak + "{ fputs(\"here\\n\", stderr); puts(\"  P hears i.name\"); }\n")
    let (code, output) = student.grade()
    #expect(code == 0)
    #expect(!output.text.contains("here"))
    try student.change(
      "notifying.c", "isa_invoke(wrapper->original, wrapper->types, arguments, result);",
      to: "(void)result;")
    let text = student.grade().output.text
    #expect(text.contains("\nOn standard output:\n  P hears i.name\n"))
    #expect(text.contains("\nOn standard error:\n  here\n"))
  }

  @Test("the checkout that a program lies in is found above it")
  func checkoutAround() {
    let tool = Folder.checkout.appendingPathComponent("Lab/.build/debug/isalab")
    #expect(CoreLibrary.checkout(around: tool)?.path == Folder.checkout.path)
    #expect(CoreLibrary.checkout(around: URL(fileURLWithPath: "/usr/bin/env")) == nil)
  }

  @Test("timelines are put side by side by what is done")
  func alignment() {
    let rows = Alignment.rows(["> a", "  x", "> b"], ["> a", "> b", "  y"])
    #expect(rows.map(\.0) == ["> a", "  x", "> b", nil])
    #expect(rows.map(\.1) == ["> a", nil, "> b", "  y"])
  }

  private func text(_ folder: URL, _ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }
}
