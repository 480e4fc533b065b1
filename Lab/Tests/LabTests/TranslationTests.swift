import Foundation
import Testing

@testable import isalab

@Suite("Scenarios in other languages", .serialized, .oneAtATime)
struct TranslationTests {
  /// Every example and every lesson.
  static let programs: [(name: String, program: Program)] = {
    let examples = ScenarioTests.examples.compactMap { name -> (String, String)? in
      let file = Folder.scenarios.appendingPathComponent(name)
      return (try? String(contentsOf: file, encoding: .utf8)).map { (name, $0) }
    }
    let lessons = Lessons.all.map { ("lesson-\($0.file)", $0.lines + "\n") }
    return (examples + lessons).compactMap { name, text in
      (try? ScenarioFile.program(of: text, file: name)).map { (name, $0) }
    }
  }()

  // MARK: Lines

  @Test("each statement is said in each language, or a comment says that it is not")
  func complete() {
    for (name, program) in TranslationTests.programs {
      for language in ProgrammingLanguage.allCases {
        let statements = program.scenario.statements
        for (statement, lines) in zip(statements, language.lines(of: program)) {
          let said = lines.joined().filter { !$0.isWhitespace }
          #expect(!said.isEmpty, "\(name), \(language): \(statement.text)")
        }
      }
    }
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
    #expect(GraphRun.text(of: run, at: 4, .text, .objectiveC).contains("k.x = 1;"))
    let panes = StepPanes(
      run: run, step: 4, station: nil, width: 60, translations: run.translations(.c))
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
}
