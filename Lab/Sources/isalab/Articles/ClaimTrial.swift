/// A claim's run, carried out.
struct ClaimTrial: Hashable, Sendable {
  var run: ClaimRun
  var trial: DesignTrial

  /// How many seconds a run is waited for that is known to hang.
  private static let patience = 4.0

  /// - Returns: nil if no process can be made.
  init?(
    _ run: ClaimRun, _ article: Article, in process: ChildProcess, _ language: Language,
    isRecorded: Bool = false
  ) {
    var process = process
    if run.symptom == .hang { process.seconds = min(process.seconds, ClaimTrial.patience) }
    let trial = DesignTrial.run(
      run.scenario + "\n", file: article.name + ".kvo", design: run.design, in: process, language,
      isRecorded: isRecorded)
    guard let trial else { return nil }
    self.run = run
    self.trial = trial
  }

  /// The step of the line that shows the claim, if the run came to its end.
  var step: DesignStep? { trial.steps.last { $0.text == run.line } }

  /// The number of that step, be it the one in which the process ended.
  var number: Int { step?.number ?? trial.steps.count + (endsInLine ? 1 : 0) }

  /// The number of the step that brought about what the line expects; without an expectation its own.
  var act: Int {
    guard step?.isExpectation == true else { return number }
    return trial.steps.last { $0.number < number && !$0.isExpectation }?.number ?? number
  }

  /// Whether the process ended in the course of the line.
  private var endsInLine: Bool { trial.last?.text == run.line }

  /// What is not as the claim's verdict says, in a run in English; nil if all is.
  var problem: Text? {
    let outcome = trial.outcome
    guard run.symptom?.matches(outcome) ?? (outcome == .clean) else {
      return Text("article.other-end", ["design": run.design, "outcome": outcome.text])
    }
    if step == nil, !endsInLine { return Text("article.no-line", ["line": run.line]) }
    if let broken = trial.steps.first(where: isUnforeseen) {
      return Text("article.broken", ["line": broken.text])
    }
    if run.symptom == .wrong, step?.isBroken != true {
      return Text("article.met", ["line": run.line])
    }
    if let text = missing { return Text("article.not-said", ["line": run.line, "text": text]) }
    return nil
  }

  /// Whether an expectation is not met that should be. A scenario of the museum may expect more behind
  /// the line, which the museum answers for.
  private func isUnforeseen(_ step: DesignStep) -> Bool {
    guard step.isBroken, step.text != run.line else { return false }
    if case .exhibit = run.origin { return step.number < number }
    return true
  }

  /// A text that the run should have shown.
  private var missing: String? {
    if let raised = run.raised, trial.raised?.contains(raised) != true { return raised }
    if let shows = run.shows, step?.shown.contains(where: { $0.contains(shows) }) != true {
      return shows
    }
    return nil
  }
}
