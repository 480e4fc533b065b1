import Foundation

/// A chart and the name of its file.
public struct Chart: Sendable {
  /// The file's name, such as `workloads.svg`.
  public let file: String
  /// The chart's subject.
  public let title: String
  /// The file's content.
  public let svg: String
}

extension Results {
  /// The charts of these results: bars per workload, the ladder, growth curves. One that would be
  /// empty is left out.
  public var charts: [Chart] {
    [applicationsChart, workloadChart, ladderChart].compactMap { $0 } + growthCharts
  }

  private static let caption = "time as a multiple of a plain indirect call; whiskers: quartiles"

  private func times(_ groups: String...) -> [Row] {
    rows.filter { row in
      row.isTime && (row.ratio ?? 0) > 0 && groups.contains(row.group ?? "table")
    }
  }

  private var workloadChart: Chart? {
    let rows = times("table", "limit") + times("table").compactMap(partner(of:))
    let groups = rows.map(\.workload).uniqued().map { workload in
      BarChart.Group(
        title: Titles.workload(workload),
        bars: rows.filter { $0.workload == workload }.sorted { $0.rank < $1.rank }.map { row in
          let place = row.within == .program ? ", in a program" : ""
          return BarChart.Bar(row, label: Titles.subject(row.subject) + place)
        })
    }
    return chart("workloads.svg", "Workloads", groups)
  }

  private var ladderChart: Chart? {
    let subjects = times("ladder").map(\.subject).uniqued()
    let groups = subjects.map { subject in
      BarChart.Group(
        title: Titles.subject(subject),
        bars: times("ladder").filter { $0.subject == subject }
          .sorted { ($0.ratio ?? 0) < ($1.ratio ?? 0) }
          .map { BarChart.Bar($0, label: Titles.workload($0.workload)) })
    }
    return chart("ladder.svg", "Where the time goes", groups)
  }

  /// The plain access that a row is held against, as a row of the same workload.
  private func partner(of row: Row) -> Row? {
    guard let name = row.partner, var plain = rows.first(where: { $0.workload == name })
    else { return nil }
    plain.workload = row.workload
    return plain
  }

  private func chart(_ file: String, _ title: String, _ groups: [BarChart.Group]) -> Chart? {
    guard !groups.isEmpty else { return nil }
    let chart = BarChart(title: title, caption: Results.caption, groups: groups)
    return Chart(file: file, title: title, svg: chart.picture.svg)
  }

  // MARK: Growth

  private var growthCharts: [Chart] {
    let points = times("growth").filter { $0.x != nil && $0.series != nil }
    return points.map(\.axis).uniqued().map { axis in
      growthChart(axis, points.filter { $0.axis == axis })
    }
  }

  /// Another thing that grows has a chart of its own, also under the same name.
  private func growthChart(_ axis: Axis, _ points: [Row]) -> Chart {
    let curves = points.map { Curve(series: $0.series ?? "", subject: $0.subject) }.uniqued()
    let manySeries = Set(curves.map(\.series)).count > 1
    let chart = GrowthChart(
      title: axis.title, caption: Results.caption, xName: axis.xName,
      curves: curves.map { curve in
        let subject = Titles.subject(curve.subject)
        return GrowthChart.Curve(
          label: manySeries ? curve.name : subject, subject: curve.subject,
          points: points.filter { $0.series == curve.series && $0.subject == curve.subject }
            .map(GrowthChart.Point.init).sorted { $0.x < $1.x })
      })
    return Chart(file: "growth-\(axis.fileName).svg", title: axis.title, svg: chart.picture.svg)
  }
}

/// A curve of a growth chart.
private struct Curve: Hashable {
  let series: String
  let subject: String

  /// The words that the chart's title does not say.
  var name: String {
    let words = series.split(separator: "-").map(String.init)
    let start = words.firstIndex { $0 == "in" || $0 == "at" } ?? 0
    return words[start...].joined(separator: " ")
  }
}

/// The axis that curves share.
private struct Axis: Hashable {
  let family: String
  let xName: String

  var title: String { "\(Titles.family(family)), by the number of \(xName)" }

  var fileName: String {
    String(family.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "-" })
  }
}

extension Row {
  /// Curves whose names begin alike up to `-in-` or `-at-` are of one chart.
  fileprivate var axis: Axis {
    let series = series ?? ""
    let family = ["-in-", "-at-"].compactMap { series.range(of: $0)?.lowerBound }.min()
      .map { String(series[..<$0]) }
    return Axis(family: family ?? series, xName: xName ?? "")
  }

  /// The order of the bars: the limit, this library, each of its layers bare and in a program, then
  /// the peers from the fastest.
  fileprivate var rank: Double {
    let isInProgram = within == .program ? 0.5 : 0
    return switch subject {
    case "plain", "control": -4
    case "limit": -3
    case "isakvo": -2 + isInProgram
    case "isakvo-swift": -1 + isInProgram
    default: ratio ?? .infinity
    }
  }

  fileprivate var spread: ClosedRange<Double>? {
    guard let ratioQ1, let ratioQ3, ratioQ1 > 0, ratioQ1 <= ratioQ3 else { return nil }
    return ratioQ1...ratioQ3
  }
}

extension BarChart.Bar {
  /// A goal that is held against a plain access is no ratio to the control, and has no mark.
  fileprivate init(_ row: Row, label: String) {
    self.init(
      label: label, subject: row.subject, value: row.ratio ?? 0, spread: row.spread,
      goal: row.partner == nil ? row.goal : nil)
  }
}

extension GrowthChart.Point {
  fileprivate init(_ row: Row) {
    self.init(x: row.x ?? 1, y: row.ratio ?? 1, spread: row.spread)
  }
}

extension Sequence where Element: Hashable {
  /// Each element once, where it first was.
  func uniqued() -> [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
