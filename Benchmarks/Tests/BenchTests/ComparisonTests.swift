import Testing

@testable import BenchRunner

@Suite struct ComparisonTests {
  @Test("a slower row is a regression, a faster one an improvement")
  func verdicts() throws {
    let base = results([row("set", around: 5), row("get", around: 5), row("add", around: 5)])
    let new = results([row("set", around: 6), row("get", around: 4), row("add", around: 5)])
    let comparisons = compare(base: base, new: new)
    #expect(comparisons.map(\.verdict) == [.regression, .improvement, .noise])
    #expect(comparisons[0].change.map { near($0, 6.0 / 5) } == true)
  }

  @Test("a difference that is certain but small is noise")
  func relevance() {
    let base = results([row("set", around: 5, spread: 0.001)])
    let new = results([row("set", around: 5.1, spread: 0.001)])
    let comparison = compare(base: base, new: new)[0]
    #expect(comparison.verdict == .noise)
    #expect(comparison.p.map { $0 < 0.01 } == true)
  }

  @Test("a difference within the spread is noise")
  func spread() {
    let base = results([row("set", around: 5, spread: 4)])
    let new = results([row("set", around: 5.3, spread: 4)])
    #expect(compare(base: base, new: new)[0].verdict == .noise)
  }

  @Test("a difference that is certain but within the quartiles is noise")
  func quartiles() {
    let base = results([row("set", around: 5, spread: 0.5)])
    let new = results([row("set", around: 5.24, spread: 0.5)])
    let comparison = compare(base: base, new: new)[0]
    #expect(comparison.verdict == .noise)
    #expect(comparison.p.map { $0 < 0.01 } == true)
  }

  @Test("samples that were taken while the machine changed its speed are counted")
  func unsteady() {
    var shaken = row("set", around: 5)
    shaken.unsteady = 31
    #expect(results([shaken, row("get", around: 5)]).unsteadyShare == 0.5)
    #expect(results([]).unsteadyShare == 0)
  }

  @Test("many rows need more evidence each")
  func corrected() {
    let verdicts = [1, 400].map { count in
      compare(
        base: results((0..<count).map { few("set-\($0)", around: 5) }),
        new: results((0..<count).map { few("set-\($0)", around: $0 == 0 ? 6 : 5) }))[0]
    }
    #expect(verdicts[0].verdict == .regression)
    #expect(verdicts[1].verdict == .noise)
  }

  @Test("rows of one run only are named")
  func missing() {
    let comparisons = compare(
      base: results([row("set", around: 5)]), new: results([row("get", around: 5)]))
    #expect(comparisons.map(\.verdict) == [.onlyInBase, .onlyInNew])
  }

  @Test("the same workload of another subject is another row")
  func subjects() {
    let base = results([row("set", around: 5), row("set", "glib", around: 100)])
    let new = results([row("set", "glib", around: 100), row("set", around: 5)])
    #expect(compare(base: base, new: new).allSatisfy { $0.verdict == .noise })
  }

  @Test("the same workload in a program is another row, and one that does not say where is bare")
  func surroundings() {
    var program = row("set", around: 9)
    program.surroundings = .program
    var bare = row("set", around: 5)
    bare.surroundings = .bare
    let comparisons = compare(
      base: results([row("set", around: 5)]), new: results([program, bare]))
    #expect(comparisons.map(\.verdict) == [.noise, .onlyInNew])
    #expect(comparisons.map(\.within) == [.bare, .program])
    #expect(table(of: comparisons).contains("in a program"))
  }

  @Test("a count without samples has changed or has not")
  func counts() {
    var bytes = row("bytes", around: 96)
    bytes.samples = nil
    var more = bytes
    more.ratio = 128
    #expect(compare(base: results([bytes]), new: results([bytes]))[0].verdict == .noise)
    #expect(compare(base: results([bytes]), new: results([more]))[0].verdict == .changed)
  }

  @Test("an allocation where there was none has changed")
  func fromZero() {
    var none = row("allocations", around: 0)
    none.samples = nil
    none.ratio = 0
    var one = none
    one.ratio = 1
    #expect(compare(base: results([none]), new: results([one]))[0].verdict == .changed)
  }
}

/// A row of 31 samples about a median.
func row(
  _ workload: String, _ subject: String = "isakvo", around median: Double, spread: Double = 0.2,
  goal: Double? = nil
) -> Row {
  let samples = (-15...15).map { median + spread * Double(($0 * 7) % 16) / 15 }
  return Row(
    workload: workload, subject: subject, language: "C", nsMedian: median * 1.8,
    nsMin: median * 1.7, nsMax: median * 2, ratio: median, ratioQ1: quantile(0.25, of: samples),
    ratioQ3: quantile(0.75, of: samples), goal: goal, met: goal.map { median <= $0 },
    samples: samples, checked: true)
}

/// A row of 8 samples about a median.
private func few(_ workload: String, around median: Double) -> Row {
  var row = row(workload, around: median)
  row.samples = row.samples.map { Array($0.prefix(8)) }
  return row
}

func results(_ rows: [Row], missing: [String] = []) -> Results {
  Results(
    date: "2026-11-21T12:00:00Z", commit: "0123abc",
    machine: Machine(processor: "Test Processor", cores: 2), versions: ["swift": "6.3.1"],
    missing: missing, rows: rows)
}
