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

    var right: Int { x + width }
    var middle: Int { row * Measure.row + Measure.height / 2 }
    var bottom: Int { row * Measure.row + Measure.height }
  }

  var height: Int { boxes.isEmpty ? 0 : (boxes.last!.row + 1) * Measure.row + 10 }

  /// The group, its top at `y`.
  func group(at y: Int) -> String {
    let boxes = self.boxes
    if boxes.isEmpty { return "" }
    return "<g class=\"lane\" transform=\"translate(0 \(y))\">\n"
      + (rails(boxes) + zip(boxes, boxes.dropFirst()).map(connector) + boxes.map(shape))
      .joined(separator: "\n") + "\n</g>"
  }

  private var boxes: [Box] {
    var boxes: [Box] = []
    var x = Measure.margin, row = 0, depth = 0
    for (index, station) in lane.stations.enumerated() {
      let columns = max(short(station.title).columns, short(station.value ?? "").columns)
      let width = columns * Measure.letter / 10 + Measure.padding
      let start = self.start(station.depth)
      let turns = index > 0 && station.depth != depth
      let isFull = x + width > self.width - Measure.margin && x > start
      if turns || isFull {
        row += 1
        x = start + Measure.gap
      }
      boxes.append(Box(station: station, index: index, x: x, row: row, width: width))
      x += width + Measure.gap
      depth = station.depth
    }
    return boxes
  }

  /// Where a row begins.
  private func start(_ depth: Int) -> Int { Measure.margin + min(depth, 6) * Measure.indent }

  private func short(_ text: String) -> String {
    text.columns > Measure.longest ? String(text.prefix(Measure.longest - 1)) + "…" : text
  }

  private func shape(_ box: Box) -> String {
    let y = box.row * Measure.row
    let hasValue = box.station.value != nil
    let title = text("title", box, y + (hasValue ? 19 : 28), short(box.station.title))
    let value = box.station.value.map { text("value", box, y + 37, short($0)) } ?? ""
    return "<g class=\"station \(box.station.kind.rawValue)\(mark(box.index))\">"
      + "<title>\(box.station.text.shown.markup)</title>"
      + "<rect x=\"\(box.x)\" y=\"\(y)\" width=\"\(box.width)\" height=\"\(Measure.height)\" "
      + "rx=\"8\"/>" + title + value + "</g>"
  }

  // MARK: Lines

  /// The ways that wait while a branch runs, one upright line in each row of it.
  private func rails(_ boxes: [Box]) -> [String] {
    let firsts = Dictionary(grouping: boxes, by: \.row).compactMap(\.value.first)
    return firsts.sorted { $0.row < $1.row }.flatMap { box in
      (0..<min(box.station.depth, 6)).filter { lane.comesBack(to: $0, after: box.index) }.map {
        "<path class=\"rail\" d=\"M\(start($0) + 8) \(box.row * Measure.row - Measure.gap / 2)"
          + "v\(Measure.row)\"/>"
      }
    }
  }

  /// From one station to the next: straight on, or down and into the next row. Into a branch it leads
  /// from below the station that begins it.
  private func connector(_ box: Box, _ next: Box) -> String {
    let line: String
    if box.row == next.row {
      line = "M\(box.right + 3) \(box.middle)"
    } else if next.station.depth > box.station.depth {
      line = "M\(box.x + box.width / 2) \(box.bottom)\(turn(box, next))"
    } else {
      line = "M\(box.right) \(box.middle)h10\(turn(box, next))"
    }
    let isBranch = next.station.depth != box.station.depth
    return "<path class=\"\(isBranch ? "branch" : "way")\(mark(next.index))\" d=\"\(line)"
      + "H\(next.x - 4)\" marker-end=\"url(#tip-\(isBranch ? "forwards" : "isa"))\"/>"
  }

  /// Between the rows to where the next one begins, and down into it.
  private func turn(_ box: Box, _ next: Box) -> String {
    "V\(box.bottom + 9)H\(next.x - Measure.gap + 5)V\(next.middle)"
  }

  private func mark(_ index: Int) -> String {
    guard let current else { return "" }
    return index == current ? " now" : index > current ? " ahead" : ""
  }

  private func text(_ name: String, _ box: Box, _ y: Int, _ text: String) -> String {
    "<text class=\"\(name)\" x=\"\(box.x + box.width / 2)\" y=\"\(y)\">\(text.shown.markup)</text>"
  }
}
