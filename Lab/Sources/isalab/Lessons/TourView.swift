/// The tour as text: each lesson's words around the steps that it really ran.
struct TourView {
  private let options: TextOptions
  private var style: TextStyle { options.style }

  init(_ options: TextOptions) { self.options = options }

  // MARK: Around the lessons

  /// The things that one is about to see, and the words to type next.
  var preface: [String] {
    wrapped(Tour.preface[options.language]) + ["", ""]
  }

  var farewell: [String] { wrapped(Tour.farewell[options.language]) }

  /// `isalab tour --list`
  var list: [String] {
    let width = Lessons.all.map(\.name.columns).max() ?? 0
    return Lessons.all.enumerated().map { index, lesson in
      let name = lesson.name + String(repeating: " ", count: width - lesson.name.columns)
      return "\(index < 9 ? " " : "")\(index + 1)  \(name)  \(lesson.title[options.language])"
    }
  }

  /// The answer to the name of a lesson that there is none of.
  func unknown(_ text: String) -> [String] {
    let names = Lessons.all.map(\.name).joined(separator: ", ")
    let sentence = say("tour.unknown", ["name": text, "count": Lessons.count, "names": names])
    return wrapped(sentence)
  }

  // MARK: A lesson

  /// Up to where it runs.
  func opening(of lesson: Lesson) -> [String] {
    let number = (Lessons.all.firstIndex { $0.name == lesson.name } ?? 0) + 1
    return [style.heading("\(number). \(say(lesson.title))"), ""]
      + paragraph(say("tour.goal") + say(lesson.goal))
      + paragraph(say(lesson.introduction)) + lines(of: lesson.question) + [""]
  }

  /// Its lines with their facts, and the changes of its turn.
  func course(of lesson: Lesson, _ run: Run) -> [String] {
    steps(of: lesson, run).flatMap(\.self) + [""] + turn(of: lesson, run)
  }

  private func steps(of lesson: Lesson, _ run: Run) -> [[String]] {
    var options = options
    options.showsTrace = options.showsTrace || lesson.showsTrace
    let view = StepView(options)
    let translations = run.translations(options.translation, in: options.language)
    return zip(run.steps, translations).map { view.lines(of: $0, translation: $1) }
  }

  /// The same for a terminal, screen by screen: the turn has one of its own, its changes below it.
  func screens(of lesson: Lesson, _ run: Run) -> [[String]] {
    let steps = steps(of: lesson, run)
    guard let number = run.step(lesson.turn.line)?.number else { return TourView.filled(steps) }
    let step = steps[number - 1], changes = [""] + turn(of: lesson, run)
    // Where both do not fit on one screen, the line stands above its changes once more.
    let fits = step.count + changes.count <= TourView.rows
    let turn = [step, fits ? changes : step.prefix(1) + changes]
    return TourView.filled(Array(steps[..<(number - 1)])) + TourView.filled(turn)
      + TourView.filled(Array(steps[number...]))
  }

  /// Paragraphs, screen by screen.
  static func screens(_ lines: [String]) -> [[String]] {
    filled(lines.split(separator: "").map { Array($0) + [""] })
  }

  /// The rows of a terminal of 24, without the blank above a screen and the question below it.
  static let rows = 22

  /// As many blocks to a screen as fit; a longer one goes on in the next.
  private static func filled(_ blocks: [[String]]) -> [[String]] {
    var screens: [[String]] = []
    for block in blocks {
      for start in stride(from: 0, to: block.count, by: rows) {
        let part = block[start..<min(start + rows, block.count)]
        let isFull = (screens.last?.count ?? rows) + part.count > rows
        if isFull { screens.append([]) }
        screens[screens.count - 1] += part
      }
    }
    return screens
  }

  /// The lesson's sentences at the end.
  func closing(of lesson: Lesson, _ run: Run, prediction: Int?) -> [String] {
    answer(lesson.question, run, prediction)
      + lesson.departures.flatMap(lines)
      + paragraph(say(lesson.conclusion))
      + paragraph(say("tour.exercise") + say(lesson.exercise.task))
      + [say("tour.solved-when")]
      + lesson.exercise.check.split(separator: "\n").map { "    " + $0 } + ["", ""]
  }

  private func lines(of departure: Lesson.Departure) -> [String] {
    let here = say(departure.here)
    let rule = departure.rule.map { say("tour.rule", ["number": $0]) } ?? ""
    // The rule's number stands before the full stop.
    return paragraph(say("tour.apple") + say(departure.apple))
      + paragraph(say("tour.here") + here.dropLast() + rule + here.suffix(1))
  }

  private func paragraph(_ text: String) -> [String] { wrapped(text) + [""] }

  private func say(_ key: String, _ places: Places = [:]) -> String {
    options.language.say(key, places)
  }

  private func say(_ text: Text) -> String { text[options.language] }

  // MARK: Question and answer

  private func lines(of question: Lesson.Question) -> [String] {
    wrapped(say("tour.question") + say(question.text))
      + zip(letters(question), question.choices).flatMap { letter, choice in
        hanging("  \(letter)) ", say(choice.text))
      }
  }

  /// A paragraph whose later lines begin below the first one's text.
  private func hanging(_ head: String, _ text: String) -> [String] {
    let indent = String(repeating: " ", count: head.columns)
    return wrapped(text, indent: indent).enumerated().map { index, line in
      index == 0 ? head + line.dropFirst(indent.count) : line
    }
  }

  /// a, b, c…
  func letters(_ question: Lesson.Question) -> [String] {
    question.choices.indices.map { String(UnicodeScalar(UInt8(97 + $0))) }
  }

  func prompt(_ question: Lesson.Question) -> String {
    let list = letters(question).joined(separator: "/")
    return say("tour.prompt", ["letters": list])
  }

  var more: String { say("tour.more") }

  func pause(before next: Lesson) -> String {
    say("tour.pause", ["lesson": next.title])
  }

  func notAChoice(_ question: Lesson.Question) -> [String] {
    let letters = letters(question)
    let list = letters.dropLast().joined(separator: say("tour.comma"))
    return [say("tour.type", ["letters": list, "last": letters.last ?? ""])]
  }

  private func answer(_ question: Lesson.Question, _ run: Run, _ prediction: Int?) -> [String] {
    guard let answer = question.answer(in: run) else {
      return paragraph(style.bad(say("tour.no-answer")))
    }
    let verdict: String =
      switch prediction {
      case nil: ""
      case answer: style.good(say("tour.right")) + say("tour.blank")
      default: style.bad(say("tour.wrong")) + say("tour.blank")
      }
    let choice = "\(letters(question)[answer])) \(say(question.choices[answer].text))"
    return paragraph(verdict + say("tour.answer") + choice)
      + reply(to: prediction, of: question) + paragraph(say(question.explanation))
  }

  /// Why a wrong prediction is wrong.
  private func reply(to prediction: Int?, of question: Lesson.Question) -> [String] {
    guard let prediction, let reply = question.choices[prediction].reply else { return [] }
    return paragraph(
      say("tour.reply", ["letter": letters(question)[prediction]])
        + say(reply))
  }

  func lines(of score: Score) -> [String] {
    let asked = score.right + score.wrong
    let places: Places = ["right": score.right, "asked": asked, "skipped": score.skipped]
    let key = score.skipped == 0 ? "tour.score" : "tour.score-skipped"
    return wrapped(say(key, places)) + [""]
  }

  // MARK: Before and after

  private func turn(of lesson: Lesson, _ run: Run) -> [String] {
    guard let step = run.step(lesson.turn.line) else { return [] }
    let differences = lesson.turn.difference(in: run, options.language)
    return [
      say("tour.turn", ["number": step.number])
    ] + differences.flatMap { $0.lines.map(line) } + [""]
  }

  private func line(_ line: LineDifference.Line) -> String {
    switch line.mark {
    case .kept: "    " + line.text
    case .gone: style.bad("  - " + line.text)
    case .come: style.good("  + " + line.text)
    }
  }
}
