import Foundation
import Testing

@testable import isalab

@Suite("The articles' code, stage by stage", .serialized, .oneAtATime)
struct StageTests {
  @Test("each stage has the failure that the next one is free of, the last one this engine")
  func chain() {
    #expect(Exhibit.stages.map(\.design) == Designs.stages.map(\.name))
    let next = Designs.stages.dropFirst().map { Optional($0.name) } + [nil]
    #expect(Exhibit.stages.map(\.next) == next)
    #expect(Exhibit.stages.allSatisfy { $0.code != nil })
  }

  /// Runs a scenario under a design in this process, which it must not end.
  private func run(_ design: DesignInfo, _ scenario: String) throws -> Run {
    let program = try Checker.check(try Parser.parse(scenario, file: "test.kvo"))
    return Runner.run(program, DesignSession(design) { _ in })
  }

  /// What later stages have as well as the one that adds it.
  private static let additions: [(stages: ClosedRange<Int>, text: String)] = [
    (
      2...4,
      """
      observer o
      observe ada.name by o
      remove o from ada.name
      ada.name = "x"
      expect no notification
      expect isa ada == Person
      """
    ),
    (3...7, "observer o\nobserve ada.name by o\nrelease o\nexpect alive o == false"),
    (
      4...7,
      "observe ada.name as a\nobserve ada.name as b\nada.name = \"x\"\nexpect notifications 2"
    ),
    (
      4...7,
      "observe ada.name as a\nobserve ada.home as b\nada.home = \"x\"\nexpect notifications 1"
    ),
    // A message reaches observers alone, a block whatever registers it.
    (5...5, "observe ada.name by ada\nada.name = \"x\"\nexpect notifications 1"),
    (
      6...7,
      """
      observer o
      observe ada.name by o
      release o
      ada.name = "x"
      expect no notification
      """
    ),
    (
      7...7,
      """
      observer o
      observe ada.name by o
      release ada
      expect alive ada == false
      """
    ),
  ]

  @Test("what a stage adds it has, and so have later ones", arguments: additions.indices)
  func grows(_ addition: Int) throws {
    let (stages, text) = StageTests.additions[addition]
    let head = "class Person { name: string, home: string }\nlet ada = Person()\n"
    for stage in stages {
      let design = Designs.stages[stage - 1]
      let run = try run(design, head + text + "\n")
      #expect(run.exitCode == 0, "\(design.name): \(run.broken)")
    }
  }

  @Test("mk_KVO keeps one observer until it has an array, and notifies it of each key till then")
  func oneInfo() throws {
    let text = """
      class Person { name: string, home: string }
      let ada = Person()
      observer o
      observer p
      observe ada.name by o
      observe ada.home by p
      ada.name = "Ada"
      """
    for (stage, names) in zip(1...4, [["p"], ["p"], ["p"], ["o"]]) {
      let run = try run(Designs.stages[stage - 1], text + "\n")
      #expect(run.steps.flatMap(\.deliveries).map(\.observer) == names)
    }
  }

  @Test("mk_KVO's array does not look for an equal info: added twice is notified twice")
  func addedTwice() throws {
    let text = """
      class Person { name: string }
      let ada = Person()
      observer o
      observe ada.name by o
      observe ada.name by o
      ada.name = "Ada"
      expect o count 2
      remove o from ada.name
      ada.name = "Eve"
      expect o count 3
      expect isa ada != Person
      remove o from ada.name
      expect isa ada == Person
      """
    let run = try run(Designs.infoArray, text + "\n")
    #expect(run.exitCode == 0, "\(run.broken)")
  }

  @Test("a removal ends the one that is meant, and what is not there is not missed")
  func removal() throws {
    let text = """
      class Person { name: string, home: string }
      let ada = Person()
      observer o
      observe ada.name by o
      observe ada.home by o
      observe ada.name as t
      remove o from ada.home
      remove o from ada.home
      ada.home = "Turin"
      expect no notification
      ada.name = "Ada"
      expect notifications 2
      remove t
      ada.name = "Eve"
      expect notifications 1
      expect o last old "Ada" new "Eve"
      """
    for design in Designs.stages[3...] {
      let run = try run(design, text + "\n")
      #expect(run.exitCode == 0, "\(design.name): \(run.broken)")
    }
  }

  @Test("a controller has a block, an action and a context, and hands the observer's context back")
  func callbacks() throws {
    let text = """
      class Person { age: int }
      let ada = Person()
      observer action
      observer method
      observe ada.age as block
      observe ada.age by action
      observe ada.age by method context 7
      registrations ada
      ada.age = 36
      expect notifications 3
      expect method last context 7
      when once hears: remove once
      observe ada.age options(initial) as once
      ada.age = 37
      expect once count 1
      """
    let run = try run(Designs.controller, text + "\n")
    #expect(run.exitCode == 0, "\(run.broken)")
    guard case .registrations(_, let views) = run.answer("registrations ada") else {
      Issue.record("no registrations")
      return
    }
    #expect(views.count == 3)
    #expect(Set(views.map(\.observer)) == ["SharedObserver"])
  }

  @Test("'stages' compares them all, in their order")
  func word() throws {
    #expect(Designs.names(for: "stages") == Designs.stages.map(\.name))
    let result = try Child.run(
      ["compare", "-", "--designs", "stages"],
      input: "class K { x: string }\nlet k = K()\nobserve k.x as t\nk.x = \"a\"\n")
    #expect(result.end == .exit(0))
    #expect(result.output.contains("stdin: \(Designs.stages.count) designs"))
    #expect(try Child.run(["compare", "-", "--designs", "stage"]).end == .exit(2))
  }

  @Test("a belief expects what is not so, and its truth what is")
  func beliefs() throws {
    let beliefs = Exhibit.all.filter(\.isBelief)
    #expect(beliefs.map(\.name) == ["did-alone", "kept-alive", "apple-libffi"])
    for belief in beliefs {
      let truth = try #require(belief.truth)
      #expect(runScenario(belief.scenario(under: Designs.engine) + "\n").code == 0)
      #expect(truth == belief.scenario(under: Designs.engine))
      #expect(belief.scenario(under: belief.design) == belief.scenario)
      let output = Output()
      for line in MuseumView().lines(of: try viewing(belief)) { output.console.out(line) }
      #expect(output.text.contains("  Belief") && output.text.contains("  Truth"))
    }
  }

  private func viewing(_ exhibit: Exhibit) throws -> Viewing {
    let result = ChildProcess.Result(end: .exit(0), output: "", errors: "")
    let trial = DesignTrial(design: exhibit.design, result)
    return Viewing(exhibit: exhibit, trial: trial, controls: [trial])
  }

  @Test("the visit of the stages shows each fail, and the next one not")
  func visit() throws {
    let result = try Child.run(["museum", "--stages"])
    #expect(result.end == .exit(0))
    let lines = result.output.split(separator: "\n").suffix(Exhibit.stages.count)
    for (line, exhibit) in zip(lines, Exhibit.stages) {
      #expect(line.hasPrefix(exhibit.name) && line.contains("isakvo: "))
      if let next = exhibit.next { #expect(line.contains("\(next): none")) }
    }
  }
}
