import Foundation
import Testing

@testable import BenchRunner

@Suite struct RowTests {
  let full = """
    {"workload":"set","subject":"isakvo","language":"C","ns_median":9.1,"ns_min":9,"ns_max":10,\
    "ratio":5,"ratio_q1":4.9,"ratio_q3":5.1,"goal":6,"met":true,"samples":[5,4.9],"unit":null,\
    "checked":true}
    """

  @Test("a driver's line is read whole")
  func reads() throws {
    let row = try Row(line: full)
    #expect(row.subject == "isakvo")
    #expect(row.ratioQ1 == 4.9)
    #expect(row.samples == [5, 4.9])
    #expect(row.unit == nil)
    #expect(row.x == nil)
  }

  @Test("the quick form has its keys, in order, and no others")
  func quick() throws {
    var row = try Row(line: full)
    #expect(
      row.quickLine(bare: BenchTests.row("set", around: 4)) == """
        {"workload": "set", "ns_median": 9.1, "ns_min": 9, "ns_max": 10, "ratio": 5, \
        "unit": "plain calls", "goal": 6, "met": true, "bare_ratio": 4}
        """)
    row.goal = nil
    row.met = nil
    row.nsMedian = .nan
    let line = row.quickLine(bare: nil)
    #expect(line.hasSuffix("\"goal\": null, \"met\": null, \"bare_ratio\": null}"))
    #expect(line.contains("\"ns_median\": null"))
  }

  @Test("a row has its unit in words, whatever its figure counts")
  func units() {
    var (bytes, bound) = (row("bytes", around: 96), row("bind", around: 2))
    (bytes.unit, bound.unit, bound.rival) = ("bytes", "ns", "isakvo-swift/set-one-observer")
    #expect(bytes.quickLine(bare: nil).contains("\"unit\": \"bytes\""))
    #expect(
      bound.quickLine(bare: nil).contains("\"unit\": \"× isakvo-swift/set-one-observer\""))
  }

  @Test("the last line counts the goals, and names those that are missed or not judged")
  func summary() {
    var (kept, missed) = (row("a", around: 5, goal: 6), row("b", around: 7, goal: 6))
    var (unjudged, free) = (row("c", around: 5, goal: 6), row("d", around: 5))
    kept.judge()
    missed.judge()
    unjudged.met = nil
    free.goal = nil
    #expect(
      goalSummary(of: [kept, missed, unjudged, free])
        == "1 of 3 goals met; missed: b; not judged: c")
    #expect(goalSummary(of: [kept]) == "1 of 1 goals met")
  }

  @Test("what was measured in a program and bare is a pair, what was measured once stands alone")
  func pairs() {
    var program = row("set", around: 6, goal: 7)
    program.surroundings = .program
    let pairs = [program, row("grow", around: 2), row("set", around: 5)].pairs
    #expect(pairs.map(\.row.workload) == ["set", "grow"])
    #expect(pairs.map { $0.program?.ratio } == [6, nil])
    #expect(pairs.map { $0.bare?.ratio } == [5, 2])
    #expect(pairs.map(\.row.ratio) == [6, 2])
    #expect(quickLines(of: [program, row("set", around: 5)]).count == 1)
  }

  @Test("a ratio to a bare program's time is no ratio to a plain call, and its goal says so")
  func rival() throws {
    let line = """
      {"workload":"set","subject":"isakvo","ratio":1.4,"goal":1.5,"unit":"ns","rival":"limit/set"}
      """
    let row = try Row(line: line)
    #expect(!row.isTime)
    #expect(row.goalText == "≤ 1.50 × bare program")
  }

  @Test(
    "a goal that is held against another row of the library says which",
    arguments: [
      ("evaluate-over-1000", "≤ 3 × evaluating it"), ("set-one-observer", "≤ 3 × 1 closure"),
      ("set-string-one-observer", "≤ 3 × 1 closure"),
    ])
  func rivalOfItsOwn(_ workload: String, _ text: String) {
    var row = row("set", around: 1.4, goal: 3)
    row.rival = "isakvo-swift/\(workload)"
    #expect(row.goalText == text)
  }

  @Test("the goal of a figure that is no time stands in the table, and is met by the figure")
  func figure() throws {
    let line = """
      {"workload":"evaluations-in-transaction-of-1000","subject":"isakvo-swift","ratio":1,"goal":1,\
      "unit":"evaluations","group":"table","samples":[1,1,1],"ns_median":null}
      """
    var row = try Row(line: line)
    row.judge()
    #expect(!row.isTime && row.met == true)
    #expect(row.goalText == "≤ 1")
  }

  @Test(
    "a line that is no row says why",
    arguments: [
      ("hello", "no JSON"), ("{\"subject\":\"qt\"}", "no \"workload\""),
      ("{\"workload\":\"a\",\"subject\":\"b\",\"ratio\":\"much\"}", "\"ratio\" is of another type"),
      ("[1]", "not a row"), ("", "no JSON"),
    ])
  func refuses(_ line: String, _ reason: String) {
    let error = #expect(throws: LineError.self) { try Row(line: line) }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }
}

@Suite struct GoalTests {
  @Test(
    "a goal that the quartiles meet and the median misses is met within the spread",
    arguments: [
      (5.9, 6, false, true, "yes"), (6.73, 6, false, true, "within the spread"),
      (7.5, 6, false, false, "no"), (0.94, 0.95, true, true, "within the spread"),
      (0.99, 0.95, true, true, "yes"), (0.9, 0.95, true, false, "no"),
    ] as [(Double, Double, Bool, Bool, String)])
  func met(_ ratio: Double, goal: Double, atLeast: Bool, isMet: Bool, _ text: String) {
    var row = row("set", around: ratio, goal: goal)
    (row.atLeast, row.met) = (atLeast, isMet)
    #expect(row.metText == text)
  }

  @Test("a goal that is judged by instructions is met by them, whatever the time")
  func instructions() {
    var row = row("get", around: 3, goal: 1.7)
    (row.met, row.instructions, row.plainInstructions) = (true, 65, 67)
    #expect(row.metText == "yes: 65 instructions, plain 67")
  }

  @Test(
    "a goal that is a count of instructions is met by so many, whatever the plain access takes",
    arguments: [(106, true), (107, false)] as [(Double, Bool)])
  func countOfInstructions(_ instructions: Double, _ isMet: Bool) throws {
    let line = """
      {"workload":"set-unobserved-generic","subject":"isakvo-swift","ratio":4,"goal":106,\
      "partner":"set-unobserved-generic-plain","goal_is_count":true}
      """
    var row = try Row(line: line)
    (row.instructions, row.plainInstructions) = (instructions, 104)
    #expect(row.isMetByInstructions == isMet)
    #expect(row.goalText == "≤ 106 instructions")
  }
}

@Suite struct ResultsTests {
  let path = NSTemporaryDirectory() + "bench-\(UUID().uuidString).json"

  @Test("results are read as they were written")
  func roundTrip() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let written = results([row("set", around: 5, goal: 6)], missing: ["qt: not here"])
    try written.write(to: path)
    #expect(try Results(path: path) == written)
  }

  @Test(
    "a file that holds no results is refused by what is wrong with it",
    arguments: [
      ("hello", "no benchmark results: no JSON"), ("{}", "no benchmark results: no \"format\""),
      ("{\"format\":99}", "format 99; this program reads format 1"),
      ("{\"format\":1}", "no benchmark results: no \"date\""),
    ])
  func refuses(_ content: String, _ reason: String) throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data(content.utf8).write(to: URL(fileURLWithPath: path))
    let error = #expect(throws: ResultsError.self) { try Results(path: path) }
    #expect(error?.description == "\(path): \(reason)")
  }

  @Test("a file that is not there is refused")
  func absent() {
    let error = #expect(throws: ResultsError.self) { try Results(path: "/nowhere/results.json") }
    #expect(error?.reason == "no such file, or not readable")
  }

  @Test("where results cannot be written, nothing is left behind")
  func unwritable() {
    let results = results([])
    #expect(throws: ResultsError.self) { try results.write(to: "/nowhere/results.json") }
  }
}
