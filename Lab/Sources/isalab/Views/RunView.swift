/// A whole run as text: its steps and, if there were expectations, how many of them hold.
struct RunView {
  private let options: TextOptions

  init(_ options: TextOptions) { self.options = options }

  func lines(of run: Run) -> [String] {
    let steps = StepView(options)
    let translations = run.translations(options.translation)
    return zip(run.steps, translations).flatMap { steps.lines(of: $0, translation: $1) }
      + summary(of: run)
  }

  private func summary(of run: Run) -> [String] {
    let total = run.held + run.broken.count
    if total == 0 || run.stopped != nil { return [] }
    let noun = total == 1 ? "expectation" : "expectations"
    if run.broken.isEmpty {
      let text = Text("\(total) \(noun), all met", "\(total) 条期望全部成立")
      return ["", options.style.good(text[options.language])]
    }
    let count = run.broken.count
    let text = Text("\(count) of \(total) \(noun) not met", "\(total) 条期望中有 \(count) 条不成立")
    return ["", options.style.bad(text[options.language])]
  }
}

extension Run {
  /// Each step's statement in a language; nothing without one.
  func translations(_ language: ProgrammingLanguage?) -> [[String]] {
    guard let language, let program else { return steps.map { _ in [] } }
    return language.lines(of: program)
  }
}
