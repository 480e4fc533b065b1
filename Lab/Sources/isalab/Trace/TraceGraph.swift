import KVOTrace

/// What was there at an event, as a drawing: objects with their isas, classes, observers.
struct TraceGraph {
  let moment: TraceMoment
  let names: TraceNames
  /// How many objects are drawn at most.
  static let most = 40

  private var trace: Trace { names.trace }

  /// How many objects the drawing leaves out.
  var missing: Int { moment.objects.count - drawn.count }

  func svg() -> String {
    var graph = Graph(nil, in: names.language, metaclasses: false)
    graph.follow(state)
    var title = names.say("trace.drawn", ["event": "#\(moment.event)"])
    if missing > 0 { title += names.say("trace.not-drawn", ["count": missing]) }
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
    let registrations = Dictionary(
      grouping: moment.registrations.filter { !$0.isForwarder }
    ) { trace.object($0.object, at: moment.event)?.index ?? -1 }
    for (object, isa) in objects.map({ ($0.object, $0.isa) }) {
      let born = trace.text(object.className), name = names.name(of: object)
      let seen = isa.map { trace.text($0) } ?? born
      if state.classes[born] == nil { state.classes.put(cls(born, of: born)) }
      if state.classes[seen] == nil { state.classes.put(cls(seen, of: born)) }
      state.objects.put(
        ObjectState(
          name: name, symbol: "0x" + String(object.address, radix: 16), address: 0, isa: seen,
          born: born, claim: born, record: .side, retainCount: 0, isHeld: true, ivars: [],
          registrations: registrations[object.index, default: []].map { view($0, of: name) },
          pending: []))
    }
    return state
  }

  private func cls(_ name: String, of original: String) -> ClassState {
    let isNotifying = name != original
    return ClassState(
      name: name, superclass: isNotifying ? original : nil, address: 0, isNotifying: isNotifying,
      original: original, isBuiltIn: false, instanceSize: 0, ivars: [], methods: [], ownPages: [],
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
