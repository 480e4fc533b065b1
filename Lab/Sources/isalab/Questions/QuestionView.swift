/// Questions and answers as lines of text.
struct QuestionView {
  var options: TextOptions
  private var language: Language { options.language }

  /// The questions with their numbers.
  func list() -> [String] {
    InterviewQuestion.all.enumerated().map { index, question in
      "\(padded("\(index + 1)", 2, left: true))  \(question.title[language])"
    }
  }

  /// A question, its answer, the run that bears it out, and where to see more of it.
  func lines(of question: InterviewQuestion, _ run: Run) -> [String] {
    [options.style.heading(question.title[language]), ""] + wrapped(question.answer[language])
      + [""] + RunView(options).lines(of: run) + [""] + wrapped(more(question.place))
  }

  private func more(_ place: InterviewQuestion.Place) -> String {
    switch place {
    case .exhibit(let name): return language.say("interview.exhibit", ["name": name])
    case .lesson(let name, let line):
      return language.say("interview.lesson", ["name": name, "line": line])
    }
  }
}
