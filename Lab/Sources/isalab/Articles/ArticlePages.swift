/// An article as a page, and a page for each run of its claims.
struct ArticlePages: Sendable {
  var article: Article
  var language: Language
  var process: ChildProcess
  /// The file of the article's page; those of its runs are called after it.
  var file: String
  /// Markup of the way back from the article's page.
  var home = ""

  /// `article-mkkvo.html`, in the folder of a lecture.
  static func file(of article: Article) -> String { "article-\(article.name).html" }

  /// The names of all pages, the article's first.
  var files: [String] { [file] + claims.map { file(ofRun: $0.number) } }

  /// All pages, in the order of `files`.
  ///
  /// - Throws: what is wrong in a scenario, which then is none; that there is no process for a run.
  func pages() throws(DiagnosticList) -> [OutputFolder.File] {
    let made = try claims.concurrentMap { claim throws(DiagnosticList) in
      let trial = try trial(of: claim)
      return (text: try page(of: trial, claim), step: step(of: trial, claim))
    }
    let steps = zip(claims, made).map { ($0.number, $1.step) }
    let runs = zip(claims, made).map {
      OutputFolder.File(path: file(ofRun: $0.number), text: $1.text)
    }
    return [.init(path: file, text: page(Dictionary(uniqueKeysWithValues: steps)))] + runs
  }

  /// One of the pages; nil if there is none of that name.
  func page(_ name: String) throws(DiagnosticList) -> String? {
    if name == file {
      let steps = try claims.concurrentMap { claim throws(DiagnosticList) in
        (claim.number, step(of: try trial(of: claim), claim))
      }
      return page(Dictionary(uniqueKeysWithValues: steps))
    }
    guard let claim = claims.first(where: { file(ofRun: $0.number) == name }) else { return nil }
    return try page(of: try trial(of: claim), claim)
  }

  /// A claim that a run shows or refutes; numbers begin with 1.
  private struct Shown: Sendable {
    var number: Int
    var claim: Claim
    var run: ClaimRun
  }

  private var claims: [Shown] {
    article.claims.enumerated().compactMap { index, claim in
      claim.run.map { Shown(number: index + 1, claim: claim, run: $0) }
    }
  }

  private func file(ofRun number: Int) -> String {
    let stem = file.hasSuffix(".html") ? String(file.dropLast(5)) : file
    return "\(stem)-\(number < 10 ? "0" : "")\(number).html"
  }

  private func say(_ key: String, _ places: Places = [:]) -> String {
    language.say(key, places).markup
  }

  // MARK: The page of a run

  private func trial(of claim: Shown) throws(DiagnosticList) -> ClaimTrial {
    let trial = ClaimTrial(claim.run, article, in: process, language, isRecorded: true)
    guard let trial else { throw .noProcess(file: article.name + ".kvo") }
    return trial
  }

  /// The step that the claim's entry leads to.
  private func step(of trial: ClaimTrial, _ claim: Shown) -> Int {
    claim.run.isHere ? trial.act : trial.number
  }

  /// The page of a claim's run. `#step=` and a number leads to a step on it.
  private func page(of trial: ClaimTrial, _ claim: Shown) throws(DiagnosticList) -> String {
    let back = "<a href=\"\(file.markup)\">\(say("article.back"))</a>"
    let program = try ScenarioFile.program(
      of: trial.run.scenario + "\n", file: article.name + ".kvo")
    let recorded = RecordedRun(trial.trial, of: program, language)
    return recorded.page(
      title: claim.claim.text[language], at: trial.number, home: back,
      before: verdict(of: claim.claim)
    ).html()
  }

  // MARK: The page of the article

  /// - Parameter steps: The steps that the claims' entries lead to, by their numbers.
  private func page(_ steps: [Int: Int]) -> String {
    let entries = article.claims.indices.map { entry($0 + 1, steps[$0 + 1]) }
    return Page.reading(
      title: article.title[language], about: article.about[language].markup,
      home: home.isEmpty ? "<p class=\"quiet\">isalab</p>" : home, language,
      "<ol class=\"lessons\">\n\(entries.joined(separator: "\n"))\n</ol>")
  }

  private func entry(_ number: Int, _ step: Int?) -> String {
    let claim = article.claims[number - 1]
    return """
      <li id="claim-\(number)"><h2><span class="number">\(number)</span> \
      \(claim.text[language].markup)</h2>
      \(verdict(of: claim))\(step.map { place(of: claim.run!, number, $0) } ?? "")</li>
      """
  }

  private func verdict(of claim: Claim) -> String {
    "<p><strong>\(say(claim.verdict.key))\(say("article.colon"))</strong>"
      + "\(claim.reason[language].markup)</p>"
  }

  private func place(of run: ClaimRun, _ number: Int, _ step: Int) -> String {
    "\n<p><a href=\"\(file(ofRun: number).markup)#step=\(step)\">\(run.design): "
      + "<code dir=\"ltr\">\(run.line.markup)</code></a></p>"
  }
}
