import Foundation

/// A page whose generated parts cannot be put in.
public struct PageError: Error, CustomStringConvertible {
  /// The mistake.
  public let description: String
}

/// Puts the results' tables into a page in Markdown, between its markers.
///
/// A marker is a line `<!-- bench: NAME -->`; what follows it up to `<!-- end -->` is replaced. The
/// names are `machine`, `goals`, `latency`, `peers`, `peers otherwise`, `builds`, `programs`, `ladder`,
/// `growth`, `applications`, `applications in short`, `missing`, and `charts PREFIX` for the pictures whose files begin so.
///
/// - Parameter pictures: Where the page finds the charts' files.
public func page(
  _ text: String, with results: Results, pictures: String
) throws(PageError) -> String {
  var lines: [String] = []
  var open: String?
  for line in text.components(separatedBy: "\n") {
    if let name = markerName(line) {
      if let open { throw PageError(description: "marker \(open) has no end") }
      guard let part = results.part(name, pictures) else {
        throw PageError(description: "no generated part is called \(name)")
      }
      open = name
      lines += [line, "", part, ""]
    } else if line == "<!-- end -->" {
      guard open != nil else { throw PageError(description: "an end without a marker") }
      open = nil
    }
    if open == nil { lines.append(line) }
  }
  if let open { throw PageError(description: "marker \(open) has no end") }
  return lines.joined(separator: "\n")
}

private func markerName(_ line: String) -> String? {
  guard line.hasPrefix("<!-- bench: "), line.hasSuffix(" -->") else { return nil }
  return String(line.dropFirst("<!-- bench: ".count).dropLast(" -->".count))
}

extension Results {
  /// A generated part of a page; nil where there is none of that name.
  fileprivate func part(_ name: String, _ pictures: String) -> String? {
    switch name {
    case "machine": machinePart
    case "goals": goalsPart
    case "latency": latencyPart
    case "peers": peersPart { $0.isTime && $0.subject != Self.builds[1] }
    case "peers otherwise": peersPart { !$0.isTime && !$0.isOfProgram }
    case "builds": peersPart(among: Self.builds) { _ in true }
    case "programs": programsPart
    case "ladder": figuresPart("ladder")
    case "growth": figuresPart("growth")
    case "applications": applicationsPart
    case "applications in short": applicationsInShort
    case "missing": missingPart
    case let name where name.hasPrefix("charts "):
      chartsPart(String(name.dropFirst("charts ".count)), pictures)
    default: nil
    }
  }

  private func chartsPart(_ prefix: String, _ pictures: String) -> String {
    charts.filter { $0.file.hasPrefix(prefix) }.map { "![\($0.title)](\(pictures)/\($0.file))" }
      .joined(separator: "\n\n")
  }

  private var machinePart: String {
    let versions = versions.sorted { $0.key < $1.key }.map { "- \($0.key): \($0.value)" }
    return """
      \(machine.processor), \(machine.cores) cores; \(date.prefix(10)); commit \
      \(commit ?? "unknown").

      \(versions.joined(separator: "\n"))
      """
  }

  private var goalsPart: String {
    let judged = rows.pairs.filter { $0.row.goal != nil && !$0.row.isOfProgram }
    let titles = [
      "workload", "subject", "in a program", "quartiles", "ns", "bare", "quartiles", "goal", "met",
    ]
    return markdown(
      titles, textColumns: [0, 1, 8],
      judged.map { pair in
        [
          Titles.workload(pair.row.workload), Titles.subject(pair.row.subject),
          pair.program.shortRatio, pair.program?.spreadText ?? "–",
          pair.row.nsMedian.map(shortNumber) ?? "–",
          pair.bare.shortRatio, pair.bare?.spreadText ?? "–",
          pair.row.goalText, pair.row.metText,
        ]
      })
  }

  private var latencyPart: String {
    let times = rows.pairs.filter { $0.row.unit == "nanoseconds" }
    return markdown(
      ["single sets, ns", "in a program", "quartiles", "bare", "quartiles"], textColumns: [0],
      times.map { pair in
        [
          Titles.workload(pair.row.workload),
          pair.program.shortRatio, pair.program?.spreadText ?? "–",
          pair.bare.shortRatio, pair.bare?.spreadText ?? "–",
        ]
      })
  }

  /// The core as SwiftPM builds it, and as `make install` does.
  private static let builds = ["isakvo", "isakvo-installed"]

  /// What programs pay once; the same of other libraries.
  private var programsPart: String {
    markdown(
      ["what", "subject", "figure", "quartiles", "unit", "goal", "met"], textColumns: [0, 1, 4, 6],
      rows.filter(\.isOfProgram).map { row in
        [
          Titles.workload(row.workload), Titles.subject(row.subject),
          row.ratio.map(shortNumber) ?? "–", row.spreadText, row.unit ?? "",
          row.goalText, row.metText,
        ]
      })
  }

  /// One line a workload that several subjects do, one column a subject, all of them bare.
  ///
  /// - Parameters:
  ///   - chosen: Those subjects, and no others.
  ///   - isMeant: Whether a row is of those: ratios to a plain call, or all that are none.
  private func peersPart(among chosen: [String]? = nil, _ isMeant: (Row) -> Bool) -> String {
    let table = rows.filter { row in
      ["table", "limit"].contains(row.group ?? "table") && isMeant(row) && row.within == .bare
        && chosen?.contains(row.subject) != false
    }
    let workloads = table.map(\.workload).uniqued().filter { workload in
      Set(table.filter { $0.workload == workload }.map(\.subject)).count > 1
    }
    let subjects = table.filter { workloads.contains($0.workload) }.map(\.subject).uniqued()
    return markdown(
      ["workload"] + subjects.map(Titles.subject), textColumns: [0],
      workloads.map { workload in
        [Titles.workload(workload)]
          + subjects.map { row(workload, $0)?.figureText ?? "–" }
      })
  }

  private func figuresPart(_ group: String) -> String {
    markdown(
      ["row", "subject", "ratio", "quartiles", "ns"], textColumns: [0, 1],
      rows.filter { $0.group == group }.map { row in
        [
          Titles.workload(row.workload), Titles.subject(row.subject),
          row.figureText, row.spreadText, row.nsMedian.map(shortNumber) ?? "–",
        ]
      })
  }

  private var missingPart: String {
    missing.isEmpty
      ? "Nothing was left out." : missing.map { "- \($0)" }.joined(separator: "\n")
  }
}

extension Row {
  /// Whether it is what a program pays once, measured from outside.
  fileprivate var isOfProgram: Bool {
    workload.hasPrefix("program-") || workload.hasPrefix("first-observation-of-") && !isTime
  }

  /// The figure, with its unit where it is no ratio of times.
  fileprivate var figureText: String {
    guard let ratio else { return "–" }
    if isTime { return shortNumber(ratio) }
    return "\(shortNumber(ratio)) \(rival == nil ? unit ?? "" : "×")"
  }
}

func markdown(_ titles: [String], textColumns: Set<Int>, _ rows: [[String]]) -> String {
  let rule = titles.indices.map { textColumns.contains($0) ? "---" : "---:" }
  return ([titles, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
    .joined(separator: "\n")
}
