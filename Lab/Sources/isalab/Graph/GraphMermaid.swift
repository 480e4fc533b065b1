/// A graph as a Mermaid flowchart.
struct GraphMermaid {
  private let graph: Graph
  private let title: String
  private let nodes: [Graph.Node]
  private let edges: [Graph.Edge]
  /// Names of the language may be words of Mermaid's, so nodes are numbered.
  private let numbers: [String: Int]

  init(graph: Graph, title: String) {
    (self.graph, self.title) = (graph, title)
    (nodes, edges) = (graph.nodes, graph.edges)
    numbers = Dictionary(uniqueKeysWithValues: zip(nodes.map(\.id), nodes.indices))
  }

  func lines() -> [String] {
    // Braces in a comment would begin a directive.
    let comment = title.shown.replacing("{", with: "(").replacing("}", with: ")")
    return ["%% \(comment)", "flowchart LR"]
      + group("objects", say("graph.objects")) { $0 == .object || $0 == .observer }
      + group("classes", say("graph.classes"), of: \.isClass)
      + group("metaclasses", say("graph.metaclasses"), of: \.isMetaclass)
      + edges.map { "  " + edge($0) } + styles()
  }

  private func say(_ key: String) -> String { graph.language.say(key) }

  private func group(
    _ name: String, _ title: String, of isMember: (Graph.Role) -> Bool
  ) -> [String] {
    let nodes = nodes.filter { isMember($0.role) }
    if nodes.isEmpty { return [] }
    return ["  subgraph column_\(name) [\(title)]"] + nodes.map { "    " + declaration($0) } + [
      "  end"
    ]
  }

  private func number(_ id: String) -> String { "n\(numbers[id] ?? 0)" }

  private func declaration(_ node: Graph.Node) -> String {
    let heads = [node.name] + (node.note.map { [$0] } ?? [])
    let rows = node.rows.map { $0.detail.isEmpty ? $0.text : "\($0.text) (\($0.detail))" }
    let lines = heads + (rows.isEmpty ? [] : ["———"] + rows)
    let text = "\"\(lines.map(escaped).joined(separator: "<br/>"))\""
    let shape =
      switch node.role {
      case .observer: "([\(text)])"
      case .object: "(\(text))"
      default: "[\(text)]"
      }
    return number(node.id) + shape
  }

  private func edge(_ edge: Graph.Edge) -> String {
    let line =
      switch edge.kind {
      case .isa: edge.isSwapped ? "==>|\(say("graph.swapped"))|" : "-->"
      case .superclass: "-.->"
      case .observes, .forwards, .depends: "-.->|\"\(escaped(edge.label))\"|"
      case .refers: "-->|\"\(escaped(edge.label))\"|"
      }
    return "\(number(edge.from)) \(line) \(number(edge.to))"
  }

  private typealias Ink = GraphStyle.Ink

  private func styles() -> [String] {
    edges.enumerated().compactMap { index, edge in
      switch edge.kind {
      case .isa:
        edge.isSwapped ? "  linkStyle \(index) stroke:\(Ink.swapped.light),stroke-width:4px" : nil
      case .superclass: "  linkStyle \(index) stroke:\(Ink.quiet.light),stroke-dasharray:7 5"
      case .observes: "  linkStyle \(index) stroke:\(Ink.observes.light),stroke-dasharray:2 4"
      case .refers: "  linkStyle \(index) stroke:\(Ink.refers.light)"
      case .forwards, .depends:
        "  linkStyle \(index) stroke:\(Ink.observes.light),stroke-dasharray:8 4"
      }
    }
      + nodes.filter { $0.role == .notifyingClass }.map {
        "  style \(number($0.id)) fill:\(Ink.made.light),stroke:\(Ink.swapped.light),stroke-width:2px"
      }
  }

  private func escaped(_ text: String) -> String {
    text.shown.unicodeScalars.map { scalar in
      switch scalar {
      case "#": "#35;"
      case "\"": "#quot;"
      case "<": "#lt;"
      case ">": "#gt;"
      case "&": "#amp;"
      case "`": "#96;"
      case "\\": "#92;"
      default: String(scalar)
      }
    }.joined()
  }
}
