/// The meaning of each kind of line that a drawing has.
struct GraphLegend {
  private struct Entry {
    var classes: String
    var tip: String
    var word: String
    /// Its room in a row.
    var width: Int { GraphLegend.sample + 10 + word.columns * 7 + GraphLegend.gap }
  }

  private static let sample = 44
  private static let gap = 26
  private static let row = 24
  private let entries: [Entry]

  init(_ edges: [Graph.Edge], _ language: Language) {
    let kinds: [(String, String, Text, (Graph.Edge) -> Bool)] = [
      ("isa", "isa", Text("graph.isa"), { $0.kind == .isa }),
      // An isa may be swapped in a later step: its mark is explained all the same.
      ("isa swapped", "swapped", Text("graph.swapped-isa"), { $0.kind == .isa }),
      ("superclass", "superclass", Text("graph.superclass"), { $0.kind == .superclass }),
      ("observes", "observes", Text("graph.observes"), { $0.kind == .observes }),
      ("refers", "refers", Text("graph.refers"), { $0.kind == .refers }),
      ("forwards", "forwards", Text("graph.forwarder"), { $0.kind == .forwards }),
      ("depends", "depends", Text("graph.dependent"), { $0.kind == .depends }),
    ]
    entries = kinds.filter { edges.contains(where: $0.3) }.map {
      Entry(classes: $0.0, tip: $0.1, word: $0.2[language])
    }
  }

  // MARK: In a drawing

  /// The entries in as many rows as a width needs.
  private func rows(width: Int) -> [[Entry]] {
    var rows: [[Entry]] = []
    var room = 0
    for entry in entries {
      if entry.width - GraphLegend.gap > room {
        rows.append([])
        room = width - 2 * GraphLayout.Measure.margin
      }
      rows[rows.count - 1].append(entry)
      room -= entry.width
    }
    return rows
  }

  func height(width: Int) -> Int { rows(width: width).count * GraphLegend.row + 10 }

  func group(at y: Int, width: Int) -> String {
    let lines = rows(width: width).enumerated().map { index, row in
      var x = 0
      let parts = row.map { entry in
        defer { x += entry.width }
        return sample(of: entry, x, index * GraphLegend.row)
      }
      return parts.joined()
    }
    return "<g class=\"legend\" aria-hidden=\"true\" "
      + "transform=\"translate(\(GraphLayout.Measure.margin) \(y + 4))\">"
      + lines.joined(separator: "\n") + "</g>"
  }

  private func sample(of entry: Entry, _ x: Int, _ y: Int) -> String {
    "<g class=\"edge \(entry.classes)\">\(line(of: entry, x, y))"
      + "<text x=\"\(x + GraphLegend.sample + 10)\" y=\"\(y + 4)\">\(entry.word)</text></g>"
  }

  private func line(of entry: Entry, _ x: Int, _ y: Int) -> String {
    "<path d=\"M\(x) \(y)L\(x + GraphLegend.sample) \(y)\" marker-end=\"url(#tip-\(entry.tip))\"/>"
  }

  // MARK: Beside a drawing

  /// A line of a page, which breaks where it has to.
  func caption() -> String {
    let items = entries.map { entry in
      "<span><svg class=\"graph\" width=\"48\" height=\"16\" viewBox=\"0 0 48 16\">"
        + "<g class=\"edge \(entry.classes)\">\(line(of: entry, 0, 8))</g></svg>\(entry.word)</span>"
    }
    return "<span class=\"legend\" aria-hidden=\"true\">\(items.joined())</span>"
  }
}
