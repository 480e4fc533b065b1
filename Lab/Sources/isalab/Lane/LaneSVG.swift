/// A lane as SVG, below a drawing: boxes in rows, with the values that are there, a branch further in.
struct LaneSVG {
  var lane: Lane
  /// The place of the present station; nil for none.
  var current: Int?
  var width: Int

  private enum Measure {
    static let margin = 24
    static let height = 46
    static let gap = 26
    static let row = 64
    static let indent = 28
    /// Of one column of the text, in tenths of a pixel.
    static let letter = 78
    static let padding = 20
    static let longest = 30
  }

  private struct Box {
    var station: Lane.Station
    var index: Int
    var x: Int
    var row: Int
    var width: Int
    var opensRow: Bool
  }

  var height: Int { boxes.isEmpty ? 0 : (boxes.last!.row + 1) * Measure.row + 10 }

  /// The group, its top at `y`.
  func group(at y: Int) -> String {
    let boxes = self.boxes
    if boxes.isEmpty { return "" }
    return "<g class=\"lane\" transform=\"translate(0 \(y))\">\n"
      + boxes.map { shape($0) }.joined(separator: "\n") + "\n</g>"
  }

  private var boxes: [Box] {
    var boxes: [Box] = []
    var x = Measure.margin, row = 0, depth = 0
    for (index, station) in lane.stations.enumerated() {
      let columns = max(short(station.title).columns, short(station.value ?? "").columns)
      let width = columns * Measure.letter / 10 + Measure.padding
      let start = Measure.margin + min(station.depth, 6) * Measure.indent
      let turns = index > 0 && station.depth != depth
      let isFull = x + width > self.width - Measure.margin && x > start
      if turns || isFull {
        row += 1
        x = start + Measure.gap
      }
      boxes.append(
        Box(
          station: station, index: index, x: x, row: row, width: width,
          opensRow: index > 0 && (turns || isFull)))
      x += width + Measure.gap
      depth = station.depth
    }
    return boxes
  }

  private func short(_ text: String) -> String {
    text.columns > Measure.longest ? String(text.prefix(Measure.longest - 1)) + "…" : text
  }

  private func shape(_ box: Box) -> String {
    let y = box.row * Measure.row
    let middle = y + Measure.height / 2
    let arrow =
      box.index == 0
      ? ""
      : "<path d=\"M\(box.x - Measure.gap + 3) \(middle)H\(box.x - 4)\" "
        + "marker-end=\"url(#tip-isa)\"/>"
    let hasValue = box.station.value != nil
    let title = text("title", box, y + (hasValue ? 19 : 28), short(box.station.title))
    let value = box.station.value.map { text("value", box, y + 37, short($0)) } ?? ""
    return "<g class=\"station \(box.station.kind.rawValue)\(mark(box.index))\">"
      + "<title>\(box.station.text.shown.markup)</title>" + arrow
      + "<rect x=\"\(box.x)\" y=\"\(y)\" width=\"\(box.width)\" height=\"\(Measure.height)\" "
      + "rx=\"8\"/>" + title + value + "</g>"
  }

  private func mark(_ index: Int) -> String {
    guard let current else { return "" }
    return index == current ? " now" : index > current ? " ahead" : ""
  }

  private func text(_ name: String, _ box: Box, _ y: Int, _ text: String) -> String {
    "<text class=\"\(name)\" x=\"\(box.x + box.width / 2)\" y=\"\(y)\">\(text.shown.markup)</text>"
  }
}
