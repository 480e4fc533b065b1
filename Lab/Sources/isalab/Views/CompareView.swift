/// One scenario under several designs, as lines of text of at most 80 columns.
struct CompareView {
  var style = TextStyle()
  let comparison: Comparison
  private static let width = 80
  private var language: Language { comparison.language }
  private var trials: [DesignTrial] { comparison.trials }

  func lines() -> [String] {
    let places: Places = [
      "file": comparison.program.scenario.file.shown, "count": trials.count,
      "statements": comparison.moments.count,
    ]
    return [style.heading(say("compare.head", places)), ""]
      + table() + stops() + [""] + isas() + [""] + differences()
  }

  private func say(_ key: String, _ places: Places = [:]) -> String { language.say(key, places) }

  // MARK: The table

  private struct Row {
    var cells: [String]
    var outcome: String
  }

  private func table() -> [String] {
    let head = Row(
      cells: [
        say("compare.design"), say("compare.heard"), say("compare.thread"), say("compare.leaks"),
        say("compare.refused"), say("compare.skipped"),
      ],
      outcome: say("compare.how"))
    let rows = [head] + trials.map(row)
    let widths = head.cells.indices.map { column in rows.map { $0.cells[column].columns }.max()! }
    let lines = rows.map { row in
      let cells = row.cells.enumerated().map { column, cell in
        padded(cell, widths[column], left: column > 0)
      }
      return cells.joined(separator: "  ") + "  " + row.outcome
    }
    return [style.faint(lines[0])] + lines.dropFirst()
  }

  private func row(of trial: DesignTrial) -> Row {
    let isOver = trial.ending != nil
    return Row(
      cells: [
        trial.design, "\(trial.steps.map(\.heard).reduce(0, +))",
        thread(of: trial),
        isOver ? "\(trial.ending!.leaks.count)" : "?",
        "\(trial.steps.filter(\.isRefused).count)",
        "\(trial.steps.filter { $0.unsupported != nil }.count)",
      ], outcome: shortOutcome(of: trial))
  }

  /// Whether observers were told on the thread that made the change.
  private func thread(of trial: DesignTrial) -> String {
    let heard = trial.steps.map(\.heard).reduce(0, +)
    let elsewhere = trial.steps.map(\.elsewhere).reduce(0, +)
    if heard == 0 { return "-" }
    return elsewhere == 0
      ? say("compare.own") : elsewhere == heard ? say("compare.other") : say("compare.both")
  }

  private func shortOutcome(of trial: DesignTrial) -> String {
    let place =
      (trial.last?.line ?? trial.steps.last?.line).map { say("compare.in-line", ["line": $0]) }
      ?? ""
    switch trial.outcome {
    case .clean: return say("compare.ends")
    case .misled(let broken): return say("compare.ends-not-met", ["count": broken])
    case .leaked: return say("compare.ends")
    case .refused:
      return trial.steps.contains(where: \.isRefused)
        ? say("compare.is-refused") : say("compare.is-stopped")
    case .raised: return say("compare.exception") + place
    case .crashed(let signal): return ChildProcess.End.name(ofSignal: signal)[language] + place
    case .hung: return say("compare.hangs") + place
    case .failed(let code): return say("compare.exit-code", ["code": code]) + place
    }
  }

  /// Why designs were stopped whose statements were not refused: those tell it themselves.
  private func stops() -> [String] {
    var designs: [String: [String]] = [:]
    for trial in trials {
      guard let stopped = trial.stopped, !trial.steps.contains(where: \.isRefused) else { continue }
      designs[stopped, default: []].append(trial.design)
    }
    let lines = designs.sorted { $0.key < $1.key }.flatMap { stopped, designs in
      wrapped(
        head(designs) + say("museum.space") + stopped, width: CompareView.width)
    }
    return lines.isEmpty ? [] : ["", style.faint(say("compare.stopped"))] + lines
  }

  private func head(_ designs: [String]) -> String {
    say("compare.colon", ["names": designs.joined(separator: ", ")])
  }

  private func isas() -> [String] {
    let names = trials.map(\.design.count).max() ?? 0
    let lines = trials.flatMap { trial -> [String] in
      guard let ending = trial.ending else { return ["  \(padded(trial.design, names))  ?"] }
      let isas = ending.isas.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      let leaks =
        ending.leaks.isEmpty
        ? [] : [say("compare.lives-on", ["names": ending.leaks.joined(separator: " ")])]
      let text = (isas + leaks).joined(separator: ", ")
      return wrapped(
        text.isEmpty ? say("compare.no-object") : text, width: CompareView.width - names - 4
      )
      .enumerated().map { "  \(padded($0 == 0 ? trial.design : "", names))  \($1)" }
    }
    return [style.faint(say("compare.isas"))] + lines
  }

  // MARK: Where they differ

  private func differences() -> [String] {
    let lines = comparison.differences.flatMap { difference(at: $0) }
    return lines.isEmpty
      ? [say("compare.no-difference")] : [style.faint(say("compare.differences"))] + lines
  }

  /// The designs by what came of the statement.
  private func difference(at index: Int) -> [String] {
    let moment = comparison.moments[index]
    let statement = fitted(moment.text, width: CompareView.width - 5).enumerated().map {
      index, line in
      let number = index == 0 ? "\(moment.line)" : ""
      return "\(padded(number, 3, left: true))  \(style.heading(line))"
    }
    return statement
      + comparison.outcomes(at: index).flatMap { outcome in
        wrapped(head(outcome.designs), width: 74).map { "     " + $0 }
          + outcome.shown.flatMap { fitted($0, width: 73) }.map { "       " + $0 }
      }
  }
}
