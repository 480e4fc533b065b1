// The drawing of one moment, as a page's script shows it.

extension PageData {
  /// More objects than this are a crowd, of which a page shows only those that a step touches.
  static let crowd = 12

  static func drawing(
    _ graph: Graph, _ layout: GraphLayout, _ touched: Set<String>, _ language: Language
  ) -> Drawing {
    var drawing = Drawing(touched: touched.map(\.shown).sorted())
    for node in graph.nodes {
      drawing.nodes[node.id.shown] = Node(
        note: node.note ?? "", rows: node.rows.map { [$0.id.shown, $0.text, $0.detail] })
    }
    for edge in graph.edges {
      drawing.edges[edge.id.shown] = Edge(
        line: edge.moves ? layout.path(of: edge).line : nil,
        label: edge.isLabelled ? edge.shortLabel : nil, full: edge.isLabelled ? edge.label : nil,
        isSwapped: edge.isSwapped, isForwarded: edge.isForwarded, to: edge.to.shown,
        words: graph.sentence(of: edge)?[language])
    }
    if layout.nodes.count(where: { $0.role == .object }) > crowd {
      drawing.close = closeUp(graph.restricted(to: touched), layout)
    }
    return drawing
  }

  private static func closeUp(_ graph: Graph, _ layout: GraphLayout) -> CloseUp {
    let layout = layout.compacted(to: Set(graph.nodes.map(\.id)))
    var closeUp = CloseUp(height: layout.height)
    for node in graph.nodes { closeUp.tops[node.id.shown] = layout.place(node.id).y }
    for edge in graph.edges {
      let path = layout.path(of: edge)
      closeUp.lines[edge.id.shown] = CloseUp.Line(
        line: path.line, at: path.label.map { [$0.x, $0.y] })
    }
    return closeUp
  }
}
