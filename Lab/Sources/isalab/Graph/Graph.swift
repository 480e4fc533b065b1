/// The nodes and their arrows at one moment: every drawing of a moment is made from them. It follows a
/// run from moment to moment: only what changes is made anew.
struct Graph: Sendable {
  /// The kind of thing that a node stands for, and thereby its column.
  enum Role: String, Hashable, Sendable {
    /// A function that observes.
    case observer
    case object
    case plainClass = "class"
    /// A class that the runtime made because an object was observed.
    case notifyingClass = "notifying"
    case metaclass
    case notifyingMetaclass = "notifying-metaclass"

    var isClass: Bool { self == .plainClass || self == .notifyingClass }
    var isMetaclass: Bool { self == .metaclass || self == .notifyingMetaclass }
  }

  struct Node: Hashable, Sendable {
    /// The same at each step of a run.
    var id: String
    var name: String
    /// The note below the name.
    var note: String?
    var role: Role
    var rows: [Row] = []
  }

  struct Edge: Hashable, Sendable {
    enum Kind: String, CaseIterable, Hashable, Sendable {
      case isa, superclass, observes
      /// An object has another one as the value of a key.
      case refers
      /// A forwarder hears of a key of one object and passes it on to a key path of another.
      case forwards
      /// Keys of an object on which another key of it depends.
      case depends
    }

    var kind: Kind
    var from: String
    var to: String
    /// Whether the isa is not the one with which the object was made.
    var isSwapped = false
    /// The keys observed, referred through, forwarded or depended on.
    var keys: [String] = []
    /// The key that depends on the others.
    var dependent: String?
    /// Whether the observation only serves one of another object or of another key.
    var isForwarded = false

    /// The same at each step of a run; an isa keeps it when it moves.
    var id: String {
      switch kind {
      case .isa, .superclass: "\(kind) \(from)"
      case .observes, .refers, .forwards: "\(kind) \(from) \(to)"
      case .depends: "depends \(from) \(dependent ?? "")"
      }
    }
    var label: String {
      keys.joined(separator: ", ") + (dependent.map { " → \($0)" } ?? "")
    }
    /// Whether it has a word on it.
    var isLabelled: Bool { kind != .isa && kind != .superclass }
    /// Whether its end moves while the run goes on: an object's isa does.
    var moves: Bool { kind == .isa && !from.hasPrefix("class ") }
  }

  /// The parts that a moment has other than the moment before, nil for those that are gone, in the order
  /// of a drawing.
  struct Changes {
    var nodes: [(id: String, now: Node?)] = []
    var edges: [(id: String, now: Edge?)] = []
  }

  /// The ids of what is there because of one object or class.
  private struct Share {
    /// Where its isa goes, or the class's superclass.
    var above: String?
    var isas: [String] = []
    var observations: [String] = []
    var connections: [String] = []
    /// The functions that observe the object.
    var observers: [String] = []
  }

  let language: Language
  /// Whether each class has its metaclass beside it.
  let hasMetaclasses: Bool
  private(set) var connections: Connections
  private var nodesById: [String: Node] = [:]
  /// An edge is drawn while both its ends are there.
  private var edgesById: [String: Edge] = [:]
  /// The edges at each node.
  private var incident: [String: Set<String>] = [:]
  /// By the ids of objects and classes.
  private var shares: [String: Share] = [:]
  /// How many objects each function observes.
  private var watched: [String: Int] = [:]
  /// How many objects and subclasses need a class by its name, and whether the scenario made it.
  private var needs: [String: Int] = [:]
  /// The classes that the runtime made for the objects of each class.
  private var notifying: [String: Set<String>] = [:]
  /// The classes that may have come, changed or gone.
  private var stale: Set<String> = []
  private var touched = (nodes: OrderedIds(), edges: OrderedIds())

  private var state: WorldState { connections.state }

  init(_ symbols: Symbols?, in language: Language, metaclasses: Bool = true) {
    self.language = language
    hasMetaclasses = metaclasses
    connections = Connections(symbols, language)
  }

  /// How all points after a step of a run; 0 is the start.
  init(_ run: Run, at step: Int, in language: Language = .english) {
    self.init(run, at: Moment(step: step), in: language)
  }

  /// How all points at a moment of a run.
  init(_ run: Run, at moment: Moment, in language: Language = .english) {
    self.init(run.program?.symbols, in: language)
    follow(run.state(at: moment))
  }

  func node(_ id: String) -> Node? { nodesById[id] }

  func edge(_ id: String) -> Edge? {
    edgesById[id].flatMap { nodesById[$0.from] != nil && nodesById[$0.to] != nil ? $0 : nil }
  }

  /// Objects, classes each with its metaclass, functions.
  var nodes: [Node] {
    var ids = OrderedIds()
    for object in state.objects { ids.insert(object.symbol) }
    for cls in state.classes {
      ids.insert(Graph.id(ofClass: cls.name))
      ids.insert(Graph.id(ofMetaclass: cls.name))
    }
    for object in state.objects { shares[object.symbol]?.observers.forEach { ids.insert($0) } }
    return ids.list.compactMap(node)
  }

  /// The isas of objects, the edges of classes, who observes whom, and how objects are connected.
  var edges: [Edge] {
    let objects = state.objects.compactMap { shares[$0.symbol] }
    let classes = state.classes.compactMap { shares[Graph.id(ofClass: $0.name)] }
    return
      ((objects + classes).flatMap(\.isas) + objects.flatMap(\.observations)
      + objects.flatMap(\.connections)).compactMap(edge)
  }

  func edges(_ kind: Edge.Kind) -> [Edge] { edges.filter { $0.kind == kind } }

  /// The edges that are there because of an object or a class.
  func edges(of id: String) -> [Edge] {
    let share = shares[id] ?? Share()
    return (share.isas + share.observations + share.connections).compactMap(edge)
  }
}

/// Ids in the order in which they came, each once.
struct OrderedIds {
  private(set) var list: [String] = []
  private var known: Set<String> = []

  mutating func insert(_ id: String) { if known.insert(id).inserted { list.append(id) } }
}

// MARK: - From moment to moment

extension Graph {
  static func id(ofClass name: String) -> String { "class \(name)" }
  static func id(ofMetaclass name: String) -> String { "metaclass \(name)" }
  private static func id(ofFunction name: String) -> String { "observer \(name)" }

  /// Goes on to how all stands at another moment.
  ///
  /// - Complexity: O(*n*) in the number of objects and classes that are other than before, of what names
  ///   an object that came or went, and of the edges at what came or went.
  @discardableResult
  mutating func follow(_ new: WorldState) -> Changes {
    let classes = new.classes.differences(from: state.classes)
    let told = new.told.differences(from: state.told).changed.map(\.new.name)
    let (objects, dead) = connections.follow(new, told: told)
    for object in dead { remove(object) }
    for object in objects { put(object) }
    follow(classes)
    for object in objects { putObservers(of: object) }
    for object in objects {
      replace(\.connections, of: object.symbol, by: connections.edges(of: object))
    }
    for name in told where watched[Graph.id(ofFunction: name), default: 0] > 0 {
      put(function(name))
    }
    defer { touched = (OrderedIds(), OrderedIds()) }
    return Changes(
      nodes: touched.nodes.list.map { ($0, node($0)) },
      edges: touched.edges.list.map { (id: $0, now: edge($0)) }
        .sorted { $0.now?.rank ?? 0 < $1.now?.rank ?? 0 })
  }

  // MARK: Parts

  private mutating func put(_ node: Node) {
    let old = nodesById.updateValue(node, forKey: node.id)
    if old != node { touched.nodes.insert(node.id) }
    if old == nil { touchEdges(at: node.id) }
  }

  private mutating func removeNode(_ id: String) {
    guard nodesById.removeValue(forKey: id) != nil else { return }
    touched.nodes.insert(id)
    touchEdges(at: id)
  }

  private mutating func touchEdges(at id: String) {
    for edge in (incident[id] ?? []).sorted() { touched.edges.insert(edge) }
  }

  private mutating func replace(
    _ part: WritableKeyPath<Share, [String]>, of owner: String, by edges: [Edge]
  ) {
    let ids = edges.map(\.id)
    let old = shares[owner, default: Share()][keyPath: part]
    for id in Set(old).subtracting(ids).sorted() { put(nil, at: id) }
    for edge in edges { put(edge, at: edge.id) }
    shares[owner, default: Share()][keyPath: part] = ids
  }

  private mutating func put(_ edge: Edge?, at id: String) {
    let old = edgesById[id]
    if old == edge { return }
    for end in [old?.from, old?.to].compactMap(\.self) { incident[end]?.remove(id) }
    for end in [edge?.from, edge?.to].compactMap(\.self) { incident[end, default: []].insert(id) }
    edgesById[id] = edge
    touched.edges.insert(id)
  }

  // MARK: Objects

  private mutating func put(_ object: ObjectState) {
    let says = language.say("graph.says", ["class": object.claim.shown])
    put(
      Node(
        id: object.symbol, name: object.name.shown,
        note: object.claim == object.isa ? object.symbol : says, role: .object,
        rows: Graph.rows(of: object, state.told[object.name], language)))
    let isa = Edge(
      kind: .isa, from: object.symbol, to: Graph.id(ofClass: object.isa),
      isSwapped: object.isa != object.born)
    replace(\.isas, of: object.symbol, by: [isa])
    need(object.isa, by: object.symbol)
  }

  private mutating func remove(_ object: ObjectState) {
    for part in [\Share.isas, \.observations, \.connections] {
      replace(part, of: object.symbol, by: [])
    }
    watch([], by: object.symbol)
    need(nil, by: object.symbol)
    shares[object.symbol] = nil
    removeNode(object.symbol)
  }

  // MARK: Classes

  /// The root class is drawn, what the scenario made, and the built-in classes that an object of it has,
  /// with those above them.
  private mutating func follow(_ changes: NamedList<ClassState>.Differences) {
    for cls in changes.came where cls.isNeeded { count(cls.name, 1) }
    for cls in changes.gone where cls.isNeeded { count(cls.name, -1) }
    for cls in changes.came where cls.isNotifying {
      notifying[cls.original, default: []].insert(cls.name)
    }
    for cls in changes.gone + changes.changed.map(\.new) {
      stale.formUnion([cls.name] + (notifying[cls.name] ?? []))
    }
    var shown: Set<String> = []
    while let name = stale.popFirst() {
      if let cls = state.cls(name), needs[name, default: 0] > 0 {
        shown.insert(name)
        need(cls.superclass, by: Graph.id(ofClass: name))
      } else {
        removeClass(name)
      }
    }
    for cls in state.classes.named(shown) { put(cls) }
  }

  /// Notes the class that an object or a class needs, in the place of another one.
  private mutating func need(_ name: String?, by owner: String) {
    let old = shares[owner, default: Share()].above
    shares[owner, default: Share()].above = name
    guard old != name else { return }
    if let name { count(name, 1) }
    if let old { count(old, -1) }
  }

  private mutating func count(_ name: String, _ difference: Int) {
    let old = needs[name, default: 0]
    needs[name] = old + difference
    if old == 0 || old + difference == 0 { stale.insert(name) }
  }

  private mutating func put(_ cls: ClassState) {
    let id = Graph.id(ofClass: cls.name), meta = Graph.id(ofMetaclass: cls.name)
    let note = cls.isNotifying ? "graph.made" : cls.isBuiltIn ? "graph.built-in" : nil
    put(
      Node(
        id: id, name: cls.name.shown, note: note.map { language.say($0) },
        role: cls.isNotifying ? .notifyingClass : .plainClass,
        rows: Graph.rows(of: cls, in: state, language)))
    if hasMetaclasses {
      put(
        Node(
          id: meta, name: cls.name.shown, note: language.say("graph.metaclass"),
          role: cls.isNotifying ? .notifyingMetaclass : .metaclass))
    }
    // The root metaclass's superclass is the root class.
    let above = cls.superclass.map { name in
      [
        Edge(kind: .superclass, from: id, to: Graph.id(ofClass: name)),
        Edge(kind: .superclass, from: meta, to: Graph.id(ofMetaclass: name)),
      ]
    }
    replace(
      \.isas, of: id,
      by: [Edge(kind: .isa, from: id, to: meta)]
        + (above ?? [Edge(kind: .superclass, from: meta, to: id)]))
  }

  private mutating func removeClass(_ name: String) {
    let id = Graph.id(ofClass: name)
    guard shares[id] != nil else { return }
    replace(\.isas, of: id, by: [])
    need(nil, by: id)
    shares[id] = nil
    removeNode(id)
    removeNode(Graph.id(ofMetaclass: name))
  }

  // MARK: Observers

  /// A forwarder of another object's registration is an edge between the two objects.
  private mutating func putObservers(of object: ObjectState) {
    var edges = OrderedEdges(), functions = OrderedIds()
    for registration in object.registrations where connections.target(of: registration) == nil {
      let observer = connections.object(registration.observer)?.symbol
      let id = observer ?? Graph.id(ofFunction: registration.observer)
      if observer == nil { functions.insert(registration.observer) }
      edges.add(registration, from: id, to: object.symbol)
    }
    watch(functions.list, by: object.symbol)
    replace(\.observations, of: object.symbol, by: edges.list)
  }

  private mutating func watch(_ functions: [String], by symbol: String) {
    let ids = functions.map(Graph.id(ofFunction:))
    let old = shares[symbol, default: Share()].observers
    shares[symbol, default: Share()].observers = ids
    for (name, id) in zip(functions, ids) {
      watched[id, default: 0] += 1
      if nodesById[id] == nil { put(function(name)) }
    }
    for id in old {
      watched[id, default: 0] -= 1
      if watched[id] == 0 { removeNode(id) }
    }
  }

  private func function(_ name: String) -> Node {
    let id = Graph.id(ofFunction: name)
    return Node(
      id: id, name: name.objectName(in: language).shown, note: language.say("graph.observer"),
      role: .observer, rows: Graph.rows(of: state.told[name], id, language))
  }
}

extension Graph.Edge {
  /// Its place among the edges that come at one moment.
  fileprivate var rank: Int {
    switch kind {
    case .isa: moves ? 0 : 1
    case .superclass: 1
    case .observes: 2
    case .refers, .forwards, .depends: 3
    }
  }
}

extension ClassState {
  fileprivate var isNeeded: Bool { !isBuiltIn || superclass == nil }
}

/// Edges in the order in which they came, one for all that an observer observes of an object.
private struct OrderedEdges {
  private(set) var list: [Graph.Edge] = []
  private var places: [String: Int] = [:]

  /// What an observer was asked for itself comes before what only forwards.
  mutating func add(_ registration: RegistrationView, from: String, to: String) {
    let isForwarded = registration.root != nil, key = registration.key.shown
    var edge = Graph.Edge(kind: .observes, from: from, to: to)
    edge.isForwarded = isForwarded
    let place = places[edge.id] ?? list.count
    if place == list.count {
      places[edge.id] = place
      list.append(edge)
    }
    if list[place].isForwarded, !isForwarded {
      list[place].isForwarded = false
      list[place].keys = [key]
    } else if list[place].isForwarded == isForwarded, !list[place].keys.contains(key) {
      list[place].keys.append(key)
    }
  }
}
