/// A scenario under a design, in a process of its own, and what became of both.
struct DesignTrial: Hashable, Sendable {
  /// The outcome, from the outside.
  enum Outcome: Hashable, Sendable {
    /// To its end, and every expectation is met.
    case clean
    case misled(broken: Int)
    case leaked([String])
    /// The scenario was refused a statement and stopped.
    case refused(String)
    case raised(String)
    case crashed(signal: Int32)
    case hung
    /// It ended in a way that nobody foresaw.
    case failed(code: Int32)
  }

  var design: String
  var steps: [DesignStep] = []
  /// The statement in whose course the process ended.
  var last: DesignMoment?
  var raised: String?
  var ending: DesignEnding?
  var stopped: String?
  var end: ChildProcess.End
  /// Of a run that was recorded: how all stood at first, its steps, and the events of the one in whose
  /// course the process ended.
  var start = WorldState()
  var recorded: [Step] = []
  var unfinished: [Event] = []

  /// Runs the scenario, which was checked already.
  ///
  /// - Returns: nil if no process can be made.
  static func run(
    _ scenario: String, file: String, design: String, in process: ChildProcess,
    _ language: Language = .english, isRecorded: Bool = false, limit: Int = Budget.defaultLimit
  ) -> DesignTrial? {
    let flags = ["--events", "\(limit)"] + (isRecorded ? ["--recorded"] : [])
    let arguments = ["--design", design, "--file", file] + flags
    return run(scenario, arguments, design, process, language)
  }

  /// Runs an exhibit: its scenario, or its code.
  static func run(
    _ exhibit: Exhibit, design: String, in process: ChildProcess,
    _ language: Language = .english
  ) -> DesignTrial? {
    let flags = exhibit.isCode ? ["--demonstration"] : []
    let arguments = ["--design", design, "--file", exhibit.name] + flags
    return run(exhibit.scenario(under: design), arguments, design, process, language)
  }

  private static func run(
    _ scenario: String, _ arguments: [String], _ design: String, _ process: ChildProcess,
    _ language: Language
  ) -> DesignTrial? {
    // The process that started it may end before it does: it then ends by itself.
    let limit = "\(Int(process.seconds.rounded(.up)) + 1)"
    let ends = ["--limit", limit, "--lang", language.rawValue]
    let words = [DesignCommand.name] + arguments + ends
    return process.run(words, input: scenario).map { DesignTrial(design: design, $0) }
  }

  init(design: String, _ result: ChildProcess.Result) {
    self.design = design
    end = result.end
    for line in result.output.split(separator: "\n") {
      switch DesignReport(line: line) {
      case .begins(let moment): last = moment
      case .step(let step):
        steps.append(step)
        last = nil
      case .start(let state): start = state
      case .event(let event): unfinished.append(event)
      case .recorded(let step):
        recorded.append(step)
        unfinished = []
      case .raised(let text): raised = text
      case .ended(let ending, exitCode: _, let stopped):
        self.ending = ending
        self.stopped = stopped
      case nil: break
      }
    }
  }

  /// Whether a mistake was told of, by a status or to the misuse handler.
  var isReported: Bool { steps.contains { $0.isRefused || $0.isReported } }

  var outcome: Outcome {
    switch end {
    case .timeout: return .hung
    case .signal(let number): return raised.map { .raised($0) } ?? .crashed(signal: number)
    case .exit(let code):
      guard let ending else { return .failed(code: code) }
      if let stopped { return .refused(stopped) }
      if !ending.leaks.isEmpty { return .leaked(ending.leaks) }
      let broken = steps.filter(\.isBroken).count
      return broken == 0 ? .clean : .misled(broken: broken)
    }
  }
}

extension DesignTrial.Outcome {
  var text: Text {
    switch self {
    case .clean: Text("trial.clean")
    case .misled(let broken): Text("trial.misled", ["count": broken])
    case .leaked(let names): Text("trial.leaked", ["names": names.joined(separator: ", ")])
    case .refused(let text): Text("trial.refused", ["text": text])
    case .raised(let text): Text("trial.raised", ["text": text])
    case .crashed(let signal):
      Text("trial.crashed", ["signal": ChildProcess.End.name(ofSignal: signal)])
    case .hung: Text("trial.hung")
    case .failed(let code): Text("trial.failed", ["code": code])
    }
  }
}
