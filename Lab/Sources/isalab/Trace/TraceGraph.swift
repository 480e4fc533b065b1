import KVOTrace

/// What was there at an event, as a drawing: objects with their isas, classes, observers.
struct TraceGraph {
  let moment: TraceMoment
  let names: TraceNames
  /// How many objects are drawn at most.
  static let most = 40

  private var trace: Trace { names.trace }
  private var registrations: [TraceRegistration] { moment.registrations.filter { !$0.isForwarder } }

  func svg() -> String {
    let state = state
    var graph = Graph(nil, in: names.language, metaclasses: false)
    graph.follow(state)
    var title = names.say("trace.drawn", ["event": "#\(moment.event)"])
    let missing = moment.objects.count - state.objects.count
    if missing > 0 { title += names.say("trace.not-drawn", ["count": missing]) }
    // Those of objects that are not drawn, or have died, or were not seen.
    let silent = registrations.count - state.objects.map(\.registrations.count).reduce(0, +)
    if silent > 0 { title += names.say("trace.not-drawn-observers", ["count": silent]) }
    var svg = GraphSVG(layout: GraphLayout(graph), graph: graph, title: title)
    svg.language = names.language
    return svg.document()
  }

  /// The objects that matter most at the event: that which it is about, those that it observes or is
  /// observed by, then the others that are observed; in the order in which they were seen.
  private var drawn: [TraceMoment.Object] {
    let subject = trace.event(moment.event)?.object ?? 0
    let near = moment.registrations.filter { $0.object == subject || $0.observer == subject }
      .flatMap { [$0.object, $0.observer] }
    var ranks: [Int: Int] = [:]
    for (rank, address) in ([subject] + near + moment.registrations.map(\.object)).enumerated() {
      guard let object = trace.object(address, at: moment.event) else { continue }
      ranks[object.index] = min(rank, ranks[object.index] ?? rank)
    }
    let chosen = moment.objects.map(\.object.index)
      .sorted { (ranks[$0] ?? .max, $0) < (ranks[$1] ?? .max, $1) }.prefix(TraceGraph.most)
    let kept = Set(chosen)
    return moment.objects.filter { kept.contains($0.object.index) }
  }

  // MARK: The state that is drawn

  private var state: WorldState {
    var state = WorldState()
    let objects = drawn
    let seen = objects.map { names(of: $0) }
    for cls in seen.flatMap({ [$0.born, $0.claim, $0.isa] }) where state.classes[cls] == nil {
      state.classes.put(self.cls(cls))
    }
    let registrations = Dictionary(grouping: registrations) {
      trace.object($0.object, at: moment.event)?.index
    }
    for (object, cls) in zip(objects.map(\.object), seen) {
      let name = names.name(of: object)
      state.objects.put(
        ObjectState(
          name: name, symbol: "0x" + String(object.address, radix: 16), address: 0, isa: cls.isa,
          born: cls.born, claim: cls.claim, record: .side, retainCount: 0, isHeld: true, ivars: [],
          registrations: registrations[object.index, default: []].map { view($0, of: name) },
          pending: []))
    }
    return state
  }

  /// The class with which an object was made, that of its isa, and that which it says it is of.
  private func names(
    of object: TraceMoment.Object
  ) -> (born: String, claim: String, isa: String) {
    let born = trace.text(object.object.className)
    let isa = object.isa.map { trace.text($0) } ?? born
    return (born, TraceGraph.original(of: isa) ?? isa, isa)
  }

  /// The class that a notifying class is made for, as its name has it; nil of any other class.
  private static func original(of name: String) -> String? {
    let prefix = Symbols.notifyingPrefix
    return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : nil
  }

  private func cls(_ name: String) -> ClassState {
    let original = TraceGraph.original(of: name)
    return ClassState(
      name: name, superclass: original, address: 0, isNotifying: original != nil,
      original: original ?? name, isBuiltIn: false, instanceSize: 0, ivars: [], methods: [],
      ownPages: [],
      metaclass: MetaclassState(name: name, superclass: nil, methods: [], ownPages: []))
  }

  /// A function that observes is called by the line that has registered it.
  private func view(_ registration: TraceRegistration, of object: String) -> RegistrationView {
    let place = names.place(registration.origin)
    return RegistrationView(
      observer: registration.isFunction
        ? place ?? names.say("trace.a-function")
        : names.object(registration.observer, at: moment.event),
      object: object, key: trace.text(registration.keyPath), options: [], context: 0)
  }
}
