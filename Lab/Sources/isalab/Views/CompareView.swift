/// One scenario under several designs, as lines of text of at most 80 columns.
struct CompareView {
  var style = TextStyle()
  var language = Language.english
  private static let width = 80

  let file: String
  /// The statements, and each design's trial.
  let moments: [DesignMoment]
  let trials: [DesignTrial]

  func lines() -> [String] {
    let places: Places = [
      "file": file, "count": trials.count, "statements": moments.count,
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
    let lines = moments.indices.flatMap { difference(at: $0) }
    return lines.isEmpty
      ? [say("compare.no-difference")] : [style.faint(say("compare.differences"))] + lines
  }

  /// The designs by what came of the statement; nothing if it is the same for all.
  private func difference(at index: Int) -> [String] {
    var groups: [(shown: [String], designs: [String])] = []
    for trial in trials {
      guard let shown = shown(index, trial) else { continue }
      if let group = groups.firstIndex(where: { $0.shown == shown }) {
        groups[group].designs.append(trial.design)
      } else {
        groups.append((shown, [trial.design]))
      }
    }
    guard groups.count > 1 else { return [] }
    let moment = moments[index]
    let statement = fitted(moment.text, width: CompareView.width - 5).enumerated().map {
      index, line in
      let number = index == 0 ? "\(moment.line)" : ""
      return "\(padded(number, 3, left: true))  \(style.heading(line))"
    }
    return statement
      + groups.flatMap { group in
        wrapped(head(group.designs), width: 74).map { "     " + $0 }
          + group.shown.flatMap { fitted($0, width: 73) }.map { "       " + $0 }
      }
  }

  /// The outcome of a statement under a design; nil if it was not reached.
  private func shown(_ index: Int, _ trial: DesignTrial) -> [String]? {
    if index < trial.steps.count {
      var shown = trial.steps[index].shown
      // A design that raises the refusal of a statement has been told of the statement before.
      let isLast = trial.ending == nil && trial.last == nil && index == trial.steps.count - 1
      if isLast { shown.append(trial.outcome.text[language]) }
      return shown.isEmpty ? [say("compare.nothing")] : shown
    }
    return index == trial.steps.count && trial.last != nil ? [trial.outcome.text[language]] : nil
  }
}
