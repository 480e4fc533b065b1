import Foundation
import TextTable

/// Rows as a table for a terminal.
public func table(of rows: [Row]) -> String {
  let table = TextTable<Row> { row in
    [
      Column(title: "workload", value: row.workload),
      Column(title: "subject", value: row.subject),
      Column(title: "ratio", value: row.ratio.map(shortNumber) ?? "–", align: .right),
      Column(title: "quartiles", value: row.spreadText, align: .right),
      Column(title: "ns", value: row.nsMedian.map(shortNumber) ?? "–", align: .right),
      Column(title: "goal", value: row.goalText, align: .right),
      Column(title: "met", value: row.metText),
    ]
  }
  return table.string(for: rows, style: Style.simple) ?? ""
}

/// What two runs say, as a table for a terminal: what differs first, then how many rows do not.
public func table(of comparisons: [Comparison]) -> String {
  let shown = Verdict.allCases.filter { $0 != .noise }.flatMap { verdict in
    comparisons.filter { $0.verdict == verdict }
  }
  let table = TextTable<Comparison> { row in
    [
      Column(title: "verdict", value: row.verdict.rawValue),
      Column(title: "workload", value: row.workload),
      Column(title: "subject", value: row.subject),
      Column(title: "base", value: row.base.map(shortNumber) ?? "–", align: .right),
      Column(title: "new", value: row.new.map(shortNumber) ?? "–", align: .right),
      Column(title: "new/base", value: row.change.map(shortNumber) ?? "–", align: .right),
      Column(title: "p", value: row.p.map(probability) ?? "–", align: .right),
    ]
  }
  let lines = shown.isEmpty ? "" : (table.string(for: shown, style: Style.simple) ?? "") + "\n"
  return lines + "noise: \(comparisons.count - shown.count) of \(comparisons.count) rows"
}

private func probability(_ p: Double) -> String {
  p < 0.0001 ? "< 0.0001" : String(format: "%.4f", p)
}

extension Row {
  /// The quartiles of the samples.
  var spreadText: String {
    guard let ratioQ1, let ratioQ3 else { return "–" }
    return "\(shortNumber(ratioQ1)) – \(shortNumber(ratioQ3))"
  }

  /// The goal, and how it is meant.
  var goalText: String {
    guard let goal else { return "" }
    let partner = partner == nil ? "" : " × plain"
    return (atLeast == true ? "≥ " : "≤ ") + shortNumber(goal) + partner
  }

  /// Whether the goal is met, and by which instructions, or with what allowed for.
  var metText: String {
    let verdict = verdict
    if let slowness {
      return "\(verdict): beside a bare program \(shortNumber(slowness)) times as slow"
    }
    guard let instructions, let plainInstructions else { return verdict }
    return "\(verdict): \(shortNumber(instructions)) instructions, "
      + "plain \(shortNumber(plainInstructions))"
  }

  /// A goal of time may be met by the quartiles alone, though the median misses it.
  private var verdict: String {
    guard let met else { return goal == nil ? "" : "not judged" }
    if met, instructions == nil, slowness == nil, isMissedByMedian { return "within the spread" }
    return met ? "yes" : "no"
  }

  private var isMissedByMedian: Bool {
    guard let goal, let ratio else { return false }
    return atLeast == true ? ratio < goal : ratio > goal
  }
}
