import Foundation

/// `isalab article`: what articles claim, and the runs that show or refute it.
struct ArticleRun {
  var console: Console
  var style = TextStyle()
  var language = Language.english
  var process: ChildProcess
  private var view: ArticleView { ArticleView(style: style, language: language) }

  init(
    console: Console, style: TextStyle = TextStyle(), language: Language = .english,
    process: ChildProcess
  ) {
    self.console = console
    self.style = style
    self.language = language
    self.process = process
  }

  /// Lists the articles.
  func list() -> Int32 {
    show(view.catalogue())
    return 0
  }

  /// Shows an article's claims.
  ///
  /// - Returns: 0, or 2 if there is no such article.
  func show(_ name: String) -> Int32 {
    guard let article = find(name) else { return 2 }
    show(view.lines(of: article))
    return 0
  }

  /// Shows one claim and its run.
  ///
  /// - Returns: 0 if the run is as the verdict says, 1 if not, 2 if there is no such claim or no
  ///   process for it.
  func show(_ name: String, claim number: Int) -> Int32 {
    guard let article = find(name) else { return 2 }
    guard article.claims.indices.contains(number - 1) else {
      let places: Places = ["name": name, "number": number, "count": article.claims.count]
      console.err(language.say("article.no-claim", places))
      return 2
    }
    guard let run = article.claims[number - 1].run else {
      show(view.lines(of: article, claim: number, nil))
      return 0
    }
    guard let trial = trial(of: run, article, language) else { return 2 }
    show(view.lines(of: article, claim: number, trial))
    // What a run shows is compared in English.
    return check(article, number) ?? 2
  }

  /// Runs all claims of an article, or of all.
  ///
  /// - Returns: 0 if each run is as the verdict says, 1 if not, 2 if there is no such article or no
  ///   process.
  func check(_ name: String?) -> Int32 {
    guard let name else { return Article.all.map(check).max() ?? 0 }
    guard let article = find(name) else { return 2 }
    return check(article)
  }

  private func check(_ article: Article) -> Int32 {
    var failed = 0
    for number in article.claims.indices.map({ $0 + 1 }) {
      guard let code = check(article, number) else { return 2 }
      failed += Int(code)
    }
    console.out(view.summary(of: article, failed))
    return failed == 0 ? 0 : 1
  }

  /// Runs one claim and tells what is wrong: 0 if nothing is, else 1; nil if there is no process.
  private func check(_ article: Article, _ number: Int) -> Int32? {
    guard let run = article.claims[number - 1].run else { return 0 }
    guard let trial = trial(of: run, article, .english) else { return nil }
    guard let problem = trial.problem else { return 0 }
    show(view.lines(of: article, claim: number, problem))
    return 1
  }

  private func trial(of run: ClaimRun, _ article: Article, _ language: Language) -> ClaimTrial? {
    if let trial = ClaimTrial(run, article, in: process, language) { return trial }
    console.err(language.say("compare.no-process"))
    return nil
  }

  private func find(_ name: String) -> Article? {
    if let article = Article.find(name) { return article }
    let names = Article.all.map(\.name)
    let hint = name.nearest(among: names).map { language.say("article.mean", ["name": $0]) } ?? ""
    let places: Places = ["name": name.shown, "names": alternatives(names)]
    console.err(language.say("article.unknown", places) + hint)
    return nil
  }

  private func show(_ lines: [String]) {
    for line in lines { console.out(line) }
  }
}

// MARK: - Pages

extension ArticleRun {
  /// Writes an article's page, and beside it the pages of its runs.
  ///
  /// - Returns: 0, or 2 if there is no such article, no process, or a page cannot be written.
  func page(of name: String, to output: String) -> Int32 {
    guard let article = find(name) else { return 2 }
    let place = URL(fileURLWithPath: output)
    let pages = ArticlePages(
      article: article, language: language, process: process, file: place.lastPathComponent)
    do throws(DiagnosticList) {
      for file in try pages.pages() {
        let path = place.deletingLastPathComponent().appendingPathComponent(file.path).path
        let problem = OutputFile(path: path, console: console).write(file.text)
        if let problem { return fail(problem) }
      }
      return 0
    } catch {
      console.err(error.text(in: language))
      return 2
    }
  }

  private func fail(_ problem: Text) -> Int32 {
    console.err(problem[language].shown)
    return 2
  }
}
