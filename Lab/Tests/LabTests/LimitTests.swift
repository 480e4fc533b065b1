import Testing

@testable import isalab

@Suite("Scenarios that loop", .serialized, .oneAtATime)
struct LimitTests {
  private static let head = """
    class K {
      x: int
      y: int
    }
    let k = K()
    observe k.x as t
    observe k.y as u

    """

  /// The message about a scenario that has to be stopped; nothing of it may be left.
  private func stopped(_ lines: String, limit: Int = 500) -> (code: Int32, message: String) {
    let before = liveCounts()
    let output = Output()
    let run = ScenarioRun(
      options: TextOptions(), console: output.console, execution: Execution(limit: limit))
    let code = run.run(LimitTests.head + lines, file: "loop.kvo")
    #expect(liveCounts() == before)
    #expect(output.out.filter { $0.columns > 80 } == [])
    return (code, output.err.joined(separator: "\n"))
  }

  @Test("a property computed from itself, or twice from the next and so on, stops the run")
  func getters() {
    let circle = "class Aa { x: double = sum(x) }\nlet p = Aa()\np.x\n"
    let tower = (1...20).map { "a\($0): int = sum(a\($0 - 1), a\($0 - 1))" }
    let lines = (["class K {", "a0: int"] + tower + ["}", "let k = K()", "k.a20"])
      .joined(separator: "\n")
    for (text, place, name) in [(circle, "3:1", "Aa.x"), (lines, "25:1", "K.")] {
      let (code, output) = runScenario(text)
      #expect(code == 2)
      #expect(output.err.last?.hasPrefix("test.kvo:\(place): \(name)") == true, "\(output.err)")
      #expect(output.err.last?.contains("is computed from itself, or from too many") == true)
    }
  }

  @Test(
    "are stopped at the limit, where they stand, and leave nothing behind",
    arguments: [
      ("repeat 1000: k.x = 1", "8:14"), ("repeat 1000: poke k.x = 1", "8:14"),
      ("repeat 9000000000000000000: k.x = 1", "8:29"),
      ("on thread repeat 1000: k.x = 1", "8:24"),
      ("whenever t hears: k.y = 1\nrepeat 1000: k.x = 1", ""),
      ("whenever t hears: repeat 600: k.y = 1\nk.x = 1", "8:31"),
    ])
  func events(lines: String, place: String) {
    let (code, message) = stopped(lines)
    #expect(code == 2)
    #expect(message.hasPrefix("loop.kvo:\(place)"))
    #expect(message.hasSuffix("expected at most 500 events, or a higher --limit"))
  }

  @Test(
    "are stopped where observers set each other off without end",
    arguments: [
      "whenever t hears: k.x = 2\nk.x = 1", "whenever t hears: k.x = 2\non thread k.x = 1",
      "whenever t hears: k.y = 2\nwhenever u hears: k.x = 2\nk.x = 1",
      "whenever t hears: repeat 2: k.x = 2\nk.x = 1",
      "whenever t hears: k.x = 1\nwhenever t hears: k.x = 2\nk.x = 1",
    ])
  func depth(lines: String) {
    let (code, message) = stopped(lines, limit: 100_000)
    #expect(code == 2)
    #expect(message.contains("expected at most 64 inside each other"))
    #expect(message.hasPrefix("loop.kvo:"))
  }

  @Test("a run within its limit is not stopped, at the limit neither")
  func within() {
    let lines = "class K { x: int }\nlet k = K()\nrepeat 3: k.x = 1\n"
    let count = (try? steps(lines))!.flatMap(\.events).count
    func code(_ limit: Int) -> Int32 {
      let run = ScenarioRun(
        options: TextOptions(), console: Output().console, execution: Execution(limit: limit))
      return run.run(lines, file: "k.kvo")
    }
    // Each repetition counts as well.
    #expect(code(count + 3) == 0)
    #expect(code(count + 2) == 2)
  }

  @Test(
    "what cannot be repeated is refused in its place",
    arguments: [
      ("repeat 0: k.x = 1", "8:8: unexpected '0'"), ("repeat k.x = 1", "8:8: unexpected 'k'"),
      ("repeat 2 k.x = 1", "8:10: unexpected 'k'"),
      ("repeat 2: repeat 2: k.x = 1", "8:11: 'repeat' cannot stand behind 'repeat'"),
      ("repeat 2: let j = K()", "8:11: 'let' cannot stand behind 'repeat'"),
      ("repeat 2: on thread k.x = 1", "8:11: 'on' cannot stand behind 'repeat'"),
      ("repeat 2: expect k.x == 1", "8:11: 'expect' cannot stand behind 'repeat'"),
      ("repeat 2: k.x", "8:11: a question cannot stand behind 'repeat'"),
      ("repeat 2: observe k.x as v", "8:26: 'v' would name more than one"),
      ("on thread repeat 2: observe k.x as v", "8:36: 'v' would name more than one"),
      ("whenever t hears: observe k.x as v", "8:34: 'v' would name more than one"),
      ("whenever nobody hears: k.x = 1", "8:10: unknown observer 'nobody'"),
      ("whenever t hears: whenever t hears: k.x = 1", "8:19: 'whenever' cannot stand behind"),
      ("let repeat = K()", "8:5: 'repeat' is a word of the language"),
    ])
  func refused(lines: String, message: String) {
    let (code, said) = stopped(lines)
    #expect(code == 2)
    #expect(said.hasPrefix("loop.kvo:\(message)"), "\(said)")
    #expect(said.contains(", expected "))
  }

  @Test("a loop that tells more than anybody reads is shown in part")
  func shortened() {
    let (code, output) = runScenario(LimitTests.head + "repeat 400: k.x = 1\n")
    #expect(code == 0)
    #expect(output.out.last == "      … and 200 more lines")
  }
}
