import Foundation
import Testing

@testable import isalab

@Suite("Lessons", .serialized, .oneAtATime)
struct LessonTests {
  static let names = Lessons.all.map(\.name)

  private func lesson(_ name: String) throws -> Lesson { try #require(Lessons.find(name)) }

  @Test("are in the order in which one discovers the mechanism")
  func order() {
    #expect(
      LessonTests.names == [
        "object-layout", "selectors", "message-send", "class-pair", "isa-swap", "class-lie",
        "trampoline", "will-did", "half-pairs", "manual", "method-swizzling", "options",
        "observers", "double-add", "lifetimes", "death-order", "cell-reuse", "threads", "coding",
        "key-paths", "wrong-key", "dependent-keys", "operation", "collections", "swift-objects",
        "bindings", "fault", "own-program",
      ])
  }

  @Test("are found by name and by number, from 1")
  func find() {
    #expect(Lessons.find("5")?.name == "isa-swap")
    #expect(Lessons.find("isa-swap")?.name == "isa-swap")
    for text in ["0", "\(Lessons.all.count + 1)", "-1", "isa", ""] {
      #expect(Lessons.find(text) == nil)
    }
  }

  @Test("the run bears out exactly one choice of each question", arguments: names)
  func question(_ name: String) throws {
    let lesson = try lesson(name)
    let run = try lesson.run()
    let borneOut = lesson.question.choices.filter { $0.isBorneOut(run) }
    #expect(borneOut.count == 1)
    #expect(lesson.question.answer(in: run) != nil)
    #expect((2...4).contains(lesson.question.choices.count))
  }

  @Test("a step after the first one answers the question", arguments: names)
  func answered(_ name: String) throws {
    let lesson = try lesson(name)
    let step = try #require(lesson.stepOfAnswer(in: lesson.run()))
    #expect(step > 1)
  }

  @Test("the right choice is not borne out by a run that did nothing", arguments: names)
  func tied(_ name: String) throws {
    let lesson = try lesson(name)
    let run = try lesson.run()
    let right = try #require(lesson.question.answer(in: run))
    var empty = run
    empty.steps = []
    #expect(!lesson.question.choices[right].isBorneOut(empty))
  }

  @Test("each choice but the right one is told why it is wrong", arguments: names)
  func replies(_ name: String) throws {
    let lesson = try lesson(name)
    let right = try #require(lesson.question.answer(in: try lesson.run()))
    for (index, choice) in lesson.question.choices.enumerated() {
      #expect((choice.reply == nil) == (index == right))
    }
    let replies = lesson.question.choices.compactMap(\.reply)
    #expect(Set(replies).count == replies.count)
  }

  @Test("the turn of each lesson is one of its lines, and changes something", arguments: names)
  func turn(_ name: String) throws {
    let lesson = try lesson(name)
    let run = try lesson.run()
    #expect(run.step(lesson.turn.line) != nil)
    for language in Language.allCases {
      let lines = lesson.turn.difference(in: run, language).flatMap(\.lines)
      #expect(lines.contains { $0.mark != .kept })
    }
  }

  @Test("the isa swap's difference is read off the states")
  func difference() throws {
    let lesson = try lesson("isa-swap")
    let run = try lesson.run()
    let difference = try #require(lesson.turn.difference(in: run, .english).first)
    #expect(difference.lines.contains(.init(mark: .gone, text: "    0  isa  → Person")))
    #expect(
      difference.lines.contains(.init(mark: .come, text: "    0  isa  → NSKVONotifying_Person")))
    #expect(difference.lines.contains(.init(mark: .kept, text: "   16  _name  @  nil")))
  }

  @Test("each says where Apple's runtime differs, and expects things of itself", arguments: names)
  func parts(_ name: String) throws {
    let lesson = try lesson(name)
    #expect(!lesson.departures.isEmpty)
    let run = try lesson.run()
    #expect(run.exitCode == 0)
    #expect(run.held > 0)
  }

  @Test("what it says of Apple names a rule of docs/behaviour.md", arguments: names)
  func rules(_ name: String) throws {
    let document = Folder.checkout.appendingPathComponent("docs/behaviour.md")
    let rows = try String(contentsOf: document, encoding: .utf8).split(separator: "\n")
    for departure in try lesson(name).departures {
      guard let rule = departure.rule else { continue }
      #expect(rows.contains { $0.hasPrefix("| \(rule) | ") }, "no rule \(rule)")
    }
    // The first three are about what no rule is about: how objects, selectors and tables are made.
    // Bindings, faults and traces stand on top of them.
    let isBesideRules =
      LessonTests.names.prefix(3).contains(name)
      || ["bindings", "fault", "own-program"].contains(name)
    #expect(try lesson(name).departures.allSatisfy { ($0.rule == nil) == isBesideRules })
  }

  @Test("each exercise is solved by the solution, and not by the lesson", arguments: names)
  func exercise(_ name: String) throws {
    let lesson = try lesson(name)
    let file = Folder.solutions.appendingPathComponent(name + ".kvo")
    let solution = try String(contentsOf: file, encoding: .utf8) + lesson.exercise.check + "\n"
    let solved = Runner.run(try ScenarioFile.program(of: solution, file: name))
    #expect(solved.exitCode == 0)
    #expect(solved.broken.map(\.description) == [])
    #expect(lesson.exercise.isSolved(solved))
    let own = lesson.lines + "\n" + lesson.exercise.check + "\n"
    #expect(runScenario(own).code != 0)
  }

  @Test("the exercise of the layout is not solved by the lesson's own order")
  func gap() throws {
    let lines = """
      struct Place { x: double, y: double, z: double }
      class Tight { name: string, age: int, home: Place }
      let tight = Tight()
      """
    let run = Runner.run(try ScenarioFile.program(of: lines + "\n", file: "gap"))
    let exercise = try lesson("object-layout").exercise
    #expect(!exercise.isSolved(run))
  }
}

@Suite("Plans for teaching")
struct TeachingTests {
  private static let plans = ["docs/teaching.md", "docs/zh/teaching.md"]

  private func text(of plan: String) throws -> String {
    try String(contentsOf: Folder.checkout.appendingPathComponent(plan), encoding: .utf8)
  }

  @Test("list the lessons in their order, and each exercise", arguments: plans)
  func tables(_ plan: String) throws {
    let rows = try text(of: plan).split(separator: "\n").filter { $0.hasPrefix("| ") }
    let lessons = rows.compactMap { $0.firstMatch(of: /^\| (\d+) \| `([a-z-]+)` \|/) }
    #expect(lessons.map { String($0.2) } == Lessons.all.map(\.name))
    #expect(lessons.compactMap { Int($0.1) } == Array(1...Lessons.all.count))
    let exercises = rows.compactMap { $0.firstMatch(of: /^\| `([a-z-]+)` \|/) }
    #expect(exercises.map { String($0.1) } == Lessons.all.map(\.name))
  }

  @Test("name no lesson that there is not", arguments: plans)
  func commands(_ plan: String) throws {
    let named = try text(of: plan).matches(of: /isalab tour ([a-z][a-z-]+)/).map { String($0.1) }
    #expect(named.count > 10)
    #expect(named.filter { Lessons.find($0) == nil } == [])
    let files = try text(of: plan).matches(of: /class\/([a-z-]+)\.kvo/).map { String($0.1) }
    #expect(files.count >= 5)
    #expect(files.filter { Lessons.find($0) == nil } == [])
  }
}

@Suite("Differences of lines")
struct LineDifferenceTests {
  private func marks(_ before: [String], _ after: [String]) -> [String] {
    LineDifference(from: before, to: after).lines.map {
      switch $0.mark {
      case .kept: " " + $0.text
      case .gone: "-" + $0.text
      case .come: "+" + $0.text
      }
    }
  }

  @Test("have what went before what came, in their places")
  func lines() {
    #expect(marks(["a", "b", "c"], ["a", "d", "c"]) == [" a", "-b", "+d", " c"])
    #expect(marks([], ["a"]) == ["+a"])
    #expect(marks(["a"], []) == ["-a"])
    #expect(marks(["a"], ["a"]) == [" a"])
    #expect(marks(["a", "b"], ["b", "c"]) == ["-a", " b", "+c"])
  }
}
