/// `isalab tour`: runs lessons and shows them, asking for predictions first if that is wanted.
struct TourRun {
  var options: TextOptions
  var console: Console
  /// Whether the reader answers each lesson's question before it runs.
  var predicts = false
  /// Whether the reader is waited for after each lesson.
  var pauses = false
  /// Whether a lesson waits as well, screen by screen, and before and behind its turning point.
  var showsScreens = false
  private var view: TourView { TourView(options) }

  init(
    options: TextOptions, console: Console, predicts: Bool = false, pauses: Bool = false,
    showsScreens: Bool = false
  ) {
    self.options = options
    self.console = console
    self.predicts = predicts
    self.pauses = pauses
    self.showsScreens = showsScreens
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
    if isWhole, !present([view.preface], isLast: false) { return 0 }
    var code: Int32 = 0
    var score = Score()
    for (index, lesson) in lessons.enumerated() {
      guard let result = run(lesson, &score) else { break }
      code = max(code, result)
      if pauses, index < lessons.count - 1,
        !isContinued(view.pause(before: lessons[index + 1]))
      {
        break
      }
    }
    if predicts { show(view.lines(of: score)) }
    if isWhole { show(view.farewell) }
    return code
  }

  /// - Returns: nil if the reader ends the tour in the middle of it.
  private func run(_ lesson: Lesson, _ score: inout Score) -> Int32? {
    guard present(screens(view.opening(of: lesson)), isLast: predicts) else { return nil }
    let prediction = predicts ? ask(lesson.question, &score) : nil
    do throws(DiagnosticList) {
      let run = try lesson.run()
      let course = showsScreens ? view.screens(of: lesson, run) : [view.course(of: lesson, run)]
      guard present(course, isLast: false) else { return nil }
      if predicts { score.count(prediction, lesson.question.answer(in: run)) }
      let closing = view.closing(of: lesson, run, prediction: prediction)
      guard present(screens(closing), isLast: true) else { return nil }
      for diagnostic in run.broken + (run.stopped.map { [$0] } ?? []) {
        console.err(diagnostic.text(in: options.language))
      }
      return run.exitCode
    } catch {
      console.err(error.text(in: options.language))
      return 2
    }
  }

  private func screens(_ lines: [String]) -> [[String]] {
    showsScreens ? TourView.screens(lines) : [lines]
  }

  /// Shows screens, and waits behind each, but behind the last one only if more comes.
  ///
  /// - Returns: false if the reader ends the tour.
  private func present(_ screens: [[String]], isLast: Bool) -> Bool {
    for (index, screen) in screens.enumerated() {
      show(screen)
      let waits = showsScreens && !(isLast && index == screens.count - 1)
      if waits, !isContinued(view.more) { return false }
    }
    return true
  }

  /// Waits for a line; false if it is q, or there is none any more.
  private func isContinued(_ question: String) -> Bool {
    console.prompt(question)
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
