// Where edges meet the sides of nodes, and how those between objects run left of them.

extension GraphLayout {
  /// One place on the left side of an object, where an edge leaves or some arrive.
  struct Slot: Hashable, Sendable {
    /// The edges that leave or arrive in it.
    var leaving: [String] = []
    var arriving: [String] = []
  }

  /// Gives each edge between two objects a lane of its own as far as it goes: the shorter ones run
  /// nearer to the objects.
  mutating func assignGutters() {
    let rows = objectRows
    let spans = edges.filter { isInner($0) && $0.kind != .depends }.compactMap { edge in
      rows[edge.from].flatMap { from in
        rows[edge.to].map { (id: edge.id, span: min(from, $0)...max(from, $0)) }
      }
    }
    var taken = Lanes()
    for (id, span) in spans.sorted(by: { ($0.span.count, $0.id) < ($1.span.count, $1.id) }) {
      gutters[id] = taken.take(span)
    }
  }

  /// The places on the left of an object, from its top to its foot: for edges that go up, the nearest
  /// first; for those of its own keys, and of observers; for edges that go down, the farthest first.
  /// So no edge crosses another one beside the object that both leave.
  func leftSlots(of id: String, _ rows: [String: Int]) -> [Slot] {
    let own = rows[id] ?? 0
    let inner = (leftEdges[id] ?? []).filter { isInner($0) && $0.kind != .depends }
    func slots(_ isMember: (Int) -> Bool) -> [Slot] {
      let edges = inner.map { (edge: $0, row: rows[$0.from == id ? $0.to : $0.from] ?? 0) }
        .filter { isMember($0.row) }.sorted { $0.row > $1.row }
      let arriving = Dictionary(grouping: edges.filter { $0.edge.to == id }) { $0.edge.kind }
      return edges.filter { $0.edge.from == id }.map { Slot(leaving: [$0.edge.id]) }
        + arriving.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { Slot(arriving: $0.value.map(\.edge.id)) }
    }
    let loops = (leftEdges[id] ?? []).filter { $0.kind == .depends }.flatMap {
      [Slot(leaving: [$0.id]), Slot(arriving: [$0.id])]
    }
    let watchers = (leftEdges[id] ?? []).filter { !isInner($0) }.map(\.id)
    return slots { $0 < own } + loops + (watchers.isEmpty ? [] : [Slot(arriving: watchers)])
      + slots { $0 > own }
  }

  /// The row of each object in the column of objects.
  var objectRows: [String: Int] {
    Dictionary(uniqueKeysWithValues: zip(columns[1].ids, columns[1].ids.indices))
  }

  /// Spreads what leaves a node over its side, and on the left of an object what arrives too.
  mutating func placePorts() {
    let rows = objectRows
    for id in columns[1].ids {
      let slots = leftSlots(of: id, rows)
      for (index, slot) in slots.enumerated() {
        let y = place(id).height * (index + 1) / (slots.count + 1)
        for edge in slot.leaving { ports[edge] = y }
        for edge in slot.arriving { arrivals[edge] = y }
      }
    }
    let leaving = Dictionary(grouping: edges.filter { $0.kind != .superclass }, by: \.from)
    for node in nodes {
      let right = (leaving[node.id] ?? []).filter { !isInner($0) }
      spread(
        right.filter(\.isLabelled).sorted { place($0.to).y < place($1.to).y }
          + right.filter { !$0.isLabelled }, in: node.id)
    }
  }

  private mutating func spread(_ edges: [Graph.Edge], in id: String) {
    let height = place(id).height
    for (index, edge) in edges.enumerated() {
      ports[edge.id] = height * (index + 1) / (edges.count + 1)
    }
  }
}
