/// The run of a scenario under a design as far as it came, step by step and event by event, made from
/// what its process reported: the last step may be one in whose course the process ended.
struct RecordedRun: Sendable {
  var run: Run
  var trial: DesignTrial
  private let language: Language

  /// Runs the program in a process of its own.
  ///
  /// - Throws: that no process can be made.
  init(
    _ program: Program, design: String, in process: ChildProcess,
    limit: Int = Budget.defaultLimit, _ language: Language = .english
  ) throws(DiagnosticList) {
    let file = program.scenario.file
    let trial = DesignTrial.run(
      program.scenario.source.joined(separator: "\n"), file: file, design: design, in: process,
      language, isRecorded: true, limit: limit)
    guard let trial else { throw .noProcess(file: file) }
    self.init(trial, of: program, language)
  }

  /// - Parameter trial: One that was recorded.
  init(_ trial: DesignTrial, of program: Program, _ language: Language) {
    var program = program
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
            file: run.file, location: step.location, problem: actual, expected: expected))
      }
      for case .held in step.facts { run.held += 1 }
    }
    addLast(program)
    addFailure()
  }

  /// The way in which the design ended, if no expectation has told of it.
  private mutating func addFailure() {
    let failure = Diagnostic(
      file: run.file, location: run.location(ofStep: run.steps.count),
      problem: Text("trial.of", ["design": trial.design, "outcome": trial.outcome.text]),
      expected: Text("trial.to-end"))
    switch trial.outcome {
    case .clean, .misled: break
    case .refused: run.stopped = failure
    case .leaked, .raised, .crashed, .hung, .failed: run.failure = failure
    }
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

extension DiagnosticList {
  /// That no process of this program can be made for a scenario.
  static func noProcess(file: String) -> DiagnosticList {
    DiagnosticList(diagnostics: [
      Diagnostic(
        file: file, location: SourceLocation(line: 1, column: 1),
        problem: Text("compare.no-process"), expected: Text("trial.process"))
    ])
  }
}
