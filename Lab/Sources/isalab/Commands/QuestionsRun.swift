/// `isalab questions`: what interviews ask, each answer with a run that bears it out.
struct QuestionsRun {
  var options: TextOptions
  var console: Console

  /// Lists the questions, or answers one.
  ///
  /// - Returns: as `isalab run`, for the lines expect what the answer says; 2 if there is no such
  ///   question.
  func run(_ text: String?) -> Int32 {
    let view = QuestionView(options: options)
    guard let text else {
      show(view.list())
      return 0
    }
    guard let question = InterviewQuestion.find(text) else {
      let places: Places = ["name": text.shown, "count": InterviewQuestion.all.count]
      console.err(options.language.say("interview.unknown", places))
      return 2
    }
    do throws(DiagnosticList) {
      let run = try question.run()
      show(view.lines(of: question, run))
      for diagnostic in run.broken { console.err(diagnostic.text(in: options.language)) }
      return run.exitCode
    } catch {
      console.err(error.text(in: options.language))
      return 2
    }
  }

  private func show(_ lines: [String]) {
    for line in lines { console.out(line) }
  }
}
