/// All the lessons and articles as pages, the questions of interviews, and an index to them.
struct Lecture {
  var lessons: [Lesson]
  var language: Language
  /// Runs what articles claim; without it there are no articles.
  var process: ChildProcess?

  /// Every page, the index first, the questions last.
  ///
  /// - Throws: what is wrong in a lesson that does not run as it should.
  func pages() throws(DiagnosticList) -> [OutputFolder.File] {
    var pages: [OutputFolder.File] = []
    var runs: [Run] = []
    for (index, lesson) in lessons.enumerated() {
      let run = try lesson.run()
      let wrong = run.broken + (run.stopped.map { [$0] } ?? [])
      if !wrong.isEmpty { throw DiagnosticList(diagnostics: wrong) }
      let page = LessonPage(index, of: lessons, run: run, language)
      pages.append(.init(path: LessonPage.file(index, of: lessons), text: page.html()))
      runs.append(run)
    }
    let articles = try self.articles()
    let questions = QuestionsPage(lessons: lessons, runs: runs, language: language)
    let index = index(runs, hasArticles: !articles.isEmpty)
    return [.init(path: "index.html", text: index)] + pages
      + [.init(path: QuestionsPage.file, text: questions.html())] + articles
  }

  private func articles() throws(DiagnosticList) -> [OutputFolder.File] {
    guard let process else { return [] }
    var files: [OutputFolder.File] = []
    for article in Article.all {
      let pages = ArticlePages(
        article: article, language: language, process: process,
        file: ArticlePages.file(of: article),
        home: "<a href=\"index.html\">\(LectureWords.all[language].markup)</a>")
      files += try pages.files() ?? []
    }
    return files
  }

  // MARK: The index

  private func index(_ runs: [Run], hasArticles: Bool) -> String {
    let entries = lessons.indices.map { entry($0, runs[$0]) }
    let title = LectureWords.title[language]
    let body = """
      <header class="top"><p class="quiet">isalab</p>\(Page.themeButton(language))</header>
      <main class="page">
      <section class="lesson"><h1>\(title.markup)</h1>
      <p>\(LectureWords.about[language].markup)</p>
      <p><a href="\(QuestionsPage.file)">\(language.say("interview.link").markup)</a></p></section>
      <ol class="lessons">
      \(entries.joined(separator: "\n"))
      </ol>
      \(hasArticles ? articleList() : "")
      <p><button type="button" id="again">\(LectureWords.again[language].markup)</button></p>
      </main>
      <script>
      \(Page.handoutScript)</script>
      """
    return Page.document(title, language, body)
  }

  private func articleList() -> String {
    let entries = Article.all.map { article in
      """
      <li><h2><a href="\(ArticlePages.file(of: article))">\(article.title[language].markup)</a></h2>
      <p>\(article.about[language].markup)</p></li>
      """
    }
    return """
      <section class="lesson" id="articles"><h1>\(Text("article.all")[language].markup)</h1>
      <p>\(Text("article.about-all")[language].markup)</p></section>
      <ol class="lessons">
      \(entries.joined(separator: "\n"))
      </ol>

      """
  }

  private func entry(_ index: Int, _ run: Run) -> String {
    let lesson = lessons[index]
    return """
      <li><h2><span class="number">\(index + 1)</span> \
      <a href="\(LessonPage.file(index, of: lessons))">\(lesson.title[language].markup)</a></h2>
      <p>\(lesson.goal[language].markup)</p>
      \(LessonPage.question(of: lesson, run, language))
      <details class="exercise"><summary>\(LectureWords.exercise[language])</summary>\
      \(LessonPage.exercise(of: lesson, language))</details></li>
      """
  }
}
