/// Articles, their claims and the runs of these, as lines of text.
struct ArticleView {
  var style = TextStyle()
  var language = Language.english
  private static let width = 80
  private static let indent = "    "

  private func say(_ key: String, _ places: Places = [:]) -> String { language.say(key, places) }

  /// The articles by name.
  func catalogue() -> [String] {
    let names = Article.all.map(\.name.count).max() ?? 0
    return Article.all.flatMap { article in
      let count = say("article.count", ["count": article.claims.count])
      let lines = fitted(article.title[language] + say("step.comma") + count, width: 78 - names)
      return lines.enumerated().map { padded($0 == 0 ? article.name : "", names) + "  " + $1 }
    }
  }

  func lines(of article: Article) -> [String] {
    head(of: article)
      + article.claims.indices.flatMap { [""] + lines(of: article.claims[$0], $0 + 1) } + [""]
      + wrapped(say("article.go-on", ["name": article.name]), width: ArticleView.width)
  }

  private func head(of article: Article) -> [String] {
    [style.heading("\(article.name): \(article.title[language])")]
      + wrapped(article.about[language], width: ArticleView.width, indent: "  ")
  }

  /// A claim, its verdict with the reason, and where it is to be seen.
  private func lines(of claim: Claim, _ number: Int) -> [String] {
    let indent = ArticleView.indent
    let text = wrapped(claim.text[language], width: ArticleView.width, indent: indent)
    let verdict = say(claim.verdict.key) + say("article.colon") + claim.reason[language]
    return [style.heading(padded("\(number)", 2, left: true) + text[0].dropFirst(2))]
      + text.dropFirst().map(style.heading)
      + wrapped(verdict, width: ArticleView.width, indent: indent).map { toned($0, claim.verdict) }
      + (claim.run.map { place(of: $0) } ?? [])
  }

  private func toned(_ line: String, _ verdict: Claim.Verdict) -> String {
    switch verdict {
    case .shown: style.good(line)
    case .refuted: style.bad(line)
    case .named: style.faint(line)
    }
  }

  /// The design and the line of a run.
  private func place(of run: ClaimRun) -> [String] {
    wrapped(
      say("article.place", ["where": origin(of: run)]) + run.line, width: ArticleView.width,
      indent: ArticleView.indent
    ).map(style.notable)
  }

  private func origin(of run: ClaimRun) -> String {
    switch run.origin {
    case .own: run.design
    case .lesson(let name): say("article.lesson", ["name": name])
    case .exhibit(let name): say("article.exhibit", ["design": run.design, "name": name])
    }
  }

  /// One claim, with its run.
  func lines(of article: Article, claim number: Int, _ trial: ClaimTrial?) -> [String] {
    let museum = MuseumView(style: style, language: language)
    return head(of: article) + [""] + lines(of: article.claims[number - 1], number)
      + (trial.map { [""] + museum.lines(of: $0.trial) } ?? [])
  }

  /// A claim whose run is not as it should be.
  func lines(of article: Article, claim number: Int, _ problem: Text) -> [String] {
    fitted("\(article.name) \(number)\(say("article.colon"))\(problem[language])", width: 80)
      .map(style.bad)
  }

  func summary(of article: Article, _ failed: Int) -> String {
    let counts = Claim.Verdict.allCases.map { verdict in
      say(verdict.key) + " \(article.claims.count { $0.verdict == verdict })"
    }
    let end = failed == 0 ? say("article.all-right") : say("article.failed", ["count": failed])
    let text = ([say("article.count", ["count": article.claims.count])] + counts + [end])
      .joined(separator: say("step.comma"))
    return article.name + say("article.colon") + (failed == 0 ? style.good(text) : style.bad(text))
  }
}

extension Claim.Verdict {
  /// The catalogue's word for it.
  var key: String {
    switch self {
    case .shown: "article.shown"
    case .refuted: "article.refuted"
    case .named: "article.named"
    }
  }
}
