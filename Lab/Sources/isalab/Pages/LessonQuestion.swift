// The question of a lesson as it stands on pages: choices on demand, and of each, on demand again, why it
// is wrong; below them the answer. The script makes a prediction of it.

extension LessonPage {
  static func question(of lesson: Lesson, _ run: Run, _ language: Language) -> String {
    let question = lesson.question
    let choices = question.choices.map { choice($0, language) }
    return "<details class=\"question\"\(data(of: lesson, run, language))><summary>"
      + "\(LectureWords.question[language]) \(question.text[language].markup)</summary>"
      + "<ol type=\"a\">\(choices.joined())</ol>\(answer(of: question, run, language))</details>"
  }

  /// A choice, and on demand why it is wrong.
  private static func choice(_ choice: Lesson.Choice, _ language: Language) -> String {
    let text = choice.text[language].markup
    let reply = choice.reply ?? LectureWords.right
    return "<li><details><summary>\(text)</summary><p>\(reply[language].markup)</p></details></li>"
  }

  private static func answer(
    of question: Lesson.Question, _ run: Run, _ language: Language
  ) -> String {
    guard let index = question.answer(in: run) else { return "" }
    let right = question.choices[index].text[language].markup
    let letter = String(UnicodeScalar(UInt8(97 + index)))
    return "<details class=\"answer\"><summary>\(LectureWords.answer[language])</summary>"
      + "<p><strong>\(letter)) \(right)</strong></p>"
      + "<p>\(question.explanation[language].markup)</p></details>"
  }

  /// The place of the right answer, the step that gives it, and the words of the script.
  private static func data(of lesson: Lesson, _ run: Run, _ language: Language) -> String {
    guard let answer = lesson.question.answer(in: run) else { return "" }
    let data = [
      ("lesson", lesson.name), ("answer", "\(answer)"),
      ("step", "\(lesson.stepOfAnswer(in: run) ?? 0)"), ("wrong", LectureWords.wrong[language]),
      ("score", LectureWords.score[language]), ("pass", LectureWords.pass[language]),
      ("go-on", LectureWords.goOn[language]),
    ]
    return data.map { " data-\($0.0)=\"\($0.1.markup)\"" }.joined()
  }
}

extension LectureWords {
  static let question = Text("lecture.question")
  static let right = Text("lecture.right")
  static let wrong = Text("lecture.wrong")
  static let answer = Text("lecture.answer")
  static let score = Text("lecture.score")
  static let pass = Text("lecture.pass")
  static let goOn = Text("lecture.go-on")
  static let again = Text("lecture.again")
}
