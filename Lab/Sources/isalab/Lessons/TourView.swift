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
    let sentence = say(
      "There is no lesson '\(text)'; the lessons are 1 to \(Lessons.all.count), or \(names)",
      "没有名为“\(text)”的课；可用编号 1 到 \(Lessons.all.count)，或名称 \(names)")
    return wrapped(sentence)
  }

  // MARK: A lesson

  /// Up to where it runs.
  func opening(of lesson: Lesson) -> [String] {
    let number = (Lessons.all.firstIndex { $0.name == lesson.name } ?? 0) + 1
    return [style.heading("\(number). \(say(lesson.title))"), ""]
      + paragraph(say("Goal: ", "目标：") + say(lesson.goal))
      + paragraph(say(lesson.introduction)) + lines(of: lesson.question) + [""]
  }

  /// Its lines with their facts, and the changes of its turn.
  func course(of lesson: Lesson, _ run: Run) -> [String] {
    var options = options
    options.showsTrace = options.showsTrace || lesson.showsTrace
    let view = StepView(options)
    let translations = run.translations(options.translation)
    return zip(run.steps, translations).flatMap { view.lines(of: $0, translation: $1) } + [""]
      + turn(of: lesson, run)
  }

  /// The lesson's sentences at the end.
  func closing(of lesson: Lesson, _ run: Run, prediction: Int?) -> [String] {
    answer(lesson.question, run, prediction)
      + lesson.departures.flatMap(lines)
      + paragraph(say(lesson.conclusion))
      + paragraph(say("Exercise: ", "练习：") + say(lesson.exercise.task))
      + [say("It is solved when these lines hold at its end:", "场景末尾加上这几行，全部成立即为完成：")]
      + lesson.exercise.check.split(separator: "\n").map { "    " + $0 } + ["", ""]
  }

  private func lines(of departure: Lesson.Departure) -> [String] {
    let here = say(departure.here)
    let rule = departure.rule.map { say(" (rule \($0))", "（规则 \($0)）") } ?? ""
    // The rule's number stands before the full stop.
    return paragraph(say("Apple: ", "Apple：") + say(departure.apple))
      + paragraph(say("Here: ", "本运行时：") + here.dropLast() + rule + here.suffix(1))
  }

  private func paragraph(_ text: String) -> [String] { wrapped(text) + [""] }

  private func say(_ english: String, _ chinese: String) -> String {
    Text(english, chinese)[options.language]
  }

  private func say(_ text: Text) -> String { text[options.language] }

  // MARK: Question and answer

  private func lines(of question: Lesson.Question) -> [String] {
    wrapped(say("Question: ", "问题：") + say(question.text))
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
    return say("Your prediction (\(list), Enter skips): ", "你的预测（\(list)，回车跳过）：")
  }

  func notAChoice(_ question: Lesson.Question) -> [String] {
    let letters = letters(question)
    let list = letters.dropLast().joined(separator: ", ")
    let last = letters.last ?? ""
    return [
      say(
        "Type \(list) or \(last), or Enter alone.",
        "请输入 \(letters.joined(separator: "、")) 之一，或直接按回车。")
    ]
  }

  private func answer(_ question: Lesson.Question, _ run: Run, _ prediction: Int?) -> [String] {
    guard let answer = question.answer(in: run) else {
      return paragraph(style.bad(say("The run bears out no one choice.", "这次运行没有恰好印证一个选项。")))
    }
    let verdict: String =
      switch prediction {
      case nil: ""
      case answer: style.good(say("Right.", "答对了。")) + say(" ", "")
      default: style.bad(say("Not so.", "不是这样。")) + say(" ", "")
      }
    let choice = "\(letters(question)[answer])) \(say(question.choices[answer].text))"
    return paragraph(verdict + say("Answer: ", "答案：") + choice)
      + reply(to: prediction, of: question) + paragraph(say(question.explanation))
  }

  /// Why a wrong prediction is wrong.
  private func reply(to prediction: Int?, of question: Lesson.Question) -> [String] {
    guard let prediction, let reply = question.choices[prediction].reply else { return [] }
    return paragraph(
      say("To \(letters(question)[prediction]): ", "关于 \(letters(question)[prediction])：")
        + say(reply))
  }

  func lines(of score: Score) -> [String] {
    let asked = score.right + score.wrong
    let skipped = score.skipped
    return wrapped(
      say(
        "You predicted \(score.right) of \(asked) right"
          + (skipped == 0 ? "." : ", and passed over \(skipped)."),
        "你作了 \(asked) 次预测，答对 \(score.right) 次" + (skipped == 0 ? "。" : "，跳过 \(skipped) 题。")))
      + [""]
  }

  // MARK: Before and after

  private func turn(of lesson: Lesson, _ run: Run) -> [String] {
    guard let step = run.step(lesson.turn.line) else { return [] }
    let differences = lesson.turn.difference(in: run, options.language)
    return [
      say(
        "Before step \(step.number) (-) and after it (+):",
        "第 \(step.number) 步之前（-）与之后（+）：")
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
