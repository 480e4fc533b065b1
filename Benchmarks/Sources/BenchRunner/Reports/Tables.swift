import Foundation
import TextTable

/// Rows as a table for a terminal: a row measured in a program and bare is one line of it.
public func table(of rows: [Row]) -> String {
  let table = TextTable<RowPair> { pair in
    [
      Column(title: "workload", value: pair.row.workload),
      Column(title: "subject", value: pair.row.subject),
      Column(title: "in a program", value: pair.program.shortRatio, align: .right),
      Column(title: "quartiles", value: pair.program?.spreadText ?? "–", align: .right),
      Column(title: "bare", value: pair.bare.shortRatio, align: .right),
      Column(title: "quartiles", value: pair.bare?.spreadText ?? "–", align: .right),
      Column(title: "ns", value: pair.row.nsMedian.map(shortNumber) ?? "–", align: .right),
      Column(title: "goal", value: pair.row.goalText, align: .right),
      Column(title: "met", value: pair.row.metText),
    ]
  }
  return table.string(for: rows.pairs, style: Style.simple) ?? ""
}

/// Two runs held against each other, as a table for a terminal: rows that differ first, then the
/// number of the others.
public func table(of comparisons: [Comparison]) -> String {
  let shown = Verdict.allCases.filter { $0 != .noise }.flatMap { verdict in
    comparisons.filter { $0.verdict == verdict }
  }
  let table = TextTable<Comparison> { row in
    [
      Column(title: "verdict", value: row.verdict.rawValue),
      Column(title: "workload", value: row.workload),
      Column(title: "subject", value: row.subject),
      Column(title: "measured", value: row.within == .program ? "in a program" : "bare"),
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

extension Row? {
  /// The figure by itself.
  var shortRatio: String { self?.ratio.map(shortNumber) ?? "–" }
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
    return (atLeast == true ? "≥ " : "≤ ") + shortNumber(goal) + goalUnit
  }

  private var goalUnit: String {
    if let rival { return " × \(Titles.rival(rival))" }
    guard partner != nil else { return "" }
    return goalIsCount == true ? " instructions" : " × plain"
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
