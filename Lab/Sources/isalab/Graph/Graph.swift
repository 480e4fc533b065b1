/// The nodes and their arrows after one step: every drawing of a step is made from them.
struct Graph: Hashable, Sendable {
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

  var step: Int
  let language: Language
  private(set) var nodes: [Node] = []
  private(set) var edges: [Edge] = []
  /// The places of nodes and edges, by their ids.
  private var nodePlaces: [String: Int] = [:]
  private var edgePlaces: [String: Int] = [:]

  func node(_ id: String) -> Node? { nodePlaces[id].map { nodes[$0] } }
  func edge(_ id: String) -> Edge? { edgePlaces[id].map { edges[$0] } }

  func edges(_ kind: Edge.Kind) -> [Edge] { edges.filter { $0.kind == kind } }

  /// How all points after a step of a run; 0 is the start.
  init(_ run: Run, at step: Int, in language: Language = .english) {
    self.init(run, at: Moment(step: step), in: language)
  }

  /// The graphs of all moments, by steps, the start first.
  static func all(of run: Run, in language: Language = .english) -> [[Graph]] {
    (0...run.steps.count).map { step in
      run.states(ofStep: step).map { Graph($0, step, run.program?.symbols, language) }
    }
  }

  /// How all points at a moment of a run.
  init(_ run: Run, at moment: Moment, in language: Language = .english) {
    self.init(run.state(at: moment), moment.step, run.program?.symbols, language)
  }

  private init(_ state: WorldState, _ step: Int, _ symbols: Symbols?, _ language: Language) {
    self.language = language
    self.step = step
    let connections = Connections(state, symbols, language)
    for object in state.objects { add(object, state, language) }
    for cls in Graph.reached(in: state) { add(cls, state, language) }
    for object in state.objects { addObservers(of: object, state, connections, language) }
    for edge in connections.edges() { add(edge) }
    let known = Set(nodes.map(\.id))
    keep { known.contains($0.from) && known.contains($0.to) }
  }

  /// The part of the graph that has these nodes only.
  func restricted(to ids: Set<String>) -> Graph {
    var part = self
    part.nodes = nodes.filter { ids.contains($0.id) }
    part.nodePlaces = Graph.places(part.nodes.map(\.id))
    part.keep { ids.contains($0.from) && ids.contains($0.to) }
    return part
  }

  private mutating func keep(_ isKept: (Edge) -> Bool) {
    edges = edges.filter(isKept)
    edgePlaces = Graph.places(edges.map(\.id))
  }

  private static func places(_ ids: [String]) -> [String: Int] {
    Dictionary(zip(ids, ids.indices)) { first, _ in first }
  }

  private mutating func add(_ node: Node) {
    nodePlaces[node.id] = nodes.count
    nodes.append(node)
  }

  private mutating func add(_ edge: Edge) {
    if let index = edgePlaces[edge.id] { return edges[index] = edge }
    edgePlaces[edge.id] = edges.count
    edges.append(edge)
  }
}

// MARK: - Nodes and edges

extension Graph {
  static func id(ofClass name: String) -> String { "class \(name)" }
  static func id(ofMetaclass name: String) -> String { "metaclass \(name)" }

  /// The root class, what the scenario made, and the built-in classes that an object of it has.
  private static func reached(in state: WorldState) -> [ClassState] {
    var names = Set(state.objects.map(\.isa))
    names.formUnion(state.classes.filter { !$0.isBuiltIn }.map(\.name))
    if let root = state.classes.first(where: { $0.superclass == nil }) { names.insert(root.name) }
    let lineage = names.flatMap { state.lineage(of: $0) }.map(\.name)
    return state.classes.filter { names.contains($0.name) || lineage.contains($0.name) }
  }

  private mutating func add(
    _ object: ObjectState, _ state: WorldState, _ language: Language
  ) {
    let says = language.say("graph.says", ["class": object.claim])
    let note = object.claim == object.isa ? object.symbol : says
    add(
      Node(
        id: object.symbol, name: object.name.shown, note: note, role: .object,
        rows: Graph.rows(of: object, state.told[object.name], language)))
    add(
      Edge(
        kind: .isa, from: object.symbol, to: Graph.id(ofClass: object.isa),
        isSwapped: object.isa != object.born))
  }

  private mutating func add(
    _ cls: ClassState, _ state: WorldState, _ language: Language
  ) {
    let id = Graph.id(ofClass: cls.name)
    let meta = Graph.id(ofMetaclass: cls.name)
    let made = language.say("graph.made")
    let builtIn = language.say("graph.built-in")
    add(
      Node(
        id: id, name: cls.name.shown, note: cls.isNotifying ? made : cls.isBuiltIn ? builtIn : nil,
        role: cls.isNotifying ? .notifyingClass : .plainClass,
        rows: Graph.rows(of: cls, in: state, language)))
    add(
      Node(
        id: meta, name: cls.name.shown, note: language.say("graph.metaclass"),
        role: cls.isNotifying ? .notifyingMetaclass : .metaclass))
    add(Edge(kind: .isa, from: id, to: meta))
    guard let superclass = cls.superclass else {
      // The root metaclass's superclass is the root class.
      add(Edge(kind: .superclass, from: meta, to: id))
      return
    }
    add(Edge(kind: .superclass, from: id, to: Graph.id(ofClass: superclass)))
    add(Edge(kind: .superclass, from: meta, to: Graph.id(ofMetaclass: superclass)))
  }

  /// A forwarder of another object's registration is an edge between the two objects.
  private mutating func addObservers(
    of object: ObjectState, _ state: WorldState, _ connections: Connections,
    _ language: Language
  ) {
    for registration in object.registrations
    where connections.target(of: registration) == nil {
      let observer = connections.object(registration.observer)?.symbol
      let id = observer ?? "observer \(registration.observer)"
      if node(id) == nil {
        let note = language.say("graph.observer")
        let name = registration.observer.objectName(in: language).shown
        let rows = Graph.rows(of: state.told[registration.observer], id, language)
        add(Node(id: id, name: name, note: note, role: .observer, rows: rows))
      }
      add(registration, from: id, to: object.symbol)
    }
  }

  /// One edge stands for all that an observer observes of an object; what it was asked for itself
  /// comes before what only forwards.
  private mutating func add(_ registration: RegistrationView, from: String, to: String) {
    var edge = Edge(kind: .observes, from: from, to: to)
    let isForwarded = registration.root != nil
    if let known = self.edge(edge.id) { edge = known } else { edge.isForwarded = isForwarded }
    let key = registration.key.shown
    if edge.isForwarded, !isForwarded {
      edge.isForwarded = false
      edge.keys = [key]
    } else if edge.isForwarded == isForwarded, !edge.keys.contains(key) {
      edge.keys.append(key)
    }
    add(edge)
  }
}
