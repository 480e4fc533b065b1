/// Where everything of a scenario's graphs stands, the same at each of its steps.
///
/// Observers and objects on the left, classes in the middle, metaclasses on the right. Edges between
/// objects go around their left. Labels stand where an edge leaves its node, before it may meet
/// another.
struct GraphLayout: Sendable {
  struct Place: Hashable, Sendable {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    /// The name, broken where it is too long.
    var lines: [String]

    var right: Int { x + width }
    var bottom: Int { y + height }
    var centre: (x: Int, y: Int) { (x + width / 2, y + height / 2) }
  }

  struct Column: Hashable, Sendable {
    var x = 0
    var width = 0
    var ids: [String] = []
  }

  /// All that there ever is to draw.
  let union: GraphUnion
  var nodes: [Graph.Node] { union.nodes }
  var edges: [Graph.Edge] { union.edges }
  private var columnsById: [String: Int] = [:]
  /// Where each node stands in its column.
  private(set) var rowsById: [String: Int] = [:]
  private var superclasses: [String: String] = [:]
  private var subclasses: [String: [Graph.Node]] = [:]
  /// The class or metaclass where an isa of each node goes first, and what each function observes first.
  private let isas: [String: String]
  private let subjects: [String: String]
  /// The edges that meet the left side of each object, by its id.
  private(set) var leftEdges: [String: [Graph.Edge]] = [:]
  var places: [String: Place] = [:]
  /// Observers, objects, classes, metaclasses.
  var columns = Array(repeating: Column(), count: 4)
  /// Where the lanes of superclass edges run, by the superclass.
  var lanes: [String: Int] = [:]
  /// Where an edge leaves its node, measured from the node's top.
  var ports: [String: Int] = [:]
  /// Where an edge between objects arrives, likewise.
  var arrivals: [String: Int] = [:]
  /// How far left of the objects an edge between two of them runs, 0 nearest, by its id.
  var gutters: [String: Int] = [:]
  /// How far an edge goes straight before it turns.
  var stubs = Stubs()
  var width = 0
  var height = 0

  struct Stubs: Hashable, Sendable {
    /// From observers to the right, with the label of what is observed.
    var observer = 0
    /// Of edges between objects, to the left.
    var object = 0
    /// Of the isa, with the mark of a swap.
    var isa = 0
  }

  enum Measure {
    static let margin = 24
    static let head = 84
    static let gap = 30
    static let lane = 14
    static let nodeHeight = 54
    static let lineHeight = 19
    static let rowHeight = 17
    /// Above the first row, and below the last one.
    static let rowMargin = 8
    static let portHeight = 20
    static let arrow = 18
    static let turn = 44
    static let longestName = 30
    static let longestLabel = 22
    static let foot = 22
    /// Of one column of the name's font, in tenths of a pixel.
    static let nameWidth = 92
    static let noteWidth = 74
  }

  init(_ graph: Graph) { self.init(GraphUnion(graph)) }

  init(_ union: GraphUnion) {
    self.union = union
    func firsts(_ kind: Graph.Edge.Kind) -> [String: String] {
      Dictionary(union.edges.filter { $0.kind == kind }.map { ($0.from, $0.to) }) { one, _ in one }
    }
    isas = firsts(.isa)
    subjects = firsts(.observes)
    findSuperclasses(firsts(.superclass))
    fillColumns()
    measure()
    placeColumns()
    placeRows()
    placePorts()
  }

  /// The same columns with these nodes only, one below the other.
  func compacted(to ids: Set<String>) -> GraphLayout {
    var part = self
    for index in columns.indices {
      let members = ids.filter { columnsById[$0] == index && rowsById[$0] != nil }
      part.columns[index].ids = members.sorted { rowsById[$0]! < rowsById[$1]! }
    }
    part.places = Dictionary(uniqueKeysWithValues: ids.map { ($0, place($0)) })
    part.placeRows()
    return part
  }

  /// The width up to the metaclasses; the whole width if there are none.
  var widthWithoutMetaclasses: Int {
    columns[3].ids.isEmpty ? width : columns[3].x - Measure.gap / 2
  }

  func node(_ id: String) -> Graph.Node? { union.node(id) }
  func place(_ id: String) -> Place {
    places[id] ?? Place(x: 0, y: 0, width: 0, height: 0, lines: [])
  }

  /// The room of an edge's label, the widest that it ever has.
  func labelWidth(of edge: Graph.Edge) -> Int? {
    union.labelColumns[edge.id].map { $0 * Measure.noteWidth / 10 }
  }

  /// The column in which a node stands.
  func column(of id: String) -> Int { columnsById[id] ?? 1 }

  /// Whether both its ends are objects of the one column.
  func isInner(_ edge: Graph.Edge) -> Bool {
    edge.isLabelled && column(of: edge.from) == 1 && column(of: edge.to) == 1
  }
}

extension Graph.Edge {
  /// The label, shortened where it would push columns apart.
  var shortLabel: String {
    let longest = GraphLayout.Measure.longestLabel
    return label.columns > longest ? String(label.prefix(longest - 1)) + "…" : label
  }
}

// MARK: - Columns

extension GraphLayout {
  private mutating func fillColumns() {
    let watching = Set(edges.filter { $0.kind == .observes }.map(\.from))
    let reached = Set(edges.filter(\.isLabelled).map(\.to))
    for root in nodes where root.role.isClass && superclass(of: root.id) == nil {
      addClass(root.id)
    }
    noteRows(of: 2)
    for node in sortedByClass(nodes.filter { !$0.role.isClass && !$0.role.isMetaclass }) {
      let onlyWatches = watching.contains(node.id) && !reached.contains(node.id)
      columns[onlyWatches ? 0 : 1].ids.append(node.id)
    }
    for index in columns.indices { noteRows(of: index) }
    for edge in edges where edge.isLabelled {
      for id in Set([edge.from, edge.to]) where column(of: id) == 1 {
        leftEdges[id, default: []].append(edge)
      }
    }
  }

  private mutating func noteRows(of index: Int) {
    for (row, id) in columns[index].ids.enumerated() {
      columnsById[id] = index
      rowsById[id] = row
    }
  }

  /// In the order of their first classes, so that isas rarely cross.
  private func sortedByClass(_ nodes: [Graph.Node]) -> [Graph.Node] {
    let rows = Dictionary(grouping: nodes) { isas[$0.id].flatMap { rowsById[$0] } ?? .max }
    return rows.sorted { $0.key < $1.key }.flatMap(\.value)
  }

  func superclass(of id: String) -> String? { superclasses[id] }

  private mutating func findSuperclasses(_ firsts: [String: String]) {
    // The root metaclass's is the root class, in another column.
    superclasses = firsts.filter { node($0)?.role.isMetaclass == node($1)?.role.isMetaclass }
    subclasses = Dictionary(grouping: nodes.filter { superclasses[$0.id] != nil }) {
      superclasses[$0.id]!
    }
  }

  private func subclasses(of id: String) -> [Graph.Node] {
    let all = subclasses[id] ?? []
    let made = all.filter { $0.role == .notifyingClass }
    let others = all.filter { $0.role != .notifyingClass }
    // A class that is built in has a note.
    return made + others.filter { $0.note == nil } + others.filter { $0.note != nil }
  }

  /// A class, and below it its subclasses, the notifying one first; metaclasses beside them.
  private mutating func addClass(_ id: String) {
    columns[2].ids.append(id)
    if let meta = isas[id] { columns[3].ids.append(meta) }
    for subclass in subclasses(of: id) { addClass(subclass.id) }
  }

  // MARK: Sizes

  private mutating func measure() {
    let leaving = Dictionary(grouping: edges.filter { $0.kind != .superclass }, by: \.from)
    let rows = objectRows
    for node in nodes {
      let lines = GraphLayout.broken(node.name)
      let name = (lines.map(\.columns).max() ?? 0) * Measure.nameWidth / 10
      let note = union.noteColumns[node.id, default: 0] * Measure.noteWidth / 10
      let isObject = column(of: node.id) == 1
      let slots = isObject ? leftSlots(of: node.id, rows).count : leaving[node.id]?.count ?? 0
      let height = max(
        head(of: lines) + rowsHeight(of: node.id), (slots + 1) * Measure.portHeight)
      let width = max(
        96, max(name, note, union.rowColumns[node.id, default: 0] * Measure.noteWidth / 10) + 28)
      places[node.id] = Place(x: 0, y: 0, width: width, height: height, lines: lines)
    }
    // All of a column are as wide as the widest, and a class as high as its metaclass.
    for index in columns.indices {
      columns[index].width = columns[index].ids.map { place($0).width }.max() ?? 0
      for id in columns[index].ids { places[id]?.width = columns[index].width }
    }
    for (cls, meta) in zip(columns[2].ids, columns[3].ids) {
      let height = max(place(cls).height, place(meta).height)
      places[cls]?.height = height
      places[meta]?.height = height
    }
  }

  /// The height of a box without its rows.
  func head(of lines: [String]) -> Int {
    Measure.nodeHeight + (lines.count - 1) * Measure.lineHeight
  }

  private func rowsHeight(of id: String) -> Int {
    let count = union.rowCounts[id] ?? 0
    return count == 0 ? 0 : count * Measure.rowHeight + 2 * Measure.rowMargin
  }

  /// A name in lines that are short enough, broken behind `_` where there is one.
  private static func broken(_ name: String) -> [String] {
    var lines: [String] = []
    var rest = name[...]
    while rest.columns > Measure.longestName {
      var line = ""
      var columns = 0
      for character in rest {
        columns += character.columns
        if columns > Measure.longestName { break }
        line.append(character)
      }
      if let bar = line.lastIndex(of: "_"), line.distance(from: line.startIndex, to: bar) > 8 {
        line = String(line[...bar])
      }
      lines.append(line)
      rest = rest.dropFirst(line.count)
    }
    return lines + [String(rest)]
  }
}

// MARK: - Places

extension GraphLayout {
  private mutating func placeColumns() {
    assignLanes()
    assignGutters()
    stubs.observer = stub { $0.isLabelled && column(of: $0.from) == 0 }
    stubs.object = stub(isInner)
    stubs.isa = union.isSwapped ? 112 : 20
    columns[0].x = Measure.margin
    let left = stubs.observer == 0 ? 0 : stubs.observer + Measure.turn + Measure.arrow
    columns[1].x = columns[0].x + columns[0].width + left + gutter
    columns[2].x =
      columns[1].x + columns[1].width + stubs.isa + Measure.turn + Measure.arrow
    let lane = (lanes.values.max().map { $0 + 1 } ?? 0) * Measure.lane
    columns[3].x = columns[2].x + columns[2].width + lane + Measure.arrow * 3
    width = columns[3].x + columns[3].width + lane + Measure.arrow + Measure.margin
    for column in columns { for id in column.ids { places[id]?.x = column.x } }
  }

  private func stub(_ isMember: (Graph.Edge) -> Bool) -> Int {
    edges.filter(isMember).compactMap { labelWidth(of: $0) }.max().map { $0 + 16 } ?? 0
  }

  /// The room left of the objects in which edges between them run.
  var gutter: Int {
    let lanes = gutters.values.max().map { $0 + 1 } ?? 0
    return stubs.object == 0 ? 0 : stubs.object + lanes * Measure.lane + Measure.arrow
  }

  /// Gives each superclass that is not right above a subclass a lane that meets no other's; a
  /// metaclass has the lane of its class.
  private mutating func assignLanes() {
    var lasts: [String: Int] = [:]
    for (row, id) in columns[2].ids.enumerated() { superclass(of: id).map { lasts[$0] = row } }
    let spans = columns[2].ids.enumerated().compactMap { row, id -> (String, ClosedRange<Int>)? in
      let last = lasts[id] ?? row
      return last > row + 1 ? (id, row...last) : nil
    }
    let metas = Dictionary(uniqueKeysWithValues: zip(columns[2].ids, columns[3].ids))
    var taken = Lanes()
    for (id, span) in spans.sorted(by: { $0.1.count < $1.1.count }) {
      lanes[id] = taken.take(span)
      metas[id].map { lanes[$0] = lanes[id] }
    }
  }

  private mutating func placeRows() {
    let left = leftRows()
    // Beside each its metaclass, if these are drawn.
    let classes = columns[2].ids.enumerated().map { row, id in
      [id] + columns[3].ids.dropFirst(row).prefix(1)
    }
    let extent = max(extent(of: left), extent(of: classes))
    stack(left, from: Measure.head + (extent - self.extent(of: left)) / 2)
    stack(classes, from: Measure.head + (extent - self.extent(of: classes)) / 2)
    height = Measure.head + extent + Measure.foot
  }

  private func extent(of rows: [[String]]) -> Int {
    rows.map { rowHeight($0) + Measure.gap }.reduce(-Measure.gap, +)
  }

  private func rowHeight(_ row: [String]) -> Int { row.map { place($0).height }.max() ?? 0 }

  private mutating func stack(_ rows: [[String]], from top: Int) {
    var y = top
    for row in rows {
      let height = rowHeight(row)
      for id in row {
        let own = place(id).height
        places[id]?.y = y + (height - own) / 2
      }
      y += height + Measure.gap
    }
  }

  /// Objects, then objects that only observe, whose isa needs the row for itself; functions beside
  /// what they observe.
  private func leftRows() -> [[String]] {
    var rows = columns[1].ids.map { [$0] }
    let places = Dictionary(uniqueKeysWithValues: zip(columns[1].ids, rows.indices))
    var free = NearestPlaces(count: rows.count)
    rows += columns[0].ids.filter { node($0)?.role == .object }.map { [$0] }
    for function in columns[0].ids where node(function)?.role == .observer {
      let wish = subjects[function].flatMap { places[$0] } ?? 0
      if let row = free.take(near: wish) {
        rows[row].append(function)
      } else {
        rows.append([function])
      }
    }
    return rows
  }
}
