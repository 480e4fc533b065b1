/// The run of a scenario under a design as far as it came, step by step and event by event, made from
/// what its process reported: the last step may be one in whose course the process ended.
struct RecordedRun: Sendable {
  var run: Run
  var trial: DesignTrial
  private let language: Language

  /// Runs the scenario in a process of its own.
  ///
  /// - Returns: nil if no process can be made.
  /// - Throws: what is wrong in the scenario.
  init?(
    _ scenario: String, file: String, design: String, in process: ChildProcess,
    _ language: Language = .english
  ) throws(DiagnosticList) {
    let trial = DesignTrial.run(
      scenario, file: file, design: design, in: process, language, isRecorded: true)
    guard let trial else { return nil }
    try self.init(trial, of: scenario, file: file, language)
  }

  /// - Parameter trial: One that was recorded.
  init(
    _ trial: DesignTrial, of scenario: String, file: String, _ language: Language
  ) throws(DiagnosticList) {
    var program = try ScenarioFile.program(of: scenario, file: file)
    Designs.find(trial.design)?.adapt(&program)
    run = Run(program)
    self.trial = trial
    self.language = language
    run.start = trial.start
    run.steps = trial.recorded
    for step in run.steps {
      for case .broken(let actual, let expected) in step.facts {
        run.broken.append(
          Diagnostic(
            file: file, location: step.location, problem: actual, expected: expected))
      }
      for case .held in step.facts { run.held += 1 }
    }
    addLast(program)
  }

  /// The step in whose course the process ended: its events until then.
  private mutating func addLast(_ program: Program) {
    let statements = program.scenario.statements
    guard trial.last != nil, run.steps.count < statements.count else { return }
    let statement = statements[run.steps.count]
    let state = trial.unfinished.reduce(into: run.state(at: run.steps.count)) {
      $0.apply($1.change)
    }
    run.steps.append(
      Step(
        number: run.steps.count + 1, location: statement.location, text: statement.text,
        lines: statement.lines, whole: statement.whole, facts: [.note(trial.outcome.text)],
        events: trial.unfinished, state: state))
  }

  /// The step in which the run fails: where the process ended, or the first expectation that is not
  /// met; of a leak the end; nil if it does not fail.
  var failingStep: Int? {
    if trial.outcome == .clean { return nil }
    let broken = run.steps.first {
      $0.facts.contains { if case .broken = $0 { true } else { false } }
    }
    return trial.last == nil ? broken?.number ?? run.steps.count : run.steps.count
  }

  /// The run as a page that is open at a step, what became of it below.
  func page(
    title: String, at step: Int? = nil, home: String = "", before: String = "", after: String = ""
  ) -> Page {
    let end = "\(trial.design) \(trial.outcome.text[language])"
    return Page(
      run: run, title: title, language: language, before: before,
      after: "<section class=\"lesson\"><p><strong>\(end.markup)</strong></p></section>" + after,
      home: home, start: step ?? failingStep ?? 0)
  }
}
