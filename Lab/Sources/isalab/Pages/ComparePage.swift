/// A scenario under some designs, beside each other on one slider: each with its way and its drawing,
/// stations and boxes in the same places, open where they first differ.
struct ComparePage {
  static let most = 3

  var comparison: Comparison
  var title: String
  private var language: Language { comparison.language }
  private var differences: [Int] { comparison.differences }

  /// - Parameter comparison: One that was recorded, of at most `most` designs.
  func html() -> String {
    let runs = comparison.trials.map { RecordedRun($0, of: comparison.program, language) }
    let ways = self.ways(of: runs.map(\.run))
    let union = runs.reduce(into: GraphUnion()) {
      $0.add(GraphCourse($1.run, in: language).union)
    }
    let layout = GraphLayout(union)
    let columns = runs.indices.map { index in
      var page = runs[index].page(title: runs[index].trial.design)
      page.lanes = ways[index]
      page.layout = layout
      return column(runs[index], page.html())
    }
    let body = [
      Page.bar(
        title: title, heading: "h1", start: start,
        target: "designs", switches: firstButton, language),
      "<main class=\"page beside\">",
      "<p class=\"statement\"><span id=\"number\"></span><code id=\"statement\" dir=\"ltr\"></code></p>",
      "<div id=\"designs\" class=\"designs\">", columns.joined(separator: "\n"), "</div>",
      differenceList(), "</main>",
      Page.data(data(ways)),
      "<script>\n\(Page.handoutScript)\(PackageResources.player_js)\(PackageResources.compare_js)"
        + "</script>",
    ]
    return Page.document(title, language, body.joined(separator: "\n"))
  }

  private func say(_ key: String, _ places: Places = [:]) -> String {
    language.say(key, places).markup
  }

  /// Of each run the way of each step, as many stations as those of the others.
  private func ways(of runs: [Run]) -> [[[Lane.Station]]] {
    let count = runs.map(\.steps.count).max() ?? 0
    let steps = (0...count).map { step in
      Lane.aligned(
        runs.map { step <= $0.steps.count ? Lane($0, at: step, in: language).stations : [] },
        in: language)
    }
    return runs.indices.map { run in steps.map { $0[run] } }
  }

  // MARK: Parts

  private func column(_ recorded: RecordedRun, _ page: String) -> String {
    let (design, outcome) = (recorded.trial.design, recorded.trial.outcome.text[language])
    return """
      <section class="design" aria-label="\(design.markup)" data-steps="\(recorded.run.steps.count)">
      <h2>\(design.markup)</h2><p class="quiet">\(outcome.markup)</p>
      <iframe title="\(design.markup)" srcdoc="\(page.markup)"></iframe></section>
      """
  }

  private var firstButton: String {
    guard let first = differences.first else { return "" }
    return "<button type=\"button\" id=\"differs\" data-step=\"\(first + 1)\">"
      + "\(say("compare.first"))</button>"
  }

  /// The step that is on show at first: the first one in which they differ.
  private var start: Int { differences.first.map { $0 + 1 } ?? 0 }

  private func differenceList() -> String {
    let entries = differences.map { index in
      let moment = comparison.moments[index]
      let outcomes = comparison.outcomes(at: index).map {
        "<dt>\($0.designs.joined(separator: ", ").markup)</dt>"
          + "<dd dir=\"ltr\">\($0.shown.joined(separator: "\n").markup)</dd>"
      }
      return "<li><a href=\"#step=\(index + 1)\"><code dir=\"ltr\">\(moment.text.markup)</code></a>"
        + "<dl>\(outcomes.joined())</dl></li>"
    }
    let content =
      entries.isEmpty
      ? "<p>\(say("compare.no-difference"))</p>" : "<ol>\(entries.joined(separator: "\n"))</ol>"
    return "<section class=\"differences\" aria-labelledby=\"about-differences\">"
      + "<h2 id=\"about-differences\">\(say("compare.differences"))</h2>\n\(content)</section>"
  }

  // MARK: Data

  private struct Data: Encodable {
    var words: [String: String]
    /// Of the start and each step: its statement, and how many stations its ways have.
    var statements: [String]
    var stations: [Int]
    /// The steps in which the designs differ.
    var differences: [Int]
  }

  private func data(_ ways: [[[Lane.Station]]]) -> Data {
    let moments = comparison.moments.prefix(ways[0].count - 1)
    return Data(
      words: Words.script.mapValues { $0[language] },
      statements: [Words.before[language]] + moments.map(\.text.shown),
      stations: ways[0].map(\.count), differences: differences.map { $0 + 1 })
  }
}
