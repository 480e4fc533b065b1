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
    let count = Text(
      "Lesson \(index + 1) of \(lessons.count)", "第 \(index + 1) 课，共 \(lessons.count) 课")
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
    let title = Text(
      "Before step \(step.number) (−) and after it (+)",
      "第 \(step.number) 步之前（−）与之后（+）")
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
  static let title = Text("How an object learns to tell", "对象如何学会通知")
  static let about = Text(
    """
    Isa-swizzling in lessons, each of them really run. Every page stands by itself and opens by a \
    double click; the arrow keys go through its steps.
    """,
    "分课讲解 isa 交换，每一课都是真实运行的结果。每个页面自成一体，双击即可打开；方向键切换步骤。")
  static let all = Text("All lessons", "全部课程")
  static let lessons = Text("Lessons", "课程")
  static let previous = Text("Previous:", "上一课：")
  static let next = Text("Next:", "下一课：")
  static let conclusion = Text("What to take along", "小结")
  static let exercise = Text("Exercise", "练习")
  static let solved = Text(
    "It is solved when these lines hold at its end:", "场景末尾加上这几行，全部成立即为完成：")
  static let apple = Text("Apple:", "Apple：")
  static let here = Text("Here:", "这里：")
}
