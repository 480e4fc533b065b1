/// A lesson as a page: its words above and below the steps of its run.
struct LessonPage {
  /// Its place among `lessons`.
  var index: Int
  var lessons: [Lesson]
  var run: Run
  var language: Language
  private var lesson: Lesson { lessons[index] }

  init(_ index: Int, of lessons: [Lesson], run: Run, _ language: Language) {
    self.index = index
    self.lessons = lessons
    self.run = run
    self.language = language
  }

  /// `05-isa-swap.html`
  static func file(_ index: Int, of lessons: [Lesson]) -> String {
    "\(index < 9 ? "0" : "")\(index + 1)-\(lessons[index].name).html"
  }

  func html() -> String {
    Page(
      run: run, title: lesson.title[language], language: language, before: before(), after: after(),
      home: "<a href=\"index.html\">\(say(LectureWords.all))</a>",
      showsMetaclasses: lesson.showsMetaclasses
    ).html()
  }

  private func say(_ text: Text) -> String { text[language].markup }

  // MARK: Above and below

  private func before() -> String {
    let count = Text("lecture.number", ["number": index + 1, "count": lessons.count])
    return """
      <section class="lesson opening" aria-labelledby="lesson">
      <div><p class="quiet">\(say(count))</p>
      <h1 id="lesson">\(say(lesson.title))</h1>
      <p class="goal">\(say(lesson.goal))</p>
      <p>\(say(lesson.introduction))</p></div>
      \(LessonPage.question(of: lesson, run, language))
      </section>
      """
  }

  private func after() -> String {
    """
    <section class="lesson" aria-label="\(say(LectureWords.conclusion))">
    \(turn())<h2>\(say(LectureWords.conclusion))</h2>
    <p>\(say(lesson.conclusion))</p>
    \(departures())<h2>\(say(LectureWords.exercise))</h2>
    \(LessonPage.exercise(of: lesson, language))
    \(neighbours())
    </section>
    """
  }

  /// The changes of the lesson's turn, line by line.
  private func turn() -> String {
    guard let step = run.step(lesson.turn.line) else { return "" }
    let title = Text("lecture.turn", ["number": step.number])
    let blocks = lesson.turn.difference(in: run, language).map {
      "<pre dir=\"ltr\">\($0.lines.map(markup).joined())</pre>"
    }
    return
      "<h2 id=\"turn\" data-step=\"\(step.number)\">\(say(title)): <code>\(step.text.shown.markup)</code></h2>\n\(blocks.joined())\n"
  }

  private func markup(_ line: LineDifference.Line) -> String {
    let text = line.text.shown.markup
    return switch line.mark {
    case .kept: "  \(text)\n"
    case .gone: "<del>− \(text)</del>"
    case .come: "<ins>+ \(text)</ins>"
    }
  }

  private func departures() -> String {
    lesson.departures.map {
      "<p><strong>\(say(LectureWords.apple))</strong> \(say($0.apple))<br/>"
        + "<strong>\(say(LectureWords.here))</strong> \(say($0.here))</p>\n"
    }.joined()
  }

  private func neighbours() -> String {
    func link(_ other: Int, _ way: String, _ word: Text) -> String {
      guard lessons.indices.contains(other) else { return "<span></span>" }
      return "<a rel=\"\(way)\" href=\"\(LessonPage.file(other, of: lessons))\">"
        + "\(say(word)) \(say(lessons[other].title))</a>"
    }
    return "<nav class=\"ways\" aria-label=\"\(say(LectureWords.lessons))\">"
      + link(index - 1, "prev", LectureWords.previous) + link(index + 1, "next", LectureWords.next)
      + "</nav>"
  }

  // MARK: Parts that the index has too

  static func exercise(of lesson: Lesson, _ language: Language) -> String {
    "<p>\(lesson.exercise.task[language].markup)</p>"
      + "<p class=\"quiet\">\(LectureWords.solved[language])</p>"
      + "<pre dir=\"ltr\">\(lesson.exercise.check.shownLines.markup)</pre>"
  }
}

extension String {
  fileprivate var shownLines: String {
    split(separator: "\n", omittingEmptySubsequences: false).map { String($0).shown }
      .joined(separator: "\n")
  }
}

/// The words of a lecture's pages themselves.
enum LectureWords {
  static let title = Text("lecture.title")
  static let about = Text("lecture.about")
  static let swap = Text("lecture.swap")
  static let picture = Text("lecture.picture")
  static let begin = Text("lecture.begin")
  static let museum = Text("lecture.museum")
  static let museumAbout = Text("lecture.museum-about")
  static let labs = Text("lecture.labs")
  static let labsAbout = Text("lecture.labs-about")
  static let editor = Text("lecture.editor")
  static let editorAbout = Text("lecture.editor-about")
  static let all = Text("lecture.all")
  static let lessons = Text("lecture.lessons")
  static let previous = Text("lecture.previous")
  static let next = Text("lecture.next")
  static let conclusion = Text("lecture.conclusion")
  static let exercise = Text("lecture.exercise")
  static let solved = Text("lecture.solved-when")
  static let apple = Text("lecture.apple")
  static let here = Text("lecture.here")
}
