/// Makes the stations of one step.
struct LaneBuilder {
  private(set) var stations: [Lane.Station] = []
  private let step: Step
  private let language: Language
  private let children: [UInt64: [Event]]
  private let deliveries: [UInt64: Delivery]
  /// Before the step.
  private let connections: Connections
  private var before: WorldState { connections.state }

  init(_ step: Step, _ connections: Connections, _ language: Language) {
    self.step = step
    self.language = language
    self.connections = connections
    deliveries = Dictionary(step.deliveries.map { ($0.event, $0) }) { first, _ in first }
    // An event whose cause is of another step has none here.
    let known = Set(step.events.map(\.id))
    children = Dictionary(grouping: step.events) { known.contains($0.cause) ? $0.cause : 0 }
  }

  mutating func addAll() { addCourse(of: 0, 0, by: Text("lane.scenario")) }

  /// The events that one caused.
  private mutating func addCourse(of cause: UInt64, _ depth: Int, by sender: Text) {
    for event in children[cause] ?? [] { add(event, depth, by: sender) }
  }

  private mutating func add(_ event: Event, _ depth: Int, by sender: Text) {
    let object = event.object ?? "nil"
    let place = "\(object).\(event.name ?? "")"
    switch event.kind {
    case .message: addMessage(event, depth, by: sender)
    case .wrapperEntered:
      add(
        .wrapper, event, depth, event.wrapper ?? event.selector ?? "", wrapperText(event),
        parts: parts(event.object, event.className))
      addCourse(of: event.id, depth, by: sender)
    case .willChange:
      add(.will, event, depth, "will", Text("lane.will", ["place": place]))
      addCourse(of: event.id, depth, by: sender)
    case .didChange:
      add(.did, event, depth, "did", Text("lane.did", ["place": place]))
      addCourse(of: event.id, depth, by: sender)
    case .valueRead: addReading(event, depth, place)
    case .originalCalled:
      let name = event.original ?? event.selector ?? ""
      add(
        .original, event, depth, "original",
        Text("lane.original", ["method": name]),
        parts: parts(event.object, name.methodOwner))
      addCourse(of: event.id, depth, by: sender)
    case .ivarWritten:
      let ivar = event.name ?? ""
      add(
        .ivar, event, depth, ivar, Text("lane.written", ["object": object, "ivar": ivar]),
        event.value, parts: ivarParts(event))
    case .notification: addNotification(event, depth, place)
    case .dependentReached:
      add(
        .dependent, event, depth + 1, event.name ?? "",
        Text("lane.dependent", ["place": place]),
        parts: dependencyParts(event))
      addCourse(of: event.id, depth + 1, by: sender)
    case .wrapperLeft:
      add(.back, event, depth, "return", Text("lane.return"))
    case .originalReturned: break
    default:
      let text = Text(event.text)
      add(.act, event, depth, event.kind.name, text)
      addCourse(of: event.id, depth, by: sender)
    }
  }

  private mutating func add(
    _ kind: Lane.Station.Kind, _ event: Event, _ depth: Int, _ title: String, _ text: Text,
    _ value: Value? = nil, parts: [String] = []
  ) {
    let object = event.object.flatMap { state(of: $0)?.symbol }
    stations.append(
      Lane.Station(
        kind: kind, event: event.id, depth: depth, title: title, text: text[language],
        value: value.map { "\($0)" }, parts: parts.isEmpty ? [object].compactMap(\.self) : parts))
  }

  /// An object as it was before the step, or is afterwards if it came with it.
  private func state(of object: String) -> ObjectState? {
    before.object(object) ?? step.state.object(object)
  }

  // MARK: Messages

  private mutating func addMessage(_ event: Event, _ depth: Int, by sender: Text) {
    let selector = event.selector ?? "", object = event.object ?? "nil"
    let course = children[event.id] ?? []
    let isWrapped = course.contains { $0.kind == .wrapperEntered }
    add(
      .sender, event, depth, sender[language],
      Text("lane.sends", ["sender": sender, "selector": selector]))
    add(.object, event, depth, object, Text("lane.receiver", ["object": object]))
    if let lookup = lookup(of: selector, to: object, isWrapped: isWrapped) {
      addLookup(lookup, event, depth, isWrapped: isWrapped)
    }
    addCourse(of: event.id, depth, by: sender)
    if !isWrapped { add(.back, event, depth, "return", Text("lane.return")) }
  }

  /// The tables are those before the step, unless the isa has been swapped in its course.
  private func lookup(of selector: String, to object: String, isWrapped: Bool) -> Lookup? {
    let ways = [before, step.state].compactMap { Lookup(of: selector, to: object, in: $0) }
    return ways.first { ($0.found?.kind ?? .method != .method) == isWrapped } ?? ways.first
  }

  private mutating func addLookup(
    _ lookup: Lookup, _ event: Event, _ depth: Int, isWrapped: Bool
  ) {
    let object = lookup.receiver, isa = lookup.isa
    let symbol = lookup.object?.symbol
    add(
      .isa, event, depth, isa, Text("lane.isa", ["object": object, "isa": isa]),
      parts: [symbol.map { "isa \($0)" }, Graph.id(ofClass: isa)].compactMap(\.self))
    guard let found = lookup.found else { return }
    let owner = found.kind == .method ? found.owner : isa
    add(
      .slot, event, depth, lookup.selector,
      Text("lane.slot", ["selector": lookup.selector, "method": found.name, "class": owner]),
      parts: [
        Graph.id(ofClass: isa), Graph.id(ofClass: owner),
        Graph.id(ofSlot: lookup.selector, in: owner),
      ])
    guard !isWrapped else { return }
    add(
      .method, event, depth, found.name,
      Text("lane.method", ["method": found.name]),
      parts: [Graph.id(ofClass: found.owner)])
  }

  private func wrapperText(_ event: Event) -> Text {
    let name = event.wrapper ?? event.selector ?? ""
    return event.isClosure
      ? Text("lane.trampoline", ["wrapper": name])
      : Text("lane.thunk", ["wrapper": name])
  }

  // MARK: Values and observers

  private mutating func addReading(_ event: Event, _ depth: Int, _ place: String) {
    let count = event.count
    let whom =
      count == 1 ? Text("lane.one-observer") : Text("lane.observers", ["count": count])
    let which = event.isOld ? Text("lane.old") : Text("lane.new")
    add(
      event.isOld ? .old : .new, event, depth, which[language],
      Text("lane.read", ["which": which, "place": place, "whom": whom]),
      event.value)
  }

  private mutating func addNotification(_ event: Event, _ depth: Int, _ place: String) {
    let observer = event.observer ?? ""
    guard !event.isForwarder else {
      add(
        .forwarder, event, depth, language.say("lane.forwarder"),
        Text("lane.forwarded", ["place": place]),
        parts: forwarderParts(event))
      return addCourse(of: event.id, depth + 1, by: Text("lane.a-forwarder"))
    }
    let delivery = deliveries[event.id]
    let kind: Lane.Station.Kind = event.phase == .prior ? .prior : .observer
    let name = Text(observer.objectName)
    let told =
      event.phase == .prior
      ? Text("lane.prior", ["observer": name])
      : Text("lane.told", ["observer": name, "place": place])
    add(kind, event, depth, name[language], told)
    let last = stations.count - 1
    stations[last].value = delivery.flatMap(values)
    stations[last].parts = parts(ofObserver: observer, event)
    addCourse(of: event.id, depth + 1, by: name)
  }

  /// `0 → 36, context 7`
  private func values(_ delivery: Delivery) -> String? {
    let values = [delivery.old, delivery.new].compactMap { $0 }.map { "\($0.value)" }
    let context =
      delivery.context == 0
      ? []
      : [language.say("lane.context", ["value": delivery.context])]
    let parts = (values.isEmpty ? [] : [values.joined(separator: " → ")]) + context
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  // MARK: Parts of the drawing

  private func parts(_ object: String?, _ className: String?) -> [String] {
    [object.flatMap { state(of: $0)?.symbol }, className.map(Graph.id(ofClass:))]
      .compactMap(\.self)
  }

  /// The object, and the ivar in it.
  private func ivarParts(_ event: Event) -> [String] {
    guard let symbol = event.object.flatMap(state(of:))?.symbol else { return [] }
    return [symbol, Graph.id(ofIvar: event.name ?? "", of: symbol)]
  }

  /// The object, and the edge between its keys if it is one of its own.
  private func dependencyParts(_ event: Event) -> [String] {
    guard let object = event.object.flatMap({ state(of: $0)?.symbol }) else { return [] }
    return [object, "depends \(object) \(event.name ?? "")"]
  }

  /// The object on which the forwarder is, the one that it serves, and the edge between them.
  private func forwarderParts(_ event: Event) -> [String] {
    guard let object = event.object.flatMap(state(of:)) else { return [] }
    let targets = object.registrations.filter { $0.key == event.name }
      .compactMap { connections.target(of: $0)?.object.symbol }
    return [object.symbol] + targets.flatMap { [$0, "forwards \(object.symbol) \($0)"] }
  }

  private func parts(ofObserver observer: String, _ event: Event) -> [String] {
    let id = state(of: observer)?.symbol ?? "observer \(observer)"
    let object = event.object.flatMap { state(of: $0)?.symbol }
    return [id] + (object.map { ["observes \(id) \($0)"] } ?? [])
  }
}

extension String {
  /// `Person` of `-[Person setAge:]`.
  fileprivate var methodOwner: String? {
    hasPrefix("-[") ? String(dropFirst(2).prefix { $0 != " " }) : nil
  }
}
