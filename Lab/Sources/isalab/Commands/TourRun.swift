/// `isalab tour`: runs lessons and shows them, asking for predictions first if that is wanted.
struct TourRun {
  var options: TextOptions
  var console: Console
  /// Whether the reader answers each lesson's question before it runs.
  var predicts = false
  /// Whether the reader is waited for after each lesson.
  var pauses = false
  private var view: TourView { TourView(options) }

  init(options: TextOptions, console: Console, predicts: Bool = false, pauses: Bool = false) {
    self.options = options
    self.console = console
    self.predicts = predicts
    self.pauses = pauses
  }

  /// Shows all lessons, or those of the given names and numbers.
  ///
  /// - Returns: as `isalab run`, for lessons expect things of themselves too; 2 if there is no such
  ///   lesson, and then none is shown.
  func run(lessons texts: [String] = []) -> Int32 {
    if texts.isEmpty { return run(Lessons.all, isWhole: true) }
    guard let lessons = find(texts) else { return 2 }
    return run(lessons, isWhole: false)
  }

  /// The lessons of these names and numbers; says of the first that there is none of.
  private func find(_ texts: [String]) -> [Lesson]? {
    var lessons: [Lesson] = []
    for text in texts {
      guard let lesson = Lessons.find(text) else {
        for line in view.unknown(text.shown) { console.err(line) }
        return nil
      }
      lessons.append(lesson)
    }
    return lessons
  }

  /// Prints the names and titles of all lessons.
  func list() -> Int32 {
    show(view.list)
    return 0
  }

  /// Prints a lesson's scenario, to be saved and changed.
  func scenario(lesson text: String) -> Int32 {
    guard let lesson = find([text])?.first else { return 2 }
    console.out(lesson.lines)
    return 0
  }

  private func run(_ lessons: [Lesson], isWhole: Bool) -> Int32 {
    if isWhole { show(view.preface) }
    var code: Int32 = 0
    var score = Score()
    for (index, lesson) in lessons.enumerated() {
      code = max(code, run(lesson, &score))
      if pauses, index < lessons.count - 1, !isContinued(with: lessons[index + 1]) { break }
    }
    if predicts { show(view.lines(of: score)) }
    if isWhole { show(view.farewell) }
    return code
  }

  private func run(_ lesson: Lesson, _ score: inout Score) -> Int32 {
    show(view.opening(of: lesson))
    let prediction = predicts ? ask(lesson.question, &score) : nil
    do throws(DiagnosticList) {
      let run = try lesson.run()
      show(view.course(of: lesson, run))
      if predicts { score.count(prediction, lesson.question.answer(in: run)) }
      show(view.closing(of: lesson, run, prediction: prediction))
      for diagnostic in run.broken + (run.stopped.map { [$0] } ?? []) {
        console.err(diagnostic.text(in: options.language))
      }
      return run.exitCode
    } catch {
      console.err(error.text(in: options.language))
      return 2
    }
  }

  /// Waits for a line; false if it is q, or there is none any more.
  private func isContinued(with next: Lesson) -> Bool {
    console.prompt(view.pause(before: next))
    guard let line = console.line() else {
      console.out("")
      return false
    }
    console.out("")
    return line.filter { !$0.isWhitespace }.lowercased() != "q"
  }

  /// Waits for a line that names a choice; nil if the reader passes the question over.
  private func ask(_ question: Lesson.Question, _ score: inout Score) -> Int? {
    if score.isOver { return nil }
    while true {
      console.prompt(view.prompt(question))
      guard let line = console.line() else {
        score.isOver = true
        console.out("")
        return nil
      }
      let word = line.filter { !$0.isWhitespace }.lowercased()
      if word.isEmpty { return nil }
      if let choice = view.letters(question).firstIndex(of: word) { return choice }
      show(view.notAChoice(question))
    }
  }

  private func show(_ lines: [String]) {
    for line in lines { console.out(line) }
  }
}

/// How many predictions came true.
struct Score: Hashable, Sendable {
  var right = 0
  var wrong = 0
  var skipped = 0
  /// Whether there are no more answers to read.
  var isOver = false

  mutating func count(_ prediction: Int?, _ answer: Int?) {
    guard let prediction else { return skipped += 1 }
    if prediction == answer { right += 1 } else { wrong += 1 }
  }
}
