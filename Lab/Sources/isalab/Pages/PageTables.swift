/// The tables of methods on a page: each once, however many moments have it.
struct PageTables {
  private(set) var all: [JSON] = []
  /// The places of the tables of a moment, in the order of the drawing, so that a notifying class follows
  /// its original.
  var rows = PackedRows()
  private var places: [JSON: Int] = [:]
  private var subclasses: [String: Set<String>] = [:]
  private let layout: GraphLayout

  init(_ layout: GraphLayout) { self.layout = layout }

  /// Goes on to the moment of a graph, of which some nodes are other.
  mutating func follow(
    from before: WorldState, _ graph: Graph, _ changes: Graph.Changes, _ packer: inout PackedJSON
  ) {
    let state = graph.connections.state
    let classes = state.classes.differences(from: before.classes)
    for cls in classes.came {
      cls.superclass.map { _ = subclasses[$0, default: []].insert(cls.name) }
    }
    var names = Set((classes.gone + classes.came).map(\.name))
    for (old, new) in classes.altered {
      names.formUnion(old.methods == new.methods ? [new.name] : family(of: new.name))
    }
    for (id, _) in changes.nodes where id.hasPrefix(Graph.id(ofClass: "")) {
      names.insert(String(id.dropFirst(Graph.id(ofClass: "").count)))
    }
    for name in names.sorted() {
      let id = Graph.id(ofClass: name)
      guard let row = layout.rowsById[id] else { continue }
      let table = graph.node(id) == nil ? nil : state.cls(name).map { self.table($0, in: state) }
      rows.put(table.map { .number(place(of: $0)) }, at: row, &packer)
    }
  }

  /// A class and those below it.
  private func family(of name: String) -> Set<String> {
    (subclasses[name] ?? []).reduce([name]) { $0.union(family(of: $1)) }
  }

  private mutating func place(of table: JSON) -> Int {
    if let place = places[table] { return place }
    places[table] = all.count
    all.append(table)
    return all.count - 1
  }

  /// Its own methods, then those that it inherits and does not replace.
  private func table(_ cls: ClassState, in state: WorldState) -> JSON {
    [
      "name": .text(cls.name.shown),
      "kind": .text(cls.isNotifying ? "notifying" : cls.isBuiltIn ? "built-in" : "class"),
      "superclass": .text(cls.superclass?.shown), "own": .number(cls.methods.count),
      "methods": .list(PageTables.methods(of: cls.name, in: state)),
    ]
  }

  /// The root's own methods are left out of other tables: they would hide what matters.
  private static func methods(of name: String, in state: WorldState) -> [JSON] {
    var known: Set<String> = []
    return state.lineage(of: name).enumerated().flatMap { index, cls in
      index > 0 && cls.superclass == nil
        ? [] : cls.methods.filter { known.insert($0.selector).inserted }
    }.map {
      [
        "selector": .text($0.selector.shown), "types": .text($0.types.shown),
        "implementation": .text($0.name.shown), "original": .text($0.original?.shown),
        "owner": .text($0.owner.shown),
      ]
    }
  }
}
