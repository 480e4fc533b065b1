import Foundation
import Testing

@testable import isalab

/// Any command that runs a scenario, under another design.
@Suite("Scenarios under another design", .serialized, .oneAtATime)
struct DesignRunTests {
  private static let scenario = """
    class Person {
      name: string
    }
    let ada = Person()
    observer view
    observe ada.name by view options(old, new)
    ada.name = "Ada"
    expect view count 1
    release view
    ada.name = "Eve"

    """

  private func execution(_ design: String, limit: Int = Budget.defaultLimit) -> Execution {
    Execution(limit: limit, design: .init(name: design, process: Child.process(seconds: 5)))
  }

  private func run(_ design: String, limit: Int = Budget.defaultLimit) throws -> Run {
    try execution(design, limit: limit).run(
      try ScenarioFile.program(of: DesignRunTests.scenario, file: "test.kvo"))
  }

  @Test("this engine's run in a process of its own is the run here, event by event")
  func engine() throws {
    let here = try Execution().run(
      try ScenarioFile.program(of: DesignRunTests.scenario, file: "test.kvo"))
    let there = try run(Designs.engine)
    #expect(there.failure == nil && there.exitCode == here.exitCode && there.held == here.held)
    #expect(there.steps.map(\.text) == here.steps.map(\.text))
    for (step, other) in zip(here.steps, there.steps) {
      #expect(step.events.map(\.kind) == other.events.map(\.kind), "\(step.text)")
      #expect(step.events.map(\.cause) == other.events.map(\.cause), "\(step.text)")
      #expect(step.facts.deliveries == other.facts.deliveries, "\(step.text)")
      #expect(step.state.told == other.state.told, "\(step.text)")
    }
  }

  @Test("a run that crashes is there up to the event before, and says in which line")
  func crash() throws {
    let run = try run("classic")
    #expect(run.steps.count == 8 && run.exitCode == 1 && run.held == 1 && run.broken.isEmpty)
    let failure = try #require(run.failure)
    #expect(
      failure.text(in: .english)
        == "test.kvo:10:1: classic: crashes: SIGSEGV, expected a run to its end")
    // The ivar was written, and the observer not told.
    let last = run.steps[7]
    #expect(last.state.object("ada")?.ivars.first.map { "\($0.value)" } == "\"Eve\"")
    #expect(last.state.told["view"]?.count == 1)
    #expect(last.events.last?.kind == .notification)
  }

  @Test("what a design has no word for is said, and the run goes on")
  func wordless() throws {
    let text = """
      class K { x: int }
      let k = K()
      observer o
      observe k.x by o options(new) context 7
      remove o from k.x context 7
      k.x = 1

      """
    let run = try execution("controller").run(
      try ScenarioFile.program(of: text, file: "test.kvo"))
    let notes = run.steps[4].facts.compactMap { fact -> String? in
      if case .note(let text) = fact { text.english } else { nil }
    }
    #expect(notes == ["not supported: removal by context"])
    #expect(run.steps.count == 6 && run.steps[5].deliveries.count == 1)
  }

  @Test("more events than the limit stop the run, as here")
  func limit() throws {
    let run = try run("apple", limit: 10)
    #expect(run.exitCode == 2)
    #expect(run.stopped?.text(in: .english).contains("the run has not come to an end") == true)
  }

  @Test("run, graph, inspect, diff, why and export take the design; a wrong one is refused")
  func commands() throws {
    let room = try TemporaryFolder()
    let file = room.file("test.kvo")
    try Data(DesignRunTests.scenario.utf8).write(to: file)
    func call(_ arguments: [String]) throws -> ChildProcess.Result {
      try Child.run(arguments + ["--lang", "en"])
    }
    let design = ["--design", "classic"]
    let run = try call(["run", file.path] + design)
    #expect(run.end == .exit(1) && run.output.contains("crashes: SIGSEGV"))
    #expect(run.errors.contains("test.kvo:10:1: classic: crashes: SIGSEGV"))
    let graph = try call(["graph", file.path, "--at", "4"] + design)
    #expect(graph.end == .exit(1) && graph.output.contains(". . > ada: name"))
    let before = try call(["graph", file.path, "--at", "4", "--design", "mk-strong"])
    #expect(before.end == .exit(0) && before.output.contains("==swapped==> MKKVO_Person"))
    let inspect = try call(["inspect", file.path, "ada", "--at", "5"] + design)
    #expect(inspect.end == .exit(0) && inspect.output.contains("\"Ada\""))
    let diff = try call(["diff", file.path, "7", "8"] + design)
    #expect(diff.end == .exit(0) && diff.output.contains("\"Eve\""))
    let why = try call(["why", file.path, "--at", "5", "--design", "apple"])
    #expect(why.end == .exit(0) && why.output.contains("view"))
    let page = room.file("page.html")
    let export = try call(["export", file.path, "--html", page.path] + design)
    #expect(export.end == .exit(1))
    let root = try ParsedPage(try String(contentsOf: page, encoding: .utf8)).root
    #expect(root.all.first { $0["id"] == "slider" }?["data-start"] == "8")
    for command in ["run", "step", "graph", "inspect", "export", "serve"] {
      let wrong = try call([command, file.path, "--design", "nobody"])
      #expect(wrong.end == .exit(2) && wrong.errors.contains("unknown design 'nobody'"))
    }
  }
}

/// Designs beside each other on one page.
@Suite("isalab export --compare", .serialized, .oneAtATime)
struct ComparePageTests {
  private func stations(_ kinds: [Lane.Station.Kind]) -> [Lane.Station] {
    kinds.enumerated().map {
      Lane.Station(
        kind: $1, event: UInt64($0 + 1), depth: 0, title: $1.rawValue, text: "\($0)")
    }
  }

  @Test("ways are aligned: each is as before without its gaps, and a row is of one kind")
  func alignment() {
    var random = SystemRandomNumberGenerator()
    let kinds: [Lane.Station.Kind] = [.object, .isa, .slot, .will, .did, .back]
    for _ in 0..<300 {
      let ways = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        stations(
          (0..<Int.random(in: 0...9, using: &random)).map { _ in
            kinds.randomElement(using: &random)!
          })
      }
      let aligned = Lane.aligned(ways)
      #expect(Set(aligned.map(\.count)).count == 1)
      for (way, row) in zip(ways, aligned) { #expect(row.filter { $0.kind != .gap } == way) }
      for place in aligned[0].indices {
        let found = Set(aligned.map { $0[place].kind }).subtracting([.gap])
        #expect(found.count == 1, "\(ways)")
      }
    }
  }

  @Test("as many stations as can stand beside their like, the longest way as it is")
  func best() {
    let short = stations([.object, .slot, .back])
    let long = stations([.object, .isa, .slot, .will, .did, .back])
    let aligned = Lane.aligned([short, long])
    #expect(aligned[1] == long)
    #expect(aligned[0].map(\.kind) == [.object, .gap, .slot, .gap, .gap, .back])
    // A gap is at the event of the station before it.
    #expect(aligned[0].map(\.event) == [1, 1, 2, 2, 2, 3])
    let many = stations(Array(repeating: .act, count: 3000))
    #expect(Lane.aligned([many, many, short]).map(\.count) == [3003, 3003, 3003])
  }

  private func export(_ designs: String, _ arguments: [String] = []) throws -> ChildProcess.Result {
    let room = try TemporaryFolder()
    let file = room.file("test.kvo")
    let text = "class K { x: int }\nlet k = K()\nobserve k.x options(new) as t\nk.x = 1\n"
    try Data(text.utf8).write(to: file)
    return try Child.run(
      ["export", file.path, "--compare", designs, "--html", "-", "--lang", "en"] + arguments)
  }

  @Test("has a page for each design, whose boxes are in the same places")
  func page() throws {
    let result = try export("apple,mk-strong,isakvo")
    #expect(result.end == .exit(0))
    let root = try ParsedPage(result.output).root
    let designs = root.with(class: "design")
    #expect(designs.map { $0["aria-label"] } == ["apple", "mk-strong", "isakvo"])
    let pages = try designs.map { design in
      try ParsedPage(try #require(design.all.first { $0.name == "iframe" })["srcdoc"]).root
    }
    let places = pages.map { page in
      Dictionary(
        page.with(class: "node").map { ($0["data-id"], $0["transform"]) },
        uniquingKeysWith: { one, _ in one })
    }
    #expect(places[0].count > 4)
    #expect(places.allSatisfy { $0 == places[0] })
    #expect(root.with(class: "differences").first?.text.contains("mk-strong") == true)
  }

  @Test("takes two or three designs, of a scenario, into a page")
  func usage() throws {
    for list in ["isakvo", "apple,gnustep,isakvo,classic", "isakvo,isakvo"] {
      let result = try export(list)
      #expect(result.end == .exit(2) && result.errors.contains("expected two to 3"), "\(list)")
    }
    let unknown = try export("isakvo,nobody")
    #expect(unknown.end == .exit(2) && unknown.errors.contains("unknown design 'nobody'"))
    let lecture = try Child.run(
      ["export", "--lecture", "/tmp", "--compare", "apple,isakvo", "--lang", "en"])
    #expect(lecture.end == .exit(2) && lecture.errors.contains("--compare takes FILE.kvo"))
  }
}
