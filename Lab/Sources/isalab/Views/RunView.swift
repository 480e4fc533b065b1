/// A whole run as text: its steps and, if there were expectations, how many of them hold.
struct RunView {
  private let options: TextOptions

  init(_ options: TextOptions) { self.options = options }

  func lines(of run: Run) -> [String] {
    let steps = StepView(options)
    let translations = run.translations(options.translation, in: options.language)
    return zip(run.steps, translations).flatMap { steps.lines(of: $0, translation: $1) }
      + summary(of: run)
  }

  private func summary(of run: Run) -> [String] {
    let total = run.held + run.broken.count
    if total == 0 || run.stopped != nil { return [] }
    let language = options.language
    if run.broken.isEmpty {
      return ["", options.style.good(language.say("step.all-met", ["count": total]))]
    }
    let places: Places = ["count": run.broken.count, "total": total]
    return ["", options.style.bad(language.say("step.not-met", places))]
  }
}

extension Run {
  /// Each step's statement in a language; nothing without one.
  func translations(_ code: ProgrammingLanguage?, in language: Language) -> [[String]] {
    guard let code, let program else { return steps.map { _ in [] } }
    return code.lines(of: program, in: language)
  }
}
