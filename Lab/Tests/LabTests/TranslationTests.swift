import Foundation
import Testing

@testable import isalab

@Suite("Scenarios in other languages", .serialized, .oneAtATime)
struct TranslationTests {
  /// Every example and every lesson, and what they leave out.
  static let programs: [(name: String, program: Program)] = {
    let examples = ScenarioTests.examples.compactMap { name -> (String, String)? in
      let file = Folder.scenarios.appendingPathComponent(name)
      return (try? String(contentsOf: file, encoding: .utf8)).map { (name, $0) }
    }
    let lessons = Lessons.all.map { ("lesson-\($0.file)", $0.lines + "\n") }
    let own = [("swizzling.kvo", swizzling), ("questions.kvo", questions), ("names.kvo", names)]
    return (examples + lessons + own)
      .map { name, text in
        do { return (name, try ScenarioFile.program(of: text, file: name)) } catch {
          fatalError("\(error)")
        }
      }
  }()

  /// Exchanged methods of a class, of its subclass and of a notifying class, and threads in callbacks.
  private static let swizzling = """
    class Home { rooms: int }
    class Person { age: int, born: short, name: string, home: Home }
    class Student : Person { school: string }
    let ada = Person()
    let bob = Student()
    let cabin = Home()
    ada.home = cabin
    swizzle Person.age as logger
    swizzle Student.name as s
    swizzle Student.born as once
    swizzle Student.born as twice
    swizzle Home.rooms as builder
    observe ada.age options(old, new) as watcher
    ada.age = 36
    bob.age = 20
    ada.home.rooms = 3
    cabin.rooms = 4
    bob.born = 1815
    set bob.born = 1816
    ada.name = "Ada"
    bob.name = "Bob"
    bob.name = nil
    swizzle NSKVONotifying_Person.age as stray
    expect error NSInvalidArgumentException
    when watcher hears: on thread bob.age = 21
    when logger hears: ada.name = "Lovelace"
    ada.age = 37
    whenever s hears: on thread ada.home.rooms = 5
    set bob.name = "Robert"
    bob.name = "Rob"

    """

  /// Questions whose answers are classes and methods, and the answers.
  private static let questions = """
    class Person { age: int }
    let ada = Person()
    isa ada
    observe ada.age as watcher
    isa ada
    class ada
    superclass NSKVONotifying_Person
    imp ada setAge:
    imp ada nothing
    isa ada
    remove watcher

    """
  /// Names that are words of one of the languages, or of what its program stands on, and some of
  /// them with a `_` behind them.
  private static let names = """
    class Type { class_: int, size: int }
    class Type_ : Type { extension: int }
    class FILE { size: int }
    class RuntimeObject { owner: Type }
    let log = Type()
    let log_ = Type_()
    let linux = FILE()
    let isa_id = RuntimeObject()
    let clock = Type()
    let shown = Type_()
    let is = Type()
    isa_id.owner = log
    observe log.size as type
    observe log_.extension as self
    observe linux.size as asm
    observe isa_id.owner.class_ as clone
    observe clock.size as rename
    observe shown.extension as check
    log.size = 1
    log_.extension = 2
    linux.size = 3
    log.class_ = 4
    isa_id.owner = is
    clock.size = 5
    shown.extension = 6
    isa log_
    class log

    """

  /// What scenarios answer to their questions.
  private static let answers = [
    "questions.kvo": [
      "Person", "NSKVONotifying_Person", "Person", "Person",
      "-[NSKVONotifying_Person setAge:]", "nil", "NSKVONotifying_Person",
    ],
    "names.kvo": ["NSKVONotifying_Type_", "Type"],
  ]

  /// The lines in which isalab tells what observers hear in each of these.
  private static let notifications = programs.map { _, program in
    let view = StepView(TextOptions())
    return Runner.run(program).steps.flatMap(\.deliveries)
      .flatMap { view.lines(of: .delivery($0), .max) }
  }

  /// Runs each scenario of a program that is all of them, and compares what it prints.
  private static func compare(_ program: URL) {
    for (index, (name, _)) in programs.enumerated() {
      let result = ChildProcess(executable: program, seconds: 20).run(["\(index)"])
      #expect(result?.hasSucceeded == true, "\(name): \(result?.errors ?? "not run")")
      let lines = (result?.output ?? "").split(separator: "\n").map(String.init)
      #expect(lines.filter { $0.hasPrefix("→") } == notifications[index], "\(name)")
      guard let answers = answers[name] else { continue }
      #expect(lines.filter { !$0.hasPrefix("→") } == answers, "\(name)")
    }
  }

  // MARK: Lines

  @Test("each statement is said in each language, or a comment says that it is not")
  func complete() {
    for (name, program) in TranslationTests.programs {
      for language in ProgrammingLanguage.allCases {
        let statements = program.scenario.statements
        for (statement, lines) in zip(statements, language.lines(of: program, in: .english)) {
          let said = lines.joined().filter { !$0.isWhitespace }
          #expect(!said.isEmpty, "\(name), \(language): \(statement.text)")
        }
      }
    }
  }

  @Test("a comment beside a statement is there in the reader's language")
  func notes() {
    var count = 0
    for (name, program) in TranslationTests.programs {
      for language in ProgrammingLanguage.allCases {
        let made = language.translator(of: program).translations()
        for (statement, translation) in zip(program.scenario.statements, made) {
          guard let note = translation.note else { continue }
          // It may quote the statement.
          let words = note.chinese.replacing(statement.text, with: "")
          #expect(!ChineseTests.isEnglish(words), "\(name), \(language): \(words)")
          if words.hasHan { count += 1 }
        }
      }
    }
    #expect(count > 100)
    let text = "class K { x: int }\nlet k = K()\nrelease k\n"
    let options = TextOptions(language: .chinese, translation: .objectiveC)
    #expect(runScenario(text, options).output.text.contains("k = nil;  // 放弃这个引用"))
  }

  @Test(
    "run shows each line in the language that is asked for", arguments: ProgrammingLanguage.allCases
  )
  func run(_ language: ProgrammingLanguage) throws {
    let text = """
      struct Point { x: double, y: double }
      class Home { city: string }
      class Person {
        age: int valid 0 to 150
        home: Home
        place: Point
        songs: mutable-array accessors(insert, remove)
        label: string = join("age ", age) depends on (age)
      }
      let ada = Person()
      let london = Home()
      observer reader
      observe ada.age options(old, new, initial) as watcher
      observe ada.home.city by reader options(new) context 1
      ada.age = 36
      ada.place = (x: 1, y: 2)
      when watcher hears: ada.home = london
      set ada.age = 37
      poke ada.age = 38
      will ada.age
      did ada.age
      insert "Air" into ada.songs at 0
      remove from ada.songs at 0 by accessor
      remove reader from ada.home.city context 1
      remove watcher
      repeat 2: ada.age = 1
      on thread ada.age = 2
      expect ada.label == "age 2"
      isa ada
      """
    let options = TextOptions(translation: language)
    let (code, output) = runScenario(text, options)
    #expect(code == 0, "\(output.err)")
    #expect(try matchesTranscript(output.text, "as-\(language.rawValue)"))
  }

  @Test("a drawing in text and the terminal's pane show the line in that language")
  func elsewhere() throws {
    let text = "class K { x: int }\nlet k = K()\nobserve k.x as t\nk.x = 1\n"
    let run = Runner.run(try ScenarioFile.program(of: text, file: "k.kvo"))
    #expect(GraphRun.text(of: run, at: Moment(step: 4), .text, .objectiveC).contains("k.x = 1;"))
    let panes = StepPanes(
      run: run, step: 4, station: nil, width: 60, translations: run.translations(.c, in: .english))
    let shown = panes.content(of: .scenario).lines.flatMap(\.spans).map(\.text)
    #expect(shown.joined().contains("ISA_SET(k"))
  }

  @Test("a page has each statement in each language, and a switch")
  func page() throws {
    let text = "class K { x: int }\nlet k = K()\nk.x = 1\n"
    let run = Runner.run(try ScenarioFile.program(of: text, file: "k.kvo"))
    let page = Page(run: run, title: "k", language: .chinese).html()
    for language in ProgrammingLanguage.allCases {
      #expect(page.contains("<option value=\"\(language.rawValue)\">"))
    }
    #expect(page.contains("只显示场景"))
    #expect(page.contains("must(ISA_SET(k, isa_sel_register(\\\"setX:\\\"), 1));"))
  }

  @Test("Objective-C's compiler takes each example and lesson")
  func objectiveC() throws {
    let clang = try #require(Tool.find("clang"))
    let room = try TemporaryFolder()
    var files: [String] = []
    for (index, (_, program)) in TranslationTests.programs.enumerated() {
      let made = ProgrammingLanguage.objectiveC.translator(of: program).translations()
      let lines =
        ["#include \"Apple.h\""] + made.flatMap(\.declarations) + ["static void run(void) {"]
        + made.flatMap(\.lines) + ["}", ""]
      files.append("p\(index).m")
      try Data(lines.joined(separator: "\n").utf8).write(to: room.file(files[index]))
    }
    let flags = [
      "-fsyntax-only", "-fblocks", "-fobjc-arc", "-fobjc-runtime=macosx-10.15", "-Wall", "-Werror",
      "-Wno-unused", "-Wno-arc-retain-cycles", "-I",
      Folder.tests.appendingPathComponent("ObjectiveC").path,
    ]
    let checked = ChildProcess(executable: clang, seconds: 120).run(flags + files, in: room.url)
    #expect(checked?.hasSucceeded == true, "\(checked?.errors ?? "")")
  }

  // MARK: Programs

  @Test("observers of each example and lesson hear in C what they hear in isalab")
  func inC() throws {
    let room = try TemporaryFolder()
    let compiler = try CGrader.findCompiler()
    let core = try CoreLibrary.find(at: nil, compiler: compiler, cache: StudentFolder.cache) { _ in
    }
    var objects: [String] = []
    var mains: [String] = []
    for (index, (_, program)) in TranslationTests.programs.enumerated() {
      let text = CProgram(program).text()
      try Data(text.replacing("int main(void)", with: "int main_\(index)(void)").utf8)
        .write(to: room.file("p\(index).c"))
      objects.append("p\(index).c")
      mains.append("main_\(index)")
    }
    // One program, of which each run is one scenario.
    let main = """
      #include <stdlib.h>
      \(mains.map { "int \($0)(void);" }.joined(separator: "\n"))
      int main(int count, char **words)
      {
          int (*all[])(void) = {\(mains.joined(separator: ", "))};
          return count > 1 ? all[atoi(words[1])]() : 1;
      }
      """
    try Data(main.utf8).write(to: room.file("main.c"))
    let flags =
      ["-std=gnu17", "-O0", "-Wall", "-Werror", "-Wno-missing-prototypes"] + core.compileFlags
    let process = ChildProcess(executable: compiler, seconds: 300)
    let built = try #require(
      process.run(flags + ["main.c"] + objects + ["-o", "all"] + core.linkFlags, in: room.url))
    try #require(built.hasSucceeded, "\(built.errors)")
    TranslationTests.compare(room.file("all"))
  }

  @Test("observers of each example and lesson hear in Swift what they hear in isalab")
  func inSwift() throws {
    let room = try TemporaryFolder()
    var files = ["Telling.swift": SwiftProgram.telling]
    var cases: [String] = []
    for (index, (_, program)) in TranslationTests.programs.enumerated() {
      let swift = SwiftProgram(program)
      files["P\(index).swift"] = swift.text()
      cases.append(
        "case \(index): \(SwiftProgram.main([swift]).split(separator: "\n").last!)")
    }
    // One program, of which each run is one scenario.
    files["main.swift"] = """
      import IsaKVO
      KeyValueSettings.misuseHandler = { print("misuse \\($0.exception)") }
      switch Int(CommandLine.arguments[1])! {
      \(cases.joined(separator: "\n"))
      default: break
      }
      """
    try BuiltLibrary().compile(files, in: room, as: "all")
    TranslationTests.compare(room.file("all"))
  }

  @Test("Swift's compiler takes each example and lesson under Apple's names")
  func underApplesNames() throws {
    var files = ["Telling.swift": SwiftProgram.telling]
    for (index, (_, program)) in TranslationTests.programs.enumerated() {
      files["P\(index).swift"] = SwiftProgram(program, names: .apple).text()
    }
    try BuiltLibrary().compile(files, in: try TemporaryFolder(), as: nil)
  }

  @Test("a program takes the place of nothing else, and what cannot be written is said")
  func places() throws {
    let room = try TemporaryFolder()
    let output = Output()
    let export = ExportRun(console: output.console)
    let scenario = room.file("two words.kvo").path
    try Data("class K { x: int }\nlet k = K()\n".utf8).write(to: room.file("two words.kvo"))
    let package = room.file("package").path
    for _ in 1...2 { #expect(export.swiftPackage(of: scenario, to: package) == 0) }
    let manifest = try String(contentsOfFile: package + "/Package.swift", encoding: .utf8)
    #expect(manifest.contains("name: \"two-words\""))
    #expect(manifest.contains("path: \(CoreLibrary.ownCheckout.path.debugDescription)"))
    #expect(FileManager.default.fileExists(atPath: package + "/Sources/Scenario/main.swift"))
    #expect(export.swiftPackage(of: scenario, to: room.url.path) == 2)
    #expect(output.err.last?.contains("expected the folder of an exported scenario") == true)
    #expect(export.cProgram(of: scenario, to: scenario) == 2)
    #expect(export.cProgram(of: scenario, to: "/no/such/a.c") == 2)
    #expect(export.cProgram(of: "no-such.kvo", to: "-") == 2)
    #expect(output.out == [])
    #expect(export.cProgram(of: scenario, to: "-") == 0)
    #expect(output.text.hasPrefix("// two words.kvo in C"))
    for (file, word) in [
      ("a-b.c", "a-b.c"), ("a b.c", "FILE.c"), ("a", "FILE.c"), (".c", "FILE.c"),
    ] {
      #expect(export.cProgram(of: scenario, to: room.file(file).path) == 0)
      let line = try String(contentsOf: room.file(file), encoding: .utf8).split(separator: "\n")[2]
      #expect(line.hasPrefix("//     cc -std=gnu17 \(word) $(pkg-config"))
    }
  }
}

/// The library as the tests were built with it: its modules and objects beside the tests' own.
struct BuiltLibrary {
  private let folder = Child.executable.deletingLastPathComponent()
  private static let targets = [
    "CIsa", "CIsaHeader", "CSwiftRuntime", "IsaKeyValue", "IsaRuntime", "IsaKVO",
    "IsaKVOBindings", "IsaKVOFoundation",
  ]

  /// The words by which the compiler finds it.
  private var flags: [String] {
    let sources = Folder.checkout.appendingPathComponent("Sources")
    let headers = ["CIsa/include", "CIsaHeader/include", "CSwiftRuntime/include", "CLibFFI"]
    return ["-swift-version", "5", "-Onone", "-wmo", "-module-name", "Scenarios"]
      + ["-I", folder.appendingPathComponent("Modules").path]
      + headers.flatMap { ["-Xcc", "-I\(sources.appendingPathComponent($0).path)"] }
      + headers.flatMap {
        let map = sources.appendingPathComponent($0).appendingPathComponent("module.modulemap")
        return ["-Xcc", "-fmodule-map-file=\(map.path)"]
      } + sanitizer
  }

  /// Compiles files as one module to `program`; without one, looks whether that is possible.
  func compile(_ files: [String: String], in room: TemporaryFolder, as program: String?) throws {
    for (name, text) in files { try Data(text.utf8).write(to: room.file(name)) }
    let output = program.map { ["-o", $0] + objects + ["-lffi"] } ?? ["-typecheck"]
    let compiler = ChildProcess(executable: try #require(Tool.find("swiftc")), seconds: 600)
    let built = try #require(compiler.run(flags + files.keys.sorted() + output, in: room.url))
    try #require(built.hasSucceeded, "\(built.errors)")
  }

  private var objects: [String] {
    BuiltLibrary.targets.flatMap { target -> [String] in
      let place = folder.appendingPathComponent("\(target).build")
      let paths = (try? FileManager.default.subpathsOfDirectory(atPath: place.path)) ?? []
      return paths.filter { $0.hasSuffix(".o") }.sorted()
        .map { place.appendingPathComponent($0).path }
    }
  }

  /// The sanitizer that the objects were built with.
  private var sanitizer: [String] {
    let known = [("__asan_init", "address"), ("__tsan_init", "thread")]
    return known.filter { dlsym(nil, $0.0) != nil }.flatMap { ["-sanitize=\($0.1)"] }
  }
}
