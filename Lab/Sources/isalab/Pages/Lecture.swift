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
    let questions = QuestionsPage(lessons: lessons, runs: runs, language: language)
    return [.init(path: "index.html", text: index(runs))] + pages
      + [.init(path: QuestionsPage.file, text: questions.html())] + (try ofProcesses())
  }

  /// The pages of articles and of the museum, whose runs are processes of their own.
  private func ofProcesses() throws(DiagnosticList) -> [OutputFolder.File] {
    guard let process else { return [] }
    let home = "<a href=\"index.html\">\(LectureWords.all[language].markup)</a>"
    var files: [OutputFolder.File] = []
    for article in Article.all {
      let pages = ArticlePages(
        article: article, language: language, process: process,
        file: ArticlePages.file(of: article), home: home)
      files += try pages.files() ?? []
    }
    return files + (try MuseumPages(language: language, process: process, home: home).files())
  }

  // MARK: The index

  private func index(_ runs: [Run]) -> String {
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
      \(process == nil ? "" : articleList() + museumList())
      <p><button type="button" id="again">\(LectureWords.again[language].markup)</button></p>
      </main>
      <script>
      \(Page.handoutScript)</script>
      """
    return Page.document(title, language, body)
  }

  private func articleList() -> String {
    list(
      "article",
      Article.all.map { (ArticlePages.file(of: $0), $0.title, $0.about) })
  }

  private func museumList() -> String {
    list("museum", Exhibit.all.map { (MuseumPages.file(of: $0), $0.title, $0.sign) })
  }

  /// A section of the index, under words of its own.
  private func list(_ name: String, _ pages: [(file: String, title: Text, about: Text)]) -> String {
    let entries = pages.map { page in
      """
      <li><h2><a href="\(page.file.markup)">\(page.title[language].markup)</a></h2>
      <p>\(page.about[language].markup)</p></li>
      """
    }
    return """
      <section class="lesson" id="\(name)s"><h1>\(Text(name + ".all")[language].markup)</h1>
      <p>\(Text(name + ".about-all")[language].markup)</p></section>
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
