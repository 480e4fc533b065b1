import Foundation
import Testing

@testable import isalab

@Suite("Every command in Chinese", .serialized, .oneAtATime)
struct ChineseTests {
  private let options = TextOptions(language: .chinese)
  private let output = Output()

  private func example(_ name: String) -> String {
    Folder.scenarios.appendingPathComponent(name + ".kvo").path
  }

  /// The lines that have English words in them, but for the code in them.
  private func english(_ lines: [String], code: Set<String> = []) -> [String] {
    lines.filter { line in
      ChineseTests.isEnglish(line) && !code.contains { line.contains($0) }
    }
  }

  /// Names with underscores are code, as is what stands in quotes.
  static func isEnglish(_ line: String) -> Bool {
    let code = #/“[^”]*”|`[^`]*`|[A-Za-z]+_[A-Za-z_]+/#
    return LanguageTests.isEnglish(line.replacing(code, with: "x"))
  }

  private func check(_ lines: [String], code: Set<String> = []) {
    #expect(english(lines, code: code) == [])
    #expect(lines.contains { $0.hasHan })
  }

  @Test("the catalogue has no English in Chinese, and Chinese wherever English has words")
  func catalogue() {
    for (key, phrase) in Catalogue.all where !key.hasPrefix("parser.") {
      let (english, chinese) = (words(phrase, .english), words(phrase, .chinese))
      #expect(!ChineseTests.isEnglish(chinese), "\(key): \(chinese)")
      let isCode = chinese.replacing(" x ", with: "").contains { $0.isLetter } && !chinese.hasHan
      if LanguageTests.isEnglish(english) { #expect(!isCode, "\(key): \(chinese)") }
    }
  }

  private func words(_ phrase: Phrase, _ language: Language) -> String {
    phrase[language].map { if case .words(let words) = $0 { words } else { " x " } }.joined()
  }

  @Test("questions about steps are answered in Chinese")
  func inquiries() throws {
    let run = InquiryRun(options: options, console: output.console)
    let paths = example("key-paths")
    #expect(run.inspect(paths, at: 10, named: nil) == 0)
    #expect(run.inspect(paths, at: 10, named: "ada") == 0)
    #expect(run.difference(paths, from: 7, to: 18) == 0)
    #expect(run.dispatch(paths, "setHome:", to: "ada", at: 10) == 0)
    #expect(run.dispatch(paths, "automaticallyNotifiesObserversForKey:", to: "Person", at: 10) == 0)
    #expect(output.text.contains("+[IsaObject automaticallyNotifiesObserversForKey:]，由"))
    #expect(run.thunk(paths, "Person.home", nil, at: 10) == 0)
    for name in ["key-paths", "dependent-keys", "manual", "poke"] {
      let file = example(name)
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let observers = WhyNot.observers(of: Runner.run(try ScenarioFile(name: file).program()))
      for step in try steps(text) where step.number % 10 == 2 {
        _ = run.why(file, .step(step.number, observer: nil))
        for observer in observers {
          _ = run.why(file, .not(step.number, observer: observer))
        }
      }
    }
    let code = try statements("key-paths", "dependent-keys", "manual", "poke")
    check(output.out, code: code)
  }

  /// The lines of examples.
  private func statements(_ names: String...) throws -> Set<String> {
    let texts = try names.map { try String(contentsOfFile: example($0), encoding: .utf8) }
    let lines = texts.flatMap { $0.components(separatedBy: "\n") }
    return Set(lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.count > 3 })
  }

  @Test("what is asked amiss is told in Chinese")
  func wrongQuestions() {
    let run = InquiryRun(options: options, console: output.console)
    let file = example("person")
    #expect(run.inspect(file, at: 99, named: nil) == 2)
    #expect(run.inspect(file, at: nil, named: "nobody") == 2)
    #expect(run.dispatch(file, "fly", to: "ada", at: nil) == 2)
    #expect(run.thunk(file, "Person.nothing", nil, at: nil) == 2)
    #expect(run.why(file, .event(9999)) == 2)
    #expect(run.why(file, .not(nil, observer: "nobody")) == 2)
    #expect(run.inspect("nowhere.kvo", at: nil, named: nil) == 2)
    let graph = GraphRun(stop: 99, console: output.console, language: .chinese)
    #expect(graph.run(file: file) == 2)
    // The names that there are stand in a list.
    check(output.err, code: ["、IsaDictionary、"])
    #expect(output.err.allSatisfy { $0.contains("应为") })
  }

  @Test(
    "a mistake in a scenario is told in Chinese",
    arguments: [
      "let p = Nobody()", "class P { age: int }\nlet p = P()\np.agee = 2", "observe",
      "class P { age: int", "struct S {}", "let p = \"x", "class P { x: {A=dd }", "p.x = 1",
      "class P { a: int }\nlet p = P()\np.a = \"x\"", "expect nothing", "frobnicate p",
      "class P { x: int }\nlet p = P()\nexpect p.x == 2", "let let = P()",
    ])
  func mistakes(_ text: String) {
    #expect(runScenario(text + "\n", options).code != 0)
    let told = runScenario(text + "\n", options).output.err
    #expect(!told.isEmpty && told.allSatisfy { $0.hasHan })
    #expect(english(told) == [])
  }

  @Test("drawings say in Chinese what they show", arguments: GraphRun.Format.allCases)
  func graphs(_ format: GraphRun.Format) throws {
    let run = Runner.run(try ScenarioFile(name: example("key-paths")).program())
    let text = GraphRun.text(of: run, at: Moment(step: 10), format, nil, .chinese)
    #expect(text.hasHan)
    if format == .text {
      check(text.split(separator: "\n").map(String.init))
      #expect(text.contains(" ==已替换==> NSKVONotifying_"))
    }
  }

  @Test("the museum's list and an exhibit are in Chinese")
  func museum() throws {
    let run = MuseumRun(
      console: output.console, language: .chinese, process: Child.process())
    #expect(run.run(nil) == 0)
    #expect(output.out.count == Exhibit.all.count && output.out.allSatisfy { $0.hasHan })
    #expect(run.run("second-observer") == 0)
    #expect(run.run("remove-insert") == 0)
    #expect(run.run("no-such-exhibit") == 2)
    // The exhibits' code, and their scenarios, are code.
    let shown = output.out.filter { $0.hasHan }
    #expect(english(shown) == [])
    #expect(output.err.allSatisfy { $0.hasHan })
  }

  @Test("a comparison of designs is in Chinese")
  func comparison() throws {
    let run = CompareRun(console: output.console, language: .chinese, process: Child.process())
    let file = example("person")
    #expect(run.run(file: file, designs: "isakvo,handmade,controller") == 0)
    #expect(run.run(file: file, designs: "nothing") == 2)
    check(output.out, code: try statements("person"))
    check(output.err)
    DesignList(console: output.console, language: .chinese).show()
    #expect(output.out.suffix(20).contains { $0.hasHan })
    for design in Designs.all {
      // A design that is called as its library is has that name in every language.
      let (english, chinese) = (design.title.english, design.title.chinese)
      let names = chinese.split { !$0.isLetter }
      #expect(chinese.hasHan || names.allSatisfy(english.contains), "\(design.name): \(chinese)")
      #expect(design.source.chinese.hasHan, "\(design.name)")
    }
  }

  @Test("levels, tasks, cases and hints are in Chinese, for either language")
  func levels() {
    let lab = LabRun(console: output.console, language: .chinese)
    #expect(lab.list() == 0)
    check(output.out)
    for level in Level.all {
      for kit in LabLanguage.allCases {
        let readme = LabKit.files(level, kit, .chinese)[0].text
        check(readme.split(separator: "\n").map(String.init))
        for scene in level.told(in: kit).scenes { check([scene.hint.chinese]) }
      }
    }
    #expect(lab.start(9, language: "c", folder: nil) == 2)
    #expect(lab.start(1, language: "cobol", folder: nil) == 2)
    #expect(lab.grade(1, folder: "/nowhere") == 2)
    #expect(ClassRun(lab: lab).grade(1, folders: "/nowhere", report: nil) == 2)
    #expect(ClassRun(lab: lab).grade(1, folders: "/", report: "x.doc") == 2)
    check(output.err)
  }

  @Test("a failing case is told in Chinese")
  func grading() {
    let scene = Level.all[0].scenes[0].drawn(seed: 1)
    let results = [
      SceneResult(scene: scene, heard: ["x"], trouble: .crashed(signal: SIGSEGV, said: "")),
      SceneResult(scene: scene, heard: scene.expected),
      SceneResult(scene: scene, heard: [], trouble: .tookTooLong(seconds: 2)),
      SceneResult(scene: scene, heard: [], trouble: .forged),
      SceneResult(scene: scene, heard: [], trouble: .ended(code: 3, said: "")),
    ]
    let view = GradeView(language: .chinese)
    let lines =
      view.lines(level: Level.all[0], Grade(seed: 1, results: results))
      + view.lines(cases: Grade(seed: 1, results: results))
    check(lines, code: Set(scene.expected))
  }

  @Test("exercises, the swap of Swift's isa and unwritten files are told in Chinese")
  func others() {
    let check = CheckRun(console: output.console, language: .chinese)
    #expect(check.check("isa-swap", file: example("person")) == 1)
    #expect(check.check("nothing", file: example("person")) == 2)
    _ = SwiftIsaRun(console: output.console, language: .chinese).run()
    let export = ExportRun(language: .chinese, console: output.console)
    #expect(export.page(of: example("person"), to: "/nowhere/x.html") == 2)
    #expect(export.lecture(to: "/etc") == 2)
    self.check(output.out.filter { $0.hasHan })
    self.check(output.err.filter { !$0.contains(".kvo:") })
  }

  @Test(
    "usage is told in Chinese where the locale is, and English where it is not",
    arguments: [
      [], ["run"], ["tour"], ["inspect"], ["diff"], ["why"], ["dispatch"], ["thunk"], ["step"],
      ["graph"], ["export"], ["museum"], ["questions"], ["compare"], ["swiftisa"], ["check"],
      ["lab", "start"], ["lab", "grade"], ["lab", "run"],
    ])
  func help(_ command: [String]) throws {
    var process = Child.process()
    let locales = [("zh_CN.UTF-8", true), ("C.UTF-8", false)]
    for (locale, isChinese) in command == ["run"] ? locales : [locales[0]] {
      process.variables = ["LC_ALL": locale]
      let run = try #require(process.run(["help"] + command))
      let lines = run.output.split(separator: "\n").map(String.init)
      #expect(lines.contains { $0.hasHan } == isChinese, "\(command)")
      if isChinese { #expect(english(lines) == []) }
    }
    process.variables = ["LC_ALL": "zh_CN.UTF-8"]
    let wrong = try #require(process.run(command + ["--no-such-option"]))
    #expect(wrong.errors.contains("用法"))
    #expect(english(wrong.errors.split(separator: "\n").map(String.init)) == [])
  }
}
