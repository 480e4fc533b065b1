/// All the lessons, articles and exhibits as pages, the questions of interviews, and an index to them.
struct Lecture {
  let lessons: [Lesson]
  let language: Language
  /// Runs what articles claim and where designs fail; without it there are no such pages.
  let process: ChildProcess?
  private let runs: LessonRuns

  init(lessons: [Lesson], language: Language, process: ChildProcess? = nil) {
    (self.lessons, self.language, self.process) = (lessons, language, process)
    runs = LessonRuns(lessons)
  }

  private static let index = "index.html"

  /// The names of all pages, the index first.
  var files: [String] {
    let own = lessons.indices.map { LessonPage.file($0, of: lessons) }
    return [Lecture.index] + own + [QuestionsPage.file] + articles.flatMap(\.files)
      + (museum?.files ?? [])
  }

  /// Every page, in the order of `files`.
  ///
  /// - Throws: what is wrong in a lesson that does not run as it should.
  func pages() throws(DiagnosticList) -> [OutputFolder.File] {
    var pages: [OutputFolder.File] = []
    for file in files.prefix(lessons.count + 2) {
      pages.append(.init(path: file, text: try page(file) ?? ""))
    }
    for article in articles { pages += try article.pages() }
    return pages + (try museum?.pages() ?? [])
  }

  /// One page; nil if there is none of that name.
  func page(_ file: String) throws(DiagnosticList) -> String? {
    switch file {
    case Lecture.index: return index(try runs.all())
    case QuestionsPage.file:
      return QuestionsPage(
        lessons: lessons, runs: try runs.all(), language: language, hasMuseum: process != nil
      ).html()
    default: break
    }
    if let index = lessons.indices.first(where: { LessonPage.file($0, of: lessons) == file }) {
      return LessonPage(index, of: lessons, run: try runs[index], language).html()
    }
    if let article = articles.first(where: { $0.files.contains(file) }) {
      return try article.page(file)
    }
    return try museum?.page(file)
  }

  private var home: String { "<a href=\"index.html\">\(LectureWords.all[language].markup)</a>" }

  private var articles: [ArticlePages] {
    guard let process else { return [] }
    return Article.all.map {
      ArticlePages(
        article: $0, language: language, process: process, file: ArticlePages.file(of: $0),
        home: home)
    }
  }

  private var museum: MuseumPages? {
    process.map { MuseumPages(language: language, process: $0, home: home) }
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
      section(
        "questions", Text("interview.title"),
        "<p><a href=\"\(QuestionsPage.file)\">\(say(Text("interview.link")))</a></p>"),
    ]
      + (process == nil
        ? [] : [list("articles", Text("article.all"), Text("article.about-all"), articleEntries)])
      + [
        process == nil
          ? section(
            "museum", LectureWords.museum, command("isalab museum", LectureWords.museumAbout))
          : list("museum", LectureWords.museum, Text("museum.about-all"), exhibitEntries),
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

  private typealias Entry = (file: String, title: Text, about: Text)

  private var articleEntries: [Entry] {
    Article.all.map { (ArticlePages.file(of: $0), $0.title, $0.about) }
  }

  private var exhibitEntries: [Entry] {
    Exhibit.all.map { (MuseumPages.file(of: $0), $0.title, $0.sign) }
  }

  /// A section that leads to pages.
  private func list(_ id: String, _ title: Text, _ about: Text, _ pages: [Entry]) -> String {
    let entries = pages.map {
      "<li><h3><a href=\"\($0.file.markup)\">\(say($0.title))</a></h3><p>\(say($0.about))</p></li>"
    }
    return section(
      id, title,
      "<p>\(say(about))</p><ol class=\"lessons\">\(entries.joined(separator: "\n"))</ol>")
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

/// The runs of lessons, each made when it is first asked for.
private final class LessonRuns {
  private let lessons: [Lesson]
  private var runs: [Int: Run] = [:]

  init(_ lessons: [Lesson]) { self.lessons = lessons }

  func all() throws(DiagnosticList) -> [Run] {
    var all: [Run] = []
    for index in lessons.indices { all.append(try self[index]) }
    return all
  }

  subscript(index: Int) -> Run {
    get throws(DiagnosticList) {
      if let run = runs[index] { return run }
      let run = try lessons[index].run()
      let wrong = run.broken + (run.stopped.map { [$0] } ?? [])
      if !wrong.isEmpty { throw DiagnosticList(diagnostics: wrong) }
      runs[index] = run
      return run
    }
  }
}
