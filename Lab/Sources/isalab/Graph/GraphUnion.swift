/// All nodes and edges that there are at any moment, and the room that they ever need.
struct GraphUnion: Sendable {
  /// In the order in which they came, each as it was first.
  private(set) var nodes: [Graph.Node] = []
  private(set) var edges: [Graph.Edge] = []
  private var nodePlaces: [String: Int] = [:]
  private var edgeIds: Set<String> = []
  /// The most columns of a node's notes and of its rows, the most rows, and the most columns of an edge's
  /// label, by their ids.
  private(set) var noteColumns: [String: Int] = [:]
  private(set) var rowColumns: [String: Int] = [:]
  private(set) var rowCounts: [String: Int] = [:]
  private(set) var labelColumns: [String: Int] = [:]
  /// Whether an isa is ever swapped.
  private(set) var isSwapped = false

  init() {}

  init(_ graph: Graph) {
    for node in graph.nodes { add(node) }
    for edge in graph.edges { add(edge) }
  }

  func node(_ id: String) -> Graph.Node? { nodePlaces[id].map { nodes[$0] } }

  mutating func add(_ changes: Graph.Changes) {
    for node in changes.nodes { node.now.map { add($0) } }
    for edge in changes.edges { edge.now.map { add($0) } }
  }

  /// Adds what there is in another run, which has the same names for it.
  mutating func add(_ other: GraphUnion) {
    for node in other.nodes { add(node) }
    for edge in other.edges { add(edge) }
    noteColumns.merge(other.noteColumns, uniquingKeysWith: max)
    rowColumns.merge(other.rowColumns, uniquingKeysWith: max)
    rowCounts.merge(other.rowCounts, uniquingKeysWith: max)
    labelColumns.merge(other.labelColumns, uniquingKeysWith: max)
    isSwapped = isSwapped || other.isSwapped
  }

  private mutating func add(_ node: Graph.Node) {
    if nodePlaces[node.id] == nil {
      nodePlaces[node.id] = nodes.count
      nodes.append(node)
    }
    noteColumns.widen(node.id, node.note?.columns ?? 0)
    rowColumns.widen(node.id, node.rows.map(\.columns).max() ?? 0)
    rowCounts.widen(node.id, node.rows.count)
  }

  private mutating func add(_ edge: Graph.Edge) {
    if edgeIds.insert(edge.id).inserted { edges.append(edge) }
    if edge.isLabelled { labelColumns.widen(edge.id, edge.shortLabel.columns) }
    isSwapped = isSwapped || edge.isSwapped
  }
}

extension [String: Int] {
  fileprivate mutating func widen(_ id: String, _ size: Int) {
    self[id] = Swift.max(self[id, default: 0], size)
  }
}
