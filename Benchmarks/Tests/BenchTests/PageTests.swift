import Testing

@testable import BenchRunner

@Suite struct PageTests {
  let results: Results = BenchTests.results(
    [
      inProgram(row("set-one-observer", around: 5, goal: 6)), row("set-one-observer", around: 4),
      row("set-one-observer", "gobject", around: 178), growthRow("isakvo", x: 10, around: 12),
      latency("latency-set-p99", 140, .program), latency("latency-set-p99", 90, .bare),
    ], missing: ["qt: not installed"])

  @Test("what stands between the markers is replaced, the rest stays")
  func replaces() throws {
    let text = """
      # Figures
      <!-- bench: goals -->
      old
      <!-- end -->
      after
      """
    let page = try page(text, with: results, pictures: "pictures")
    #expect(page.hasPrefix("# Figures\n<!-- bench: goals -->\n"))
    #expect(page.hasSuffix("<!-- end -->\nafter"))
    #expect(!page.contains("old\n"))
    #expect(
      page.contains(
        "| set, 1 observer, old + new | IsaKVO, C | 5 | 4.90 – 5.10 | 9 | 4 | 3.90 – 4.10 "
          + "| ≤ 6 | yes |"))
    #expect(!page.contains("GObject"))
  }

  @Test("a page that is put together again stays as it is")
  func stable() throws {
    let names = [
      "machine", "goals", "latency", "peers", "peers otherwise", "builds", "programs", "ladder",
      "growth", "applications", "applications in short", "missing",
      "charts growth",
    ]
    let text =
      names
      .map { "<!-- bench: \($0) -->\n<!-- end -->\n" }.joined()
    let once = try page(text, with: results, pictures: "pictures")
    #expect(try page(once, with: results, pictures: "pictures") == once)
    #expect(once.contains("Test Processor, 2 cores"))
    #expect(
      once.contains("![Setting an observed property, by the number of observers](pictures/growth-"))
    #expect(once.contains("- qt: not installed"))
    #expect(once.contains("| set, 1 observer, old + new | 4 | 178 |"))
    #expect(once.contains("| observed set, 99 % | 140 | 140 – 140 | 90 | 89.9 – 90.1 |"))
  }

  @Test("what is no ratio to a plain call has a table of its own, beside what others do")
  func otherwise() throws {
    let others = ["isakvo", "gobject"].flatMap { subject in
      var (bound, bytes) = (row("bind", subject, around: 2), row("bytes", subject, around: 96))
      (bound.unit, bound.rival, bytes.unit) = ("ns", "\(subject)/set", "bytes")
      return [bound, bytes]
    }
    let text = try page(
      "<!-- bench: peers otherwise -->\n<!-- end -->",
      with: BenchTests.results(others + [row("set", "qt", around: 3), row("set", around: 4)]),
      pictures: "pictures")
    #expect(text.contains("| workload | IsaKVO, C | GObject |\n"))
    #expect(text.contains("| bind | 2 × | 2 × |\n| bytes | 96 bytes | 96 bytes |"))
  }

  @Test(
    "a page with broken markers is refused",
    arguments: [
      ("<!-- bench: goals -->", "marker goals has no end"),
      ("<!-- bench: goals -->\n<!-- bench: peers -->\n<!-- end -->", "marker goals has no end"),
      ("<!-- end -->", "an end without a marker"),
      ("<!-- bench: weather -->\n<!-- end -->", "no generated part is called weather"),
    ])
  func refuses(_ text: String, _ reason: String) {
    let error = #expect(throws: PageError.self) {
      try page(text, with: results, pictures: "pictures")
    }
    #expect(error?.description == reason)
  }
}

/// The row, measured in a program.
private func inProgram(_ row: Row) -> Row {
  var row = row
  row.surroundings = .program
  return row
}

/// A percentile of single sets.
private func latency(_ name: String, _ ns: Double, _ within: Surroundings) -> Row {
  var row = row(name, around: ns)
  row.unit = "nanoseconds"
  row.surroundings = within
  return row
}

@Suite struct TableTests {
  @Test("a row of the terminal's table has figure, spread, goal and verdict")
  func rows() {
    var judged = row("set-unobserved", around: 1.1, goal: 1.2)
    judged.partner = "plain"
    judged.instructions = 12
    judged.plainInstructions = 10
    let lines = table(of: [judged, row("set", "gobject", around: 178)]).split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[2].contains("≤ 1.20 × plain"))
    #expect(lines[2].contains("yes: 12 instructions, plain 10"))
    #expect(lines[3].contains("178"))
  }

  @Test("a line of the terminal's table has both figures of a row, in a program and bare")
  func both() {
    let rows = [inProgram(row("set", around: 178, goal: 200)), row("set", around: 53)]
    let lines = table(of: rows).split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines[2].contains("178") && lines[2].contains("53"))
    #expect(lines[2].contains("≤ 200"))
  }

  @Test("a comparison shows what differs and counts what does not")
  func comparisons() {
    let base = results([row("set", around: 5), row("get", around: 5)])
    let new = results([row("set", around: 6), row("get", around: 5)])
    let text = table(of: compare(base: base, new: new))
    #expect(text.contains("regression"))
    #expect(text.hasSuffix("noise: 1 of 2 rows"))
    #expect(table(of: compare(base: base, new: base)) == "noise: 2 of 2 rows")
  }
}
