/// All the lessons as pages, and an index that leads to them.
struct Lecture {
  var lessons: [Lesson]
  var language: Language

  /// Every page, the index first.
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
    return [.init(path: "index.html", text: index(runs))] + pages
  }

  // MARK: The index

  private func index(_ runs: [Run]) -> String {
    let body = """
      <header class="top"><p class="quiet">isalab</p>\(Page.themeButton(language))</header>
      <main class="page">
      \(opening)
      \(sections(runs).joined(separator: "\n"))
      </main>
      <script>
      \(Page.handoutScript)\(PackageResources.swap_js)</script>
      """
    return Page.document(LectureWords.title[language], language, body)
  }

  private func say(_ text: Text) -> String { text[language].markup }

  /// The swap as a picture that plays by itself, and the way to the lesson that has it.
  private var opening: String {
    let picture = GraphStyle.lettered(PackageResources.swap_svg)
      .replacing("$label", with: say(LectureWords.picture))
    let index = lessons.firstIndex { $0.name == "isa-swap" } ?? 0
    return """
      <section class="lesson opening"><div><h1>\(say(LectureWords.title))</h1>
      <p>\(say(LectureWords.swap))</p>
      <p><a class="begin" href="\(LessonPage.file(index, of: lessons))">\
      \(say(LectureWords.begin))</a></p></div>
      <figure class="playing">\(picture)\(restButton)</figure></section>
      """
  }

  private var restButton: String {
    let (pause, play) = (say(Words.script["pause"]!), say(Words.script["play"]!))
    return "<button type=\"button\" id=\"rest\" class=\"rest\" aria-label=\"\(pause)\" "
      + "data-pause=\"\(pause)\" data-play=\"\(play)\"></button>"
  }

  /// All that the index leads to, in this order: a further kind of page is a section of its own.
  private func sections(_ runs: [Run]) -> [String] {
    let entries = lessons.indices.map { entry($0, runs[$0]) }.joined(separator: "\n")
    return [
      section(
        "lessons", LectureWords.lessons,
        "<p>\(say(LectureWords.about))</p><ol class=\"lessons\">\(entries)</ol>"),
      section("museum", LectureWords.museum, command("isalab museum", LectureWords.museumAbout)),
      section("labs", LectureWords.labs, command("isalab lab list", LectureWords.labsAbout)),
      section("editor", LectureWords.editor, command("isalab serve", LectureWords.editorAbout)),
      "<p class=\"forget\"><button type=\"button\" id=\"again\">\(say(LectureWords.again))"
        + "</button></p>",
    ]
  }

  private func section(_ id: String, _ title: Text, _ content: String) -> String {
    "<section id=\"\(id)\" class=\"part\" aria-labelledby=\"about-\(id)\">"
      + "<h2 id=\"about-\(id)\">\(say(title))</h2>\n\(content)</section>"
  }

  /// What stands behind a command of the terminal.
  private func command(_ line: String, _ about: Text) -> String {
    "<p>\(say(about))</p><pre class=\"command\">\(line)</pre>"
  }

  private func entry(_ index: Int, _ run: Run) -> String {
    let lesson = lessons[index]
    return """
      <li><h3><span class="number">\(index + 1)</span> \
      <a href="\(LessonPage.file(index, of: lessons))">\(lesson.title[language].markup)</a></h3>
      <p>\(lesson.goal[language].markup)</p>
      \(LessonPage.question(of: lesson, run, language))
      <details class="exercise"><summary>\(LectureWords.exercise[language])</summary>\
      \(LessonPage.exercise(of: lesson, language))</details></li>
      """
  }
}
