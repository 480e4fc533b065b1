/// All questions of interviews on one page, each with its answer and a link to where one sees it.
struct QuestionsPage {
  var lessons: [Lesson]
  /// The lessons' runs, in their order.
  var runs: [Run]
  var language: Language
  /// Whether exhibits have pages beside this one.
  var hasMuseum = false

  static let file = "questions.html"

  func html() -> String {
    let title = language.say("interview.title")
    let entries = InterviewQuestion.all.enumerated().map(entry)
    let home =
      "<p class=\"quiet\"><a href=\"index.html\">\(LectureWords.all[language].markup)</a></p>"
    return Page.reading(
      title: title, about: language.say("interview.about").markup, home: home, language,
      "<ol class=\"lessons\">\n\(entries.joined(separator: "\n"))\n</ol>")
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
      guard let exhibit = Exhibit.find(name) else { return "" }
      let title = exhibit.title[language].markup
      return hasMuseum
        ? "<a href=\"\(MuseumPages.file(of: exhibit).markup)\">\(title)</a>"
        : "<code>isalab museum \(name.markup)</code>\(language.say("interview.of").markup)\(title)"
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
