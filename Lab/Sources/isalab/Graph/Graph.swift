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
  }

  struct Edge: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable { case isa, superclass, observes }

    var kind: Kind
    var from: String
    var to: String
    /// Whether the isa is not the one with which the object was made.
    var isSwapped = false
    /// The keys observed.
    var keys: [String] = []
    /// Whether the observation only serves one of another object or of another key.
    var isForwarded = false

    /// The same at each step of a run; an isa keeps it when it moves.
    var id: String { kind == .observes ? "observes \(from) \(to)" : "\(kind.rawValue) \(from)" }
    var label: String { keys.joined(separator: ", ") }
  }

  var step: Int
  var nodes: [Node] = []
  var edges: [Edge] = []

  func node(_ id: String) -> Node? { nodes.first { $0.id == id } }

  func edges(_ kind: Edge.Kind) -> [Edge] { edges.filter { $0.kind == kind } }

  /// How all points after a step of a run; 0 is the start.
  init(_ run: Run, at step: Int, in language: Language = .english) {
    self.step = step
    let state = run.state(at: step)
    let births = Graph.births(run, to: step)
    for object in state.objects { add(object, born: births[object.symbol], language) }
    for cls in Graph.reached(in: state) { add(cls, language) }
    for object in state.objects { addObservers(of: object, in: state, language) }
    let known = Set(nodes.map(\.id))
    edges = edges.filter { known.contains($0.from) && known.contains($0.to) }
  }
}

// MARK: - Nodes and edges

extension Graph {
  static func id(ofClass name: String) -> String { "class \(name)" }
  static func id(ofMetaclass name: String) -> String { "metaclass \(name)" }

  /// The class with which each object was made, by the object's symbol.
  private static func births(_ run: Run, to step: Int) -> [String: String] {
    var births: [String: String] = [:]
    for number in 0...step {
      for object in run.state(at: number).objects where births[object.symbol] == nil {
        births[object.symbol] = object.isa
      }
    }
    return births
  }

  /// The root class, what the scenario made, and the built-in classes that an object of it has.
  private static func reached(in state: WorldState) -> [ClassState] {
    var names = Set(state.objects.map(\.isa))
    names.formUnion(state.classes.filter { !$0.isBuiltIn }.map(\.name))
    if let root = state.classes.first(where: { $0.superclass == nil }) { names.insert(root.name) }
    let lineage = names.flatMap { state.lineage(of: $0) }.map(\.name)
    return state.classes.filter { names.contains($0.name) || lineage.contains($0.name) }
  }

  private mutating func add(_ object: ObjectState, born: String?, _ language: Language) {
    let says = Text("says \(object.claim)", "自称 \(object.claim)")[language]
    let note = object.claim == object.isa ? object.symbol : says
    nodes.append(Node(id: object.symbol, name: object.name.shown, note: note, role: .object))
    edges.append(
      Edge(
        kind: .isa, from: object.symbol, to: Graph.id(ofClass: object.isa),
        isSwapped: object.isa != born))
  }

  private mutating func add(_ cls: ClassState, _ language: Language) {
    let id = Graph.id(ofClass: cls.name)
    let meta = Graph.id(ofMetaclass: cls.name)
    let made = Text("made at run time", "运行时生成")[language]
    let builtIn = Text("built in", "内建")[language]
    nodes.append(
      Node(
        id: id, name: cls.name.shown, note: cls.isNotifying ? made : cls.isBuiltIn ? builtIn : nil,
        role: cls.isNotifying ? .notifyingClass : .plainClass))
    nodes.append(
      Node(
        id: meta, name: cls.name.shown, note: Text("metaclass", "元类")[language],
        role: cls.isNotifying ? .notifyingMetaclass : .metaclass))
    edges.append(Edge(kind: .isa, from: id, to: meta))
    guard let superclass = cls.superclass else {
      // The root metaclass's superclass is the root class.
      edges.append(Edge(kind: .superclass, from: meta, to: id))
      return
    }
    edges.append(Edge(kind: .superclass, from: id, to: Graph.id(ofClass: superclass)))
    edges.append(Edge(kind: .superclass, from: meta, to: Graph.id(ofMetaclass: superclass)))
  }

  private mutating func addObservers(
    of object: ObjectState, in state: WorldState, _ language: Language
  ) {
    for registration in object.registrations {
      let observer = state.objects.last { $0.name == registration.observer }?.symbol
      let id = observer ?? "observer \(registration.observer)"
      if node(id) == nil {
        let note = Text("observer", "观察者")[language]
        nodes.append(Node(id: id, name: registration.observer.shown, note: note, role: .observer))
      }
      add(registration, from: id, to: object.symbol)
    }
  }

  /// One edge stands for all that an observer observes of an object; what it was asked for itself
  /// comes before what only forwards.
  private mutating func add(_ registration: RegistrationView, from: String, to: String) {
    var edge = Edge(kind: .observes, from: from, to: to)
    let isForwarded = registration.root != nil
    let index = edges.firstIndex { $0.id == edge.id }
    if let index { edge = edges[index] } else { edge.isForwarded = isForwarded }
    let key = registration.key.shown
    if edge.isForwarded, !isForwarded {
      edge.isForwarded = false
      edge.keys = [key]
    } else if edge.isForwarded == isForwarded, !edge.keys.contains(key) {
      edge.keys.append(key)
    }
    if let index { edges[index] = edge } else { edges.append(edge) }
  }
}
