import Foundation
import Testing

@testable import isalab

@Suite("Articles and their claims", .serialized, .oneAtATime)
struct ArticleTests {
  private static let names = Article.all.map(\.name)

  private func command(_ output: Output, _ language: Language = .english) -> ArticleRun {
    ArticleRun(console: output.console, language: language, process: Child.process())
  }

  /// An article of one claim, from the fields below `verdict`.
  private func article(_ fields: String) throws -> Article {
    let head = "title: T\ntitle zh: 题\nabout: A\nabout zh: 文\nclaim: C\nclaim zh: 说法\n"
    return try Article(head + "why: W\nwhy zh: 因\n" + fields, "test")
  }

  private func trial(_ fields: String) throws -> ClaimTrial {
    let article = try article("verdict: shown\n" + fields)
    let run = try #require(article.claims[0].run)
    return try #require(ClaimTrial(run, article, in: Child.process(), .english))
  }

  // MARK: The claims

  @Test("each run is as its verdict says", arguments: names)
  func check(name: String) {
    let output = Output()
    #expect(command(output).check(name) == 0, "\(output.text)")
    #expect(output.out.count == 1 && output.err == [])
  }

  @Test("each has words in both languages, and a run unless it is only named", arguments: names)
  func complete(name: String) throws {
    let article = try #require(Article.find(name))
    #expect(article.claims.count > 15)
    #expect(Set(article.claims.map(\.text.english)).count == article.claims.count)
    let words = article.claims.flatMap { [$0.text, $0.reason] } + [article.title, article.about]
    for text in words {
      #expect(text.chinese.hasHan && !text.english.hasHan && !text.english.isEmpty)
    }
    for claim in article.claims {
      #expect((claim.run == nil) == (claim.verdict == .named), "\(claim.text.english)")
    }
  }

  @Test("each run has the line that shows the claim, and can turn out otherwise", arguments: names)
  func lines(name: String) throws {
    for run in try #require(Article.find(name)).claims.compactMap(\.run) {
      let program = try ScenarioFile.program(of: run.scenario + "\n", file: "test.kvo")
      let statements = program.scenario.statements
      #expect(statements.contains { $0.whole == run.line }, "\(run.line)")
      let expects = statements.contains { if case .expect = $0.kind { true } else { false } }
      #expect(expects || run.shows != nil || run.symptom != nil, "\(run.line)")
    }
  }

  @Test("every design of an article is the scene of one of its claims")
  func designs() {
    let used = Set(Article.all.flatMap(\.claims).compactMap(\.run?.design))
    let designs = [
      "mk-strong", "mk-restore", "mk-weak", "mk-array", "handmade", "controller",
      "weak-controller", "safekvo-proxy", "safekvo-weak", "safekvo", "easykvo",
    ]
    for design in designs { #expect(used.contains(design), "\(design)") }
  }

  // MARK: A run that is not as it should be

  private static let told = """
    scenario:
      class Person { name: string }
      let ada = Person()
      observe ada.name as a
      ada.name = "Ada"

    """

  @Test(
    "a run that is otherwise than the verdict says is found out",
    arguments: [
      (
        "design: isakvo\nline: ada.name = \"Ada\"\nsymptom: leak\n",
        "the run ends otherwise than the verdict says, isakvo runs to its end, all as expected"
      ),
      (
        "design: isakvo\nline: expect a count 2\n",
        "the run ends otherwise than the verdict says, "
          + "isakvo runs to its end, 1 expectation not met"
      ),
      (
        "design: isakvo\nline: expect a count 1\n",
        "the run does not come to 'expect a count 1'"
      ),
      (
        "design: isakvo\nline: ada.name = \"Ada\"\nshows: on another thread\n",
        "the run does not say 'on another thread' at 'ada.name = \"Ada\"'"
      ),
      (
        "design: easykvo\nline: ada.name = \"Ada\"\nsymptom: leak\nraised: NSRangeException\n",
        "the run does not say 'NSRangeException' at 'ada.name = \"Ada\"'"
      ),
    ])
  func falseClaim(_ fields: String, _ says: String) throws {
    let isBroken = fields.contains("count 2")
    let more = isBroken ? "  expect a count 2\n" : ""
    #expect(try trial(fields + ArticleTests.told + more).problem?.english == says)
  }

  @Test("an expectation that is not met counts only in the line of the claim")
  func otherLine() throws {
    let scenario = ArticleTests.told + "  expect a count 2\n  expect ada.name == \"Ada\"\n"
    let head = "design: isakvo\nsymptom: wrong\nline: "
    #expect(try trial(head + "expect a count 2\n" + scenario).problem == nil)
    #expect(
      try trial(head + "expect ada.name == \"Ada\"\n" + scenario).problem?.english
        == "'expect a count 2' is not met")
    #expect(
      try trial(head + "expect a count 2\n" + ArticleTests.told + "  expect a count 1\n")
        .problem != nil)
  }

  @Test("the check of a claim that is not so fails, and says which")
  func failing() throws {
    let output = Output()
    let view = ArticleView()
    let article = try article("verdict: named\n")
    for line in view.lines(of: article, claim: 1, Text("article.no-line", ["line": "x"])) {
      output.console.out(line)
    }
    #expect(output.out == ["test 1: the run does not come to 'x'"])
    #expect(view.summary(of: article, 2).hasSuffix("only named 1, 2 runs NOT as the verdict says"))
  }

  @Test(
    "a text that is none of an article is told where it is wrong",
    arguments: [
      ("verdict: true\n", "'true' is no verdict, expected another"),
      ("verdict: shown\n", "there is no 'line', expected one"),
      ("verdict: shown\nline: x\n", "there is no 'design', expected one"),
      ("verdict: shown\nline: x\ndesign: nobody\n", "'nobody' is no design, expected another"),
      ("verdict: shown\nline: x\nlesson: none\n", "'none' is no lesson, expected another"),
      ("verdict: shown\nline: x\nexhibit: none\n", "'none' is no exhibit, expected another"),
      ("verdict: named\nproof: x\n", "there is no field 'proof', expected about"),
    ])
  func malformed(_ fields: String, _ says: String) {
    let error = #expect(throws: Diagnostic.self) { try article(fields) }
    #expect(error?.description.contains(says) == true, "\(error?.description ?? "")")
    #expect(error?.description.hasPrefix("test.article:") == true)
  }

  // MARK: The command

  @Test("lists the articles, and one's claims, in 80 columns", arguments: Language.allCases)
  func show(_ language: Language) throws {
    let list = Output()
    #expect(command(list, language).list() == 0)
    for article in Article.all {
      let output = Output()
      #expect(command(output, language).show(article.name) == 0)
      #expect((list.out + output.out).filter { $0.columns > 80 } == [])
      #expect(list.out.contains { $0.hasPrefix(article.name) })
      let text = output.out.map { $0.filter { !$0.isWhitespace } }.joined()
      for claim in article.claims {
        for part in [claim.text, claim.reason] {
          #expect(text.contains(part[language].filter { !$0.isWhitespace }))
        }
        let line = claim.run?.line.filter { !$0.isWhitespace } ?? ""
        #expect(claim.run == nil || text.contains(line))
      }
    }
  }

  @Test("shows one claim with its run, in either language", arguments: Language.allCases)
  func claim(_ language: Language) throws {
    let article = try #require(Article.find("mkkvo"))
    let number = try #require(article.claims.firstIndex { $0.run?.design == "mk-restore" }) + 1
    let output = Output()
    #expect(command(output, language).show("mkkvo", claim: number) == 0, "\(output.text)")
    #expect(output.text.contains("isa first == Person"))
    #expect(output.text.contains("MKKVO_Person → Person"))
    #expect(output.err == [])
  }

  @Test("a claim that is only named is shown without a run")
  func named() throws {
    let article = try #require(Article.find("mkkvo"))
    let number = try #require(article.claims.firstIndex { $0.verdict == .named }) + 1
    let output = Output()
    #expect(command(output).show("mkkvo", claim: number) == 0)
    #expect(output.text.contains("only named: "))
  }

  @Test("no such article, the nearest one is offered; no such claim, how many there are")
  func unknown() {
    let output = Output()
    #expect(command(output).show("safe-kvo") == 2)
    #expect(
      output.err == [
        "unknown article 'safe-kvo', expected handmade, kvocontroller, safekvo, easykvo or mkkvo"
          + "; did you mean 'safekvo'?"
      ])
    #expect(command(output).show("mona-lisa") == 2)
    #expect(output.err.last?.hasSuffix("easykvo or mkkvo") == true)
    #expect(command(output).check("mona-lisa") == 2)
    #expect(command(output).page(of: "mona-lisa", to: "/no/such/x.html") == 2)
    for number in [0, 1000] {
      #expect(command(output).show("easykvo", claim: number) == 2)
      #expect(output.err.last == "easykvo has no claim \(number), expected 1 to 20")
    }
    #expect(output.out == [])
  }

  @Test("the command takes a claim, --check or --html, one of them")
  func usage() throws {
    #expect(try Child.run(["article", "easykvo", "1", "--check"]).end == .exit(2))
    #expect(try Child.run(["article", "--html", "x.html"]).end == .exit(2))
    #expect(try Child.run(["article", "easykvo", "one"]).end == .exit(2))
    #expect(try Child.run(["article", "easykvo", "99"]).end == .exit(2))
    let list = try Child.run(["article"])
    #expect(list.end == .exit(0) && list.output.contains("mkkvo"))
    let claim = try Child.run(["article", "easykvo", "9", "--lang", "zh"])
    #expect(claim.end == .exit(0) && claim.output.contains("easykvo 泄漏"))
  }

  @Test("a process that cannot be started is said")
  func noProcess() {
    let output = Output()
    let process = ChildProcess(executable: URL(fileURLWithPath: "/no/such/file"), seconds: 1)
    let run = ArticleRun(console: output.console, process: process)
    #expect(run.check("easykvo") == 2)
    #expect(run.show("easykvo", claim: 1) == 2)
    #expect(run.page(of: "easykvo", to: "/no/such/x.html") == 2)
    let reason = "this program cannot be started as a process of its own"
    #expect(output.err.count == 3 && output.err.allSatisfy { $0.contains(reason) })
  }

  // MARK: Pages

  @Test("each claim is one click from the step of its run", arguments: names)
  func pages(name: String) throws {
    let article = try #require(Article.find(name))
    let pages = ArticlePages(
      article: article, language: .chinese, process: Child.process(), file: "x.html")
    let files = try pages.pages()
    let root = try ParsedPage(files[0].text).root
    #expect(root["lang"] == "zh-Hans")
    #expect(root.first("h1")?.text == article.title.chinese)
    let runs = article.claims.filter { $0.run != nil }
    let links = root.all.filter { $0.name == "a" }.map { $0["href"] }
    #expect(links.count == runs.count && files.count == runs.count + 1)
    for (link, claim) in zip(links, runs) {
      let parts = link.split(separator: "#")
      let file = try #require(files.first { $0.path == parts[0] })
      try expect(ParsedPage(file.text), at: String(parts[1]), shows: claim)
    }
    let places = root.all.map { $0["id"] }.filter { $0.hasPrefix("claim-") }
    #expect(places == article.claims.indices.map { "claim-\($0 + 1)" })
  }

  private func expect(_ page: ParsedPage, at place: String, shows claim: Claim) throws {
    let run = try #require(claim.run)
    #expect(page.root.text.contains(claim.text.chinese))
    #expect(page.root.all.contains { $0.name == "a" && $0["href"] == "x.html" })
    let step = try #require(Int(place.dropFirst("step=".count)))
    let texts = page.steps.map { $0["text"] as? String ?? "" }
    guard run.isHere else {
      // At the line, or where it would have come.
      #expect(texts.indices.contains(step) && (texts[step] == run.line || step == texts.count - 1))
      return
    }
    let line = try #require(texts.lastIndex(of: run.line))
    // What an expectation is about stands above it.
    let isExpectation = run.line.hasPrefix("expect ")
    let act = isExpectation ? texts[..<line].lastIndex { !$0.hasPrefix("expect ") } : line
    #expect(step == act)
  }

  @Test("are written beside each other; what cannot be written is said")
  func written() throws {
    let room = try TemporaryFolder()
    let output = Output()
    #expect(command(output).page(of: "easykvo", to: room.file("easy.html").path) == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: room.url.path).sorted()
    #expect(names.contains("easy.html") && names.contains("easy-02.html"))
    #expect(names.count == Article.find("easykvo")!.claims.count { $0.run != nil } + 1)
    #expect(command(output).page(of: "easykvo", to: "/no/such/x.html") == 2)
    #expect(output.err.last?.hasPrefix("/no/such/x.html: cannot be written") == true)
  }

  @Test("a lecture leads to articles and museum where it has a process for them")
  func lecture() throws {
    let lessons = [Lessons.isaSwap]
    let lecture = Lecture(lessons: lessons, language: .english, process: Child.process())
    let index = try ParsedPage(try #require(try lecture.page("index.html"))).root
    func links(_ id: String) throws -> [String] {
      let section = try #require(index.all.first { $0["id"] == id })
      return section.all.filter { $0.name == "a" }.map { $0["href"] }
    }
    #expect(try links("articles") == Article.all.map { "article-\($0.name).html" })
    #expect(try links("museum") == Exhibit.all.map { "museum-\($0.name).html" })
    #expect(Set(lecture.files).count == lecture.files.count)
    #expect(try lecture.page("article-none.html") == nil)
    // Those of articles and of their claims are made above.
    var files: [String: String] = [:]
    for file in lecture.files where file.hasPrefix("museum-") || file == "article-easykvo.html" {
      files[file] = try lecture.page(file)
    }
    for path in try links("museum") + ["article-easykvo.html"] {
      let home = try ParsedPage(try #require(files[path])).root.all
        .first { $0["href"] == "index.html" }
      #expect(home?.text == "All lessons")
    }
    for exhibit in Exhibit.all { try expectFailing(exhibit, files) }
    #expect(try Lecture(lessons: lessons, language: .english).pages().count == 3)
  }

  /// An exhibit's page is open where its design fails, and says what happens; the others are open at
  /// the start.
  private func expectFailing(_ exhibit: Exhibit, _ files: [String: String]) throws {
    let failing = try ParsedPage(try #require(files[MuseumPages.file(of: exhibit)]))
    for words in [exhibit.sign, exhibit.cause, exhibit.fix] {
      #expect(failing.root.text.contains(words.english), "\(exhibit.name)")
    }
    for design in exhibit.designs.dropFirst() {
      let page = try ParsedPage(try #require(files[MuseumPages.file(of: exhibit, under: design)]))
      #expect(page.root.text.contains(DesignTrial.Outcome.clean.text.english), "\(exhibit.name)")
      guard !exhibit.isCode else { continue }
      #expect(page.root.all.first { $0["id"] == "slider" }?["data-start"] == "0")
    }
    guard !exhibit.isCode, exhibit.design != NativeDesign.name else { return }
    let start = try #require(failing.root.all.first { $0["id"] == "slider" }?["data-start"])
    let step = try #require(Int(start))
    #expect(step > 0 && failing.steps.indices.contains(step), "\(exhibit.name)")
    let told = failing.steps[step]["told"] as? [String] ?? []
    switch exhibit.symptom {
    case .crash: #expect(told.contains { $0.contains("SIG") }, "\(exhibit.name) \(told)")
    case .exception:
      #expect(told.contains { $0.lowercased().contains("exception") }, "\(exhibit.name) \(told)")
    case .hang: #expect(told.contains { $0.contains("hangs") }, "\(exhibit.name) \(told)")
    case .wrong, .leak, .refusal: #expect(!told.isEmpty, "\(exhibit.name)")
    }
  }
}
