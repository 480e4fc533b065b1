/// A graph in Graphviz's language.
struct GraphDot {
  var graph: Graph
  var title: String

  func lines() -> [String] {
    [
      "digraph isalab {",
      "  graph [rankdir=LR, bgcolor=white, nodesep=0.4, ranksep=1.1, fontname=Helvetica,",
      "    labelloc=t, label=\(quoted(title))]",
      "  node [shape=box, fontname=Courier, fontsize=13, style=filled, fillcolor=white]",
      "  edge [fontname=Helvetica, fontsize=12, color=\"#1b1b1b\"]",
    ]
      + rank(of: { $0 == .object }) + rank(of: \.isClass) + rank(of: \.isMetaclass)
      + graph.nodes.filter { $0.role == .observer }.map { "  " + declaration($0) }
      + graph.edges.map(edge) + ["}"]
  }

  private func rank(of isMember: (Graph.Role) -> Bool) -> [String] {
    let nodes = graph.nodes.filter { isMember($0.role) }
    if nodes.isEmpty { return [] }
    return ["  { rank=same"] + nodes.map { "    " + declaration($0) } + ["  }"]
  }

  private func declaration(_ node: Graph.Node) -> String {
    let look =
      switch node.role {
      case .observer: ", shape=ellipse, color=\(colour(.observes))"
      case .object: ", style=\"filled,rounded\""
      case .plainClass: ""
      case .notifyingClass: ", color=\(colour(.swapped)), penwidth=2, fillcolor=\(colour(.made))"
      case .metaclass: ", fillcolor=\(colour(.fill))"
      case .notifyingMetaclass: ", fillcolor=\(colour(.made))"
      }
    return "\(quoted(node.id)) [label=\(label(of: node))\(look)]"
  }

  /// The name and the note; above rows, a table of them all.
  private func label(of node: Graph.Node) -> String {
    let heads = [node.name] + (node.note.map { [$0] } ?? [])
    if node.rows.isEmpty { return quoted(heads.joined(separator: "\n")) }
    let rows = node.rows.map {
      cell($0.text, "ALIGN=\"LEFT\"") + cell($0.detail, "ALIGN=\"RIGHT\"")
    }
    return "<<TABLE BORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"2\">"
      + heads.map { row(cell($0, "COLSPAN=\"2\"")) }.joined() + "<HR/>" + rows.map(row).joined()
      + "</TABLE>>"
  }

  private func row(_ cells: String) -> String { "<TR>\(cells)</TR>" }
  private func cell(_ text: String, _ look: String) -> String {
    "<TD \(look)>\(text.shown.markup)</TD>"
  }

  private func edge(_ edge: Graph.Edge) -> String {
    "  \(quoted(edge.from)) -> \(quoted(edge.to)) [\(look(of: edge))]"
  }

  private func look(of edge: Graph.Edge) -> String {
    switch edge.kind {
    case .isa where edge.isSwapped:
      "style=solid, color=\(colour(.swapped)), penwidth=4, label=\(swapped)"
    case .isa: "style=solid"
    case .superclass: "style=dashed, color=\(colour(.quiet)), arrowhead=empty, constraint=false"
    case .observes:
      "style=dotted, penwidth=2, arrowhead=vee, \(labelled(edge, .observes))"
        + (graph.node(edge.from)?.role == .object ? ", constraint=false" : "")
    case .refers: "style=solid, arrowhead=vee, constraint=false, \(labelled(edge, .refers))"
    case .forwards, .depends: "style=dashed, constraint=false, \(labelled(edge, .observes))"
    }
  }

  private var swapped: String {
    let word = graph.language.say("graph.swapped")
    return graph.language == .english ? word : quoted(word)
  }

  private func labelled(_ edge: Graph.Edge, _ ink: GraphStyle.Ink) -> String {
    "color=\(colour(ink)), label=\(quoted(edge.label))"
  }

  private func colour(_ ink: GraphStyle.Ink) -> String { quoted(ink.light) }

  /// In dot a backslash begins an escape, and a line ends with one.
  private func quoted(_ text: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map {
      String($0).shown.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }
    return "\"\(lines.joined(separator: "\\n"))\""
  }
}
