/// The drawings of all moments, as a page's script shows them.
struct PageDrawing {
  /// More objects than this are a crowd, of which a page shows only those that a step touches.
  static let crowd = 12

  private(set) var graph: Graph
  private let course: GraphCourse
  private let layout: GraphLayout
  private let language: Language
  private let isCrowd: Bool
  private var nodes = PackedMap()
  private var edges = PackedMap()
  private var touched = PackedValue()
  private var closeUp = PackedValue()
  /// The touched nodes that were there last, as they stand alone.
  private var close: (ids: Set<String>, layout: GraphLayout)?

  init(_ run: Run, _ course: GraphCourse, _ layout: GraphLayout, _ language: Language) {
    graph = Graph(run.program?.symbols, in: language)
    self.course = course
    self.layout = layout
    self.language = language
    isCrowd = layout.nodes.count(where: { $0.role == .object }) > PageDrawing.crowd
  }

  /// Goes on to a moment of a step.
  mutating func follow(
    _ state: WorldState, ofStep step: Int, _ packer: inout PackedJSON
  ) -> Graph.Changes {
    let changes = graph.follow(state)
    for (id, node) in changes.nodes { nodes.put(node.map(json), at: id.shown, &packer) }
    for (id, edge) in changes.edges { edges.put(edge.map(json), at: id.shown, &packer) }
    touched.now = .texts(course.touched[step].map(\.shown).sorted())
    if isCrowd { closeUp.now = closeUp(of: course.touched[step]) }
    return changes
  }

  mutating func whole(_ packer: inout PackedJSON) -> String {
    let close = isCrowd ? [closeUp.whole(&packer)] : []
    return packer.record(
      keys, close + [edges.whole(&packer), nodes.whole(&packer), touched.whole(&packer)])
  }

  /// The difference since the last time.
  mutating func takeDelta(_ packer: inout PackedJSON) -> String {
    let close = isCrowd ? [closeUp.takeDelta(&packer)] : []
    return PackedJSON.recordDelta(
      close + [edges.takeDelta(), nodes.takeDelta(), touched.takeDelta(&packer)])
  }

  private var keys: [String] { (isCrowd ? ["close"] : []) + ["edges", "nodes", "touched"] }

  // MARK: Parts

  private func json(_ node: Graph.Node) -> JSON {
    [
      "note": .text(node.note ?? ""),
      "rows": .list(node.rows.map { .texts([$0.id.shown, $0.text, $0.detail]) }),
    ]
  }

  /// With its line, if that may move, and with the edge in words.
  private func json(_ edge: Graph.Edge) -> JSON {
    [
      "line": .text(edge.moves ? layout.path(of: edge).line : nil),
      "label": .text(edge.isLabelled ? edge.shortLabel : nil),
      "full": .text(edge.isLabelled ? edge.label : nil), "isSwapped": .flag(edge.isSwapped),
      "isForwarded": .flag(edge.isForwarded), "to": .text(edge.to.shown),
      "words": .text(graph.sentence(of: edge)?[language]),
    ]
  }

  /// The touched nodes of a moment without the others between them: their tops, and the lines with the
  /// places of their labels.
  private mutating func closeUp(of touched: Set<String>) -> JSON {
    let ids = touched.filter { graph.node($0) != nil }
    if close?.ids != ids { close = (ids, layout.compacted(to: ids)) }
    guard let layout = close?.layout else { return .map([:]) }
    let edges = ids.flatMap(graph.edges(of:)).filter {
      ids.contains($0.from) && ids.contains($0.to)
    }
    let lines = edges.map { edge -> (String, JSON) in
      let path = layout.path(of: edge)
      let at = path.label.map { JSON.list([.number($0.x), .number($0.y)]) }
      return (edge.id.shown, ["line": .text(path.line), "at": at])
    }
    let tops = ids.map { ($0.shown, JSON.number(layout.place($0).y)) }
    return [
      "tops": .map(Dictionary(tops) { $1 }), "lines": .map(Dictionary(lines) { $1 }),
      "height": .number(layout.height),
    ]
  }
}
