import KVOTrace
import Testing

@Suite("Checks of a trace")
struct TraceCheckTests {
  private let order: UInt64 = 0x1000

  /// One observation that never ends, whose handler takes 20 ms once.
  private func trace() throws -> Trace {
    var story = Story()
    story.object(order, "Order")
    story.observe(order, "total", 1, line: 7)
    for takes in [1_000_000, 20_000_000] as [UInt64] {
      story.notify(order, "total", 1, cause: story.change(order, "total"), takes: takes)
    }
    story.about(.changeMuted, order, "total", 1, cause: story.change(order, "total"))
    return try story.trace()
  }

  @Test(
    "a condition is met or not, and says what was found and where",
    arguments: [
      ("handlers < 10ms", false, 20_000_001.0, [6]), ("handlers <= 0.1s", true, 20_000_001, [6]),
      ("no open", false, 1, [1]), ("open <= 1", true, 1, [1]), ("no rings", true, 0, []),
      ("no misuse", true, 0, []), ("sets Order.total <= 2", false, 3, [2, 5, 8]),
      ("sets Order.total = 3", true, 3, [2, 5, 8]), ("sets Order.count = 0", true, 0, []),
      ("no muted", false, 1, [9]), ("notifications >= 2", true, 2, []),
      ("no problems", true, 0, []),
      ("events > 9", false, 9, []), ("latency < 1ns", true, 0, []), ("no deaths", true, 0, []),
    ] as [(String, Bool, Double, [UInt64])])
  func conditions(_ text: String, _ isMet: Bool, _ found: Double, _ events: [UInt64]) throws {
    let answer = try #require(try trace().check(TraceCheck(text)).first)
    #expect((answer.isMet, answer.found) == (isMet, found))
    #expect(Array(answer.events.prefix(3)) == events)
    #expect(answer.condition.text == text)
  }

  @Test("conditions stand with commas between them, and each has its answer")
  func several() throws {
    let check = try TraceCheck(" handlers < 10ms,no open ,  no rings, sets Order.total <= 100 ")
    #expect(try trace().check(check).map(\.isMet) == [false, false, true, true])
    #expect(check.conditions[2].text == "no rings")
  }

  @Test(
    "what is wrong in a check is told by its place and by what was expected",
    arguments: [
      ("", 1, "", "no, handlers, latency, sets, or one of open"),
      ("no", 3, "", "one of open"), ("no fun", 4, "fun", "one of open"),
      ("handlers 10ms", 10, "10ms", "one of < <= = >= >"),
      ("handlers << 10ms", 10, "<", "one of < <= = >= >"),
      ("handlers < ", 12, "", "a time, such as 10ms"),
      ("handlers < 10", 14, "", "a unit: ns, us, ms or s"),
      ("handlers < 10 min", 15, "min", "a unit"), ("open < x", 8, "x", "a number"),
      ("sets total < 1", 6, "total", "a class and a key"),
      ("no open no rings", 9, "no", "a comma and a condition, or the end"),
      ("no open,", 9, "", "no, handlers"),
    ])
  func errors(_ text: String, _ column: Int, _ found: String, _ expected: String) {
    #expect {
      _ = try TraceCheck(text)
    } throws: { error in
      guard let error = error as? TraceCheckError else { return false }
      return error.column == column && error.found == found && error.expected.hasPrefix(expected)
    }
  }
}
