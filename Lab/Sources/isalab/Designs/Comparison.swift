import Foundation

/// One scenario under several designs, each in a process of its own, and where they differ.
struct Comparison: Sendable {
  /// What came of a statement, and the designs under which it did.
  struct Outcome: Hashable, Sendable {
    var shown: [String]
    var designs: [String]
  }

  var program: Program
  /// In the order in which the designs were asked for.
  var trials: [DesignTrial]
  var language = Language.english

  /// - Throws: that no process can be made.
  init(
    _ program: Program, under designs: [String], in process: ChildProcess, _ language: Language,
    isRecorded: Bool = false, limit: Int = Budget.defaultLimit
  ) throws(DiagnosticList) {
    let file = program.scenario.file, text = program.scenario.source.joined(separator: "\n")
    trials = try designs.concurrentMap { design throws(DiagnosticList) in
      let trial = DesignTrial.run(
        text, file: file, design: design, in: process, language, isRecorded: isRecorded,
        limit: limit)
      guard let trial else { throw .noProcess(file: file) }
      return trial
    }
    (self.program, self.language) = (program, language)
  }

  var moments: [DesignMoment] { program.scenario.statements.map { DesignMoment($0) } }

  /// The outcomes of the statement at a place, of the designs that came to it; one if it is the same for
  /// all.
  func outcomes(at index: Int) -> [Outcome] {
    var outcomes: [Outcome] = []
    for trial in trials {
      guard let shown = shown(index, trial) else { continue }
      if let place = outcomes.firstIndex(where: { $0.shown == shown }) {
        outcomes[place].designs.append(trial.design)
      } else {
        outcomes.append(Outcome(shown: shown, designs: [trial.design]))
      }
    }
    return outcomes
  }

  /// The places of statements that have several outcomes.
  var differences: [Int] {
    program.scenario.statements.indices.filter { outcomes(at: $0).count > 1 }
  }

  /// The outcome of a statement under a design; nil if it was not reached.
  private func shown(_ index: Int, _ trial: DesignTrial) -> [String]? {
    if index < trial.steps.count {
      var shown = trial.steps[index].shown
      // A design that raises the refusal of a statement has been told of the statement before.
      let isLast = trial.ending == nil && trial.last == nil && index == trial.steps.count - 1
      if isLast { shown.append(trial.outcome.text[language]) }
      return shown.isEmpty ? [language.say("compare.nothing")] : shown
    }
    return index == trial.steps.count && trial.last != nil ? [trial.outcome.text[language]] : nil
  }
}

extension Designs {
  /// The designs of a list with commas, each once.
  ///
  /// - Throws: the first word that means none.
  static func named(in list: String) throws(UnknownDesign) -> [String] {
    var names: [String] = []
    for part in list.split(separator: ",", omittingEmptySubsequences: false) {
      let word = part.trimmingCharacters(in: .whitespaces)
      let meant = Designs.names(for: word)
      if meant.isEmpty { throw UnknownDesign(word: word) }
      names += meant.filter { !names.contains($0) }
    }
    return names
  }
}

/// A word that means no design.
struct UnknownDesign: Error {
  var word: String

  var text: Text {
    Text(
      "compare.unknown",
      ["name": word.shown, "names": alternatives(Designs.names + [Designs.allStages])])
  }
}
