/// All the lessons as pages, the questions of interviews, and an index that leads to them.
struct Lecture {
  var lessons: [Lesson]
  var language: Language

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
      + [.init(path: QuestionsPage.file, text: questions.html())]
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
      <p><button type="button" id="again">\(LectureWords.again[language].markup)</button></p>
      </main>
      <script>
      \(Page.handoutScript)</script>
      """
    return Page.document(title, language, body)
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
