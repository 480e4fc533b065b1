/// A lane as lines of text: the stations in their order, a branch on a line of its own, further in.
///
///     the scenario → ada → NSKVONotifying_Person → setFirst: → thunk[setFirst:] → will
///     │ ↳ full → old "Ada Byron"
///     → original → _first "Eva" → did → return
///
/// The station where the message is stands in brackets, and is set off where the terminal can.
struct LaneText {
  var lane: Lane
  /// The place of the present station; nil for none.
  var current: Int?
  var width = 80

  private struct Row {
    var line = ScreenLine()
    var columns = 0
  }

  func lines() -> [ScreenLine] { rows().map(\.line) }

  /// The row in which the present station is.
  var currentRow: Int {
    guard let current else { return 0 }
    var part = self
    part.lane.stations = Array(lane.stations.prefix(current + 1))
    return max(part.rows().count - 1, 0)
  }

  private func rows() -> [Row] {
    var rows: [Row] = []
    var depth = 0
    for (index, station) in lane.stations.enumerated() {
      let text = self.text(of: station, isCurrent: index == current)
      let isBranch = station.depth > depth, isBack = station.depth < depth
      let lead = index == 0 ? "" : isBranch ? "↳ " : "→ "
      let room = (rows.last?.columns ?? width) + 1 + lead.columns + text.columns
      if rows.isEmpty || isBranch || isBack || room > width {
        rows.append(row(from: index))
      } else {
        append(" ", .plain, to: &rows)
      }
      append(lead, .faint, to: &rows)
      append(text, style(of: station, index), to: &rows)
      depth = station.depth
    }
    return rows
  }

  /// A row with a line for each way that waits outside.
  private func row(from index: Int) -> Row {
    let rails = (0..<min(lane.stations[index].depth, 6)).map {
      lane.comesBack(to: $0, after: index) ? "│ " : "  "
    }
    return Row(line: ScreenLine(rails.joined(), .faint), columns: rails.count * 2)
  }

  private func append(_ text: String, _ style: ScreenLine.Style, to rows: inout [Row]) {
    if text.isEmpty { return }
    rows[rows.count - 1].line = rows[rows.count - 1].line + ScreenLine(text, style)
    rows[rows.count - 1].columns += text.columns
  }

  private func text(of station: Lane.Station, isCurrent: Bool) -> String {
    let text = station.title + (station.value.map { " \($0)" } ?? "")
    let most = max(width - 16, 16)
    let short = text.columns > most ? String(text.prefix(most - 1)) + "…" : text
    return isCurrent ? "[\(short)]" : short
  }

  private func style(of station: Lane.Station, _ index: Int) -> ScreenLine.Style {
    guard let current else { return plainStyle(of: station) }
    if index == current { return .current }
    return index < current ? plainStyle(of: station) : .faint
  }

  private func plainStyle(of station: Lane.Station) -> ScreenLine.Style {
    switch station.kind {
    case .wrapper, .will, .did: .notable
    case .observer, .prior: .good
    default: .plain
    }
  }
}
