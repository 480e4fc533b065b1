/// All questions of interviews on one page, each with its answer and a link to where one sees it.
struct QuestionsPage {
  var lessons: [Lesson]
  /// The lessons' runs, in their order.
  var runs: [Run]
  var language: Language

  static let file = "questions.html"

  func html() -> String {
    let title = language.say("interview.title")
    let entries = InterviewQuestion.all.enumerated().map(entry)
    let body = """
      <header class="top"><p class="quiet"><a href="index.html">\
      \(LectureWords.all[language].markup)</a></p>\(Page.themeButton(language))</header>
      <main class="page">
      <section class="lesson"><h1>\(title.markup)</h1>
      <p>\(language.say("interview.about").markup)</p></section>
      <ol class="lessons">
      \(entries.joined(separator: "\n"))
      </ol>
      </main>
      <script>
      \(Page.handoutScript)</script>
      """
    return Page.document(title, language, body)
  }

  private func entry(_ index: Int, _ question: InterviewQuestion) -> String {
    """
    <li id="\(question.name)"><h2><span class="number">\(index + 1)</span> \
    \(question.title[language].markup)</h2>
    <p>\(question.answer[language].markup)</p>
    <p>\(more(question.place))</p>
    <details class="exercise"><summary>\(language.say("interview.lines").markup)</summary>\
    <pre dir="ltr">\(question.scenario.markup)</pre></details></li>
    """
  }

  private func more(_ place: InterviewQuestion.Place) -> String {
    switch place {
    case .exhibit(let name):
      return "<code>isalab museum \(name.markup)</code>"
        + (Exhibit.find(name).map { language.say("interview.of") + $0.title[language] } ?? "")
        .markup
    case .lesson(let name, let line):
      guard let index = lessons.firstIndex(where: { $0.name == name }),
        let step = runs[index].step(line)
      else { return "" }
      let words = language.say(
        "interview.step", ["lesson": lessons[index].title, "number": step.number])
      let file = LessonPage.file(index, of: lessons)
      return "<a href=\"\(file)#step=\(step.number)\">\(words.markup)</a>"
        + "\(language.say("interview.of"))<code dir=\"ltr\">\(step.text.shown.markup)</code>"
    }
  }
}
