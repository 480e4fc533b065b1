/// A graph as SVG: a file by itself, or the drawing of a page that goes from step to step.
struct GraphSVG {
  var layout: GraphLayout
  var graph: Graph
  var title: String
  var language = Language.english
  /// Below the drawing of a file by itself.
  var lane: LaneSVG?

  /// A file by itself, in which all that is drawn is there.
  func document() -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    \(open(role: "role=\"img\" aria-labelledby=\"title desc\"", height: height))
    <title id="title">\(title.markup)</title>
    <desc id="desc">\(graph.sentences(in: language).joined(separator: " ").markup)</desc>
    <style>
    \(GraphStyle.rules(\.light))</style>
    <rect width="\(layout.width)" height="\(height)" style="fill:#ffffff;stroke:none"/>
    \(content())
    \(legend.group(at: layout.height, width: layout.width))\(lane.map { "\n" + $0.group(at: foot) } ?? "")
    </svg>

    """
  }

  /// For a page, which has the legend beside it: all that is there at any step, what is not there at
  /// this one marked `off`.
  func element(id: String) -> String {
    let role = "id=\"\(id)\" role=\"img\" aria-labelledby=\"\(id)-title \(id)-desc\""
    return "\(open(role: role, height: layout.height))\n"
      + "<title id=\"\(id)-title\">\(title.markup)</title>\n"
      + "<desc id=\"\(id)-desc\">"
      + "\(graph.sentences(in: language).joined(separator: " ").markup)</desc>\n"
      + "\(content())\n</svg>"
  }

  var legend: GraphLegend { GraphLegend(layout.edges, language) }

  private var foot: Int { layout.height + legend.height(width: layout.width) }
  private var height: Int { foot + (lane?.height ?? 0) }

  private func open(role: String, height: Int) -> String {
    "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"graph\" \(role) "
      + "viewBox=\"0 0 \(layout.width) \(height)\" "
      + "width=\"\(layout.width)\" height=\"\(height)\">"
  }

  private func content() -> String {
    let order: [Graph.Edge.Kind] = [.superclass, .observes, .refers, .forwards, .depends, .isa]
    let edges = order.flatMap { kind in layout.edges.filter { $0.kind == kind } }
    return ([tips] + heads() + edges.map(edge) + layout.nodes.map(node))
      .joined(separator: "\n")
  }

  // MARK: Parts

  private var tips: String {
    """
    <defs>
    \(tip("isa", "M0 1L9 5L0 9Z", 9))
    \(tip("swapped", "M0 0L11 5L0 10Z", 11))
    \(tip("superclass", "M1 1L9 5L1 9Z", 9))
    \(tip("observes", "M1 1L9 5L1 9", 9))
    \(tip("refers", "M1 1L9 5L1 9", 9))
    \(tip("forwards", "M0 1L9 5L0 9Z", 9))
    \(tip("depends", "M0 1L9 5L0 9Z", 9))
    </defs>
    """
  }

  private func tip(_ name: String, _ line: String, _ end: Int) -> String {
    "<marker id=\"tip-\(name)\" viewBox=\"0 0 12 10\" refX=\"\(end)\" refY=\"5\" "
      + "markerWidth=\"\(name == "swapped" ? 17 : 13)\" markerHeight=\"\(name == "swapped" ? 15 : 11)\" "
      + "markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
      + "<path class=\"tip-\(name)\" d=\"\(line)\"/></marker>"
  }

  private func heads() -> [String] {
    let titles = [
      Text("graph.observers"), Text("graph.objects"), Text("graph.classes"),
      Text("graph.metaclasses"),
    ]
    return zip(titles, layout.columns).enumerated().compactMap { number, part in
      let (title, column) = part
      return column.ids.isEmpty
        ? nil
        : "<text class=\"head\(number == 3 ? " metaclass" : "")\" "
          + "x=\"\(column.x + column.width / 2)\" y=\"34\">"
          + "\(title[language])</text>"
    }
  }

  private func node(_ union: Graph.Node) -> String {
    let current = graph.node(union.id)
    let node = current ?? union
    let place = layout.place(node.id)
    let radius = node.role == .observer ? 27 : node.role == .object ? 12 : 2
    let noted = union.note != nil
    let lines = place.lines.count
    let count = layout.union.rowCounts[node.id] ?? 0
    let head = count == 0 ? place.height : layout.head(of: place.lines)
    let top = (head - lines * 19 - (noted ? 16 : 0)) / 2 + 14
    let names = place.lines.enumerated().map { index, line in
      text("name", place.width / 2, top + index * 19, line)
    }
    let note = noted ? [text("note", place.width / 2, top + lines * 19 - 1, node.note ?? "")] : []
    return "<g class=\"node \(node.role.rawValue)\(current == nil ? " off" : "")\" "
      + "data-id=\"\(node.id.shown.markup)\" transform=\"translate(\(place.x) \(place.y))\">"
      + "<rect width=\"\(place.width)\" height=\"\(place.height)\" rx=\"\(radius)\"/>"
      + (names + note).joined() + rows(of: node, count, head, place.width) + "</g>"
  }

  /// A line below the head, and the rows; on a page as many as there ever are.
  private func rows(of node: Graph.Node, _ count: Int, _ head: Int, _ width: Int) -> String {
    if count == 0 { return "" }
    let top = head + GraphLayout.Measure.rowMargin
    let rows = (0..<count).map { index -> String in
      let row = index < node.rows.count ? node.rows[index] : nil
      let y = top + index * GraphLayout.Measure.rowHeight + 12
      return "<g class=\"row\"><text class=\"text\" x=\"12\" y=\"\(y)\">"
        + "\((row?.text ?? "").markup)</text>"
        + "<text class=\"detail\" x=\"\(width - 12)\" y=\"\(y)\">"
        + "\((row?.detail ?? "").markup)</text></g>"
    }
    return "<path class=\"rule\" d=\"M0 \(head)H\(width)\"/>" + rows.joined()
  }

  private func text(_ name: String, _ x: Int, _ y: Int, _ text: String) -> String {
    "<text class=\"\(name)\" x=\"\(x)\" y=\"\(y)\">\(text.markup)</text>"
  }

  private func edge(_ union: Graph.Edge) -> String {
    let current = graph.edge(union.id)
    let edge = current ?? union
    let path = layout.path(of: edge)
    let tip = edge.isSwapped ? "swapped" : edge.kind.rawValue
    return "<g class=\"\(classes(of: edge))\(current == nil ? " off" : "")\" "
      + "data-id=\"\(edge.id.shown.markup)\" data-from=\"\(edge.from.shown.markup)\" "
      + "data-to=\"\(edge.to.shown.markup)\"\(edge.moves ? " data-moves=\"yes\"" : "")>"
      + "<path d=\"\(path.line)\" marker-end=\"url(#tip-\(tip))\"/>"
      + label(of: edge, path) + "</g>"
  }

  private func classes(of edge: Graph.Edge) -> String {
    "edge \(edge.kind.rawValue)" + (edge.isSwapped ? " swapped" : "")
      + (edge.isForwarded ? " forwarded" : "")
  }

  private func label(of edge: Graph.Edge, _ path: GraphPath) -> String {
    guard let label = path.label else { return "" }
    if edge.isLabelled {
      return "<title>\(edge.label.markup)</title>"
        + text("label", label.x, label.y, edge.shortLabel)
    }
    let everSwapped = layout.stubs.isa > 40
    return everSwapped ? mark(label.x, label.y, isThere: edge.isSwapped) : ""
  }

  /// The word on an isa that was swapped, for those who see no colour.
  private func mark(_ x: Int, _ y: Int, isThere: Bool) -> String {
    let word = language.say("graph.swapped")
    return "<g class=\"swap-mark\"\(isThere ? "" : " visibility=\"hidden\"")>"
      + "<rect class=\"mark\" x=\"\(x - 38)\" y=\"\(y - 11)\" width=\"76\" height=\"22\" rx=\"11\"/>"
      + text("mark-text", x, y + 4, word) + "</g>"
  }
}
