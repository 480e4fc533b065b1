/// A whole run as text: its steps and, if there were expectations, how many of them hold.
struct RunView {
  private let options: TextOptions

  init(_ options: TextOptions) { self.options = options }

  func lines(of run: Run) -> [String] {
    let steps = StepView(options)
    return run.steps.flatMap { steps.lines(of: $0) } + summary(of: run)
  }

  private func summary(of run: Run) -> [String] {
    let total = run.held + run.broken.count
    if total == 0 || run.stopped != nil { return [] }
    let noun = total == 1 ? "expectation" : "expectations"
    if run.broken.isEmpty { return ["", options.style.good("\(total) \(noun), all met")] }
    return ["", options.style.bad("\(run.broken.count) of \(total) \(noun) not met")]
  }
}
