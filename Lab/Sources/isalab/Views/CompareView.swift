/// One scenario under several designs, as lines of text of at most 80 columns.
struct CompareView {
  var style = TextStyle()
  private static let width = 80

  let file: String
  /// The statements, and each design's trial.
  let moments: [DesignMoment]
  let trials: [DesignTrial]

  func lines() -> [String] {
    let count = trials.count == 1 ? "1 design" : "\(trials.count) designs"
    return [style.heading("\(file): \(count), \(moments.count) statements"), ""]
      + table() + stops() + [""] + isas() + [""] + differences()
  }

  // MARK: The table

  private struct Row {
    var cells: [String]
    var outcome: String
  }

  private func table() -> [String] {
    let head = Row(
      cells: ["design", "heard", "thread", "leaks", "refused", "skipped"],
      outcome: "how it ends")
    let rows = [head] + trials.map(row)
    let widths = head.cells.indices.map { column in rows.map { $0.cells[column].count }.max()! }
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
    return elsewhere == 0 ? "own" : elsewhere == heard ? "other" : "both"
  }

  private func shortOutcome(of trial: DesignTrial) -> String {
    let place = (trial.last?.line ?? trial.steps.last?.line).map { " in line \($0)" } ?? ""
    switch trial.outcome {
    case .clean: return "ends"
    case .misled(let broken): return "ends, \(broken) not met"
    case .leaked: return "ends"
    case .refused: return trial.steps.contains(where: \.isRefused) ? "refused" : "stopped"
    case .raised: return "exception" + place
    case .crashed(let signal): return ChildProcess.End.name(ofSignal: signal) + place
    case .hung: return "hangs" + place
    case .failed(let code): return "exit code \(code)" + place
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
      wrapped("\(designs.joined(separator: ", ")): \(stopped)", width: CompareView.width)
    }
    return lines.isEmpty ? [] : ["", style.faint("stopped")] + lines
  }

  private func isas() -> [String] {
    let names = trials.map(\.design.count).max() ?? 0
    let lines = trials.flatMap { trial -> [String] in
      guard let ending = trial.ending else { return ["  \(padded(trial.design, names))  ?"] }
      let isas = ending.isas.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      let leaks = ending.leaks.isEmpty ? [] : ["lives on: \(ending.leaks.joined(separator: " "))"]
      let text = (isas + leaks).joined(separator: ", ")
      return wrapped(text.isEmpty ? "no object" : text, width: CompareView.width - names - 4)
        .enumerated().map { "  \(padded($0 == 0 ? trial.design : "", names))  \($1)" }
    }
    return [style.faint("isa at the end")] + lines
  }

  // MARK: Where they differ

  private func differences() -> [String] {
    let lines = moments.indices.flatMap { difference(at: $0) }
    return lines.isEmpty
      ? ["no line in which they differ"] : [style.faint("where they differ")] + lines
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
    let head = fitted(moment.text, width: CompareView.width - 5).enumerated().map { index, line in
      let number = index == 0 ? "\(moment.line)" : ""
      return "\(padded(number, 3, left: true))  \(style.heading(line))"
    }
    return head
      + groups.flatMap { group in
        wrapped(group.designs.joined(separator: ", ") + ":", width: 74).map { "     " + $0 }
          + group.shown.flatMap { fitted($0, width: 73) }.map { "       " + $0 }
      }
  }

  /// The outcome of a statement under a design; nil if it was not reached.
  private func shown(_ index: Int, _ trial: DesignTrial) -> [String]? {
    if index < trial.steps.count {
      var shown = trial.steps[index].shown
      // A design that raises the refusal of a statement has been told of the statement before.
      let isLast = trial.ending == nil && trial.last == nil && index == trial.steps.count - 1
      if isLast { shown.append("\(trial.outcome)") }
      return shown.isEmpty ? ["nothing to be seen"] : shown
    }
    return index == trial.steps.count && trial.last != nil ? ["\(trial.outcome)"] : nil
  }
}
