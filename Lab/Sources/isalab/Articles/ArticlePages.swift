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

  /// All pages, the article's first; nil if there is no process for the runs.
  ///
  /// - Throws: what is wrong in a scenario, which then is none.
  func files() throws(DiagnosticList) -> [OutputFolder.File]? {
    let claims = Array(article.claims.enumerated()).filter { $0.element.run != nil }
    let made = try claims.concurrentMap { number, claim throws(DiagnosticList) in
      try page(of: claim, number)
    }
    var runs: [OutputFolder.File] = []
    var links: [Int: Link] = [:]
    for (claim, made) in zip(claims, made) {
      guard let (page, link) = made else { return nil }
      runs.append(page)
      links[claim.offset] = link
    }
    return [.init(path: file, text: page(links))] + runs
  }

  /// A place on the page of a run.
  private struct Link: Sendable {
    var file: String
    var step: Int
  }

  private func file(ofRun number: Int) -> String {
    let stem = file.hasSuffix(".html") ? String(file.dropLast(5)) : file
    return "\(stem)-\(number < 10 ? "0" : "")\(number).html"
  }

  private func say(_ key: String, _ places: Places = [:]) -> String {
    language.say(key, places).markup
  }

  // MARK: The page of a run

  /// Nil if there is no process for the run.
  private func page(
    of claim: Claim, _ index: Int
  ) throws(DiagnosticList) -> (OutputFolder.File, Link)? {
    guard let run = claim.run,
      let trial = ClaimTrial(run, article, in: process, language, isRecorded: true)
    else { return nil }
    let file = self.file(ofRun: index + 1)
    let link = Link(file: file, step: run.isHere ? trial.act : trial.number)
    return (.init(path: file, text: try page(of: trial, claim)), link)
  }

  /// The page of a claim's run. `#step=` and a number leads to a step on it.
  private func page(of trial: ClaimTrial, _ claim: Claim) throws(DiagnosticList) -> String {
    let back = "<a href=\"\(file.markup)\">\(say("article.back"))</a>"
    let recorded = try RecordedRun(
      trial.trial, of: trial.run.scenario + "\n", file: article.name + ".kvo", language)
    return recorded.page(
      title: claim.text[language], at: trial.number, home: back, before: verdict(of: claim)
    ).html()
  }

  // MARK: The page of the article

  private func page(_ links: [Int: Link]) -> String {
    let entries = article.claims.indices.map { entry($0, links[$0]) }
    let body = """
      <header class="top">\(home.isEmpty ? "<p class=\"quiet\">isalab</p>" : home)\
      \(Page.themeButton(language))</header>
      <main class="page">
      <section class="lesson"><h1>\(article.title[language].markup)</h1>
      <p>\(article.about[language].markup)</p></section>
      <ol class="lessons">
      \(entries.joined(separator: "\n"))
      </ol>
      </main>
      <script>
      \(Page.handoutScript)</script>
      """
    return Page.document(article.title[language], language, body)
  }

  private func entry(_ index: Int, _ link: Link?) -> String {
    let claim = article.claims[index]
    return """
      <li id="claim-\(index + 1)"><h2><span class="number">\(index + 1)</span> \
      \(claim.text[language].markup)</h2>
      \(verdict(of: claim))\(link.map { place(of: claim.run!, $0) } ?? "")</li>
      """
  }

  private func verdict(of claim: Claim) -> String {
    "<p><strong>\(say(claim.verdict.key))\(say("article.colon"))</strong>"
      + "\(claim.reason[language].markup)</p>"
  }

  private func place(of run: ClaimRun, _ link: Link) -> String {
    "\n<p><a href=\"\(link.file.markup)#step=\(link.step)\">\(run.design): "
      + "<code dir=\"ltr\">\(run.line.markup)</code></a></p>"
  }
}
