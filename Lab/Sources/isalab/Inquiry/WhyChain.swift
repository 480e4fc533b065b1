/// Why an observer was told: the links from a notification back to the line that brought it about.
struct WhyChain: Hashable, Sendable {
  /// A line of the scenario.
  struct Origin: Hashable, Sendable {
    var step: Int
    var line: Int
    var text: String
  }

  /// The code that announced a change.
  enum Announcer: Hashable, Sendable {
    /// A wrapper around a method: `thunk[setAge:]` around `-[Person setAge:]`.
    case wrapper(String, original: String)
    /// Will and did, written out.
    case hand
    /// Key-value coding, around its write into the ivar, or a mutable proxy.
    case coding
  }

  enum Link: Hashable, Sendable {
    /// The observer that asked to be told, and the object.
    case registration(observer: String, target: String, Origin?)
    /// Told while it registered.
    case initial
    /// Told between will and the change.
    case prior
    /// The key is computed from another, by way of those between.
    case dependency(target: String, route: [String])
    /// The registration's path leads through this object, on which a link of it listens.
    case forwarder(target: String, root: String, Origin?)
    /// The first key of the path leads to another object than before.
    case intermediate(target: String, path: String)
    case announcement(target: String, Announcer, event: UInt64)
    case message(selector: String, object: String, event: UInt64)
    /// An observer did it in its own callback.
    case callback(observer: String, text: String, heard: String, event: UInt64)
    case statement(Origin)
  }

  var notification: Event
  var step: Int
  /// The notification of the observer; a forwarder's is not recorded.
  var delivery: Delivery?
  /// The notification's own first, the scenario's line last.
  var links: [Link]

  /// - Returns: Nil if no such notification was recorded.
  init?(ofEvent id: UInt64, in run: Run) {
    guard
      let step = run.steps.first(where: { $0.events.contains { $0.id == id } }),
      let event = step.events.first(where: { $0.id == id }), event.kind == .notification
    else { return nil }
    notification = event
    self.step = step.number
    delivery = step.deliveries.first { $0.event == id }
    var tracer = WhyTracer(run: run, step: step, event)
    links = tracer.trace()
  }

  /// The notifications that observers of the scenario heard in one step, in that order.
  static func all(inStep step: Step, of run: Run) -> [WhyChain] {
    step.events.filter { $0.kind == .notification && !$0.isForwarder }
      .compactMap { WhyChain(ofEvent: $0.id, in: run) }
  }
}

extension WhyChain.Origin {
  init(_ step: Step) { self.init(step: step.number, line: step.location.line, text: step.text) }
}

/// Walks from a notification to its causes.
private struct WhyTracer {
  let run: Run
  let step: Step
  private let first: Event
  /// The object that the present link is about.
  private var object: String
  private var key: String
  private var links: [WhyChain.Link] = []
  /// The acts of observers in callbacks on the way, the outermost first.
  private var reactions: [(observer: String, text: String)]

  init(run: Run, step: Step, _ event: Event) {
    self.run = run
    self.step = step
    first = event
    object = event.object ?? "nil"
    key = event.name ?? ""
    reactions = WhyTracer.reactions(around: event.id, in: step.facts) ?? []
  }

  private var target: String { "\(object).\(key)" }

  mutating func trace() -> [WhyChain.Link] {
    hear(first)
    var ancestors = self.ancestors[...]
    while let event = ancestors.popFirst() {
      switch event.kind {
      case .notification where event.isForwarder: forward(event)
      case .notification:
        let reaction = reactions.popLast()
        links.append(
          .callback(
            observer: event.observer ?? "", text: reaction?.text ?? "",
            heard: "\(event.object ?? "nil").\(event.name ?? "")", event: event.id))
        (object, key) = (event.object ?? "nil", event.name ?? "")
        hear(event)
      case .willChange, .didChange:
        relate(to: event)
        let wrapper = ancestors.first { $0.kind != .willChange && $0.kind != .didChange }
        links.append(
          .announcement(target: target, announcer(event, wrapper), event: event.id))
      case .message:
        links.append(
          .message(
            selector: event.selector ?? "", object: event.object ?? "nil", event: event.id))
      default: break
      }
    }
    return links + [.statement(WhyChain.Origin(step))]
  }

  /// The events in whose course the first one happened, the nearest first.
  private var ancestors: [Event] {
    var list: [Event] = []
    var cause = first.cause
    while cause != 0, let event = step.events.first(where: { $0.id == cause }) {
      list.append(event)
      cause = event.cause
    }
    return list
  }

  private mutating func hear(_ event: Event) {
    if !event.isForwarder {
      let origin = self.origin(of: event)
      links.append(
        .registration(observer: event.observer ?? "", target: target, origin))
    }
    switch event.phase {
    case .initial: links.append(.initial)
    case .prior: links.append(.prior)
    case .change: break
    }
  }

  /// The registration that led to a notification: the latest on the same object, key and observer.
  private func origin(of event: Event) -> WhyChain.Origin? {
    for step in run.steps.prefix(self.step.number).reversed() {
      let isThere = step.events.contains {
        $0.kind == .observerAdded && $0.observer == event.observer && $0.object == event.object
          && $0.name == event.name && $0.isForwarder == event.isForwarder && $0.id < event.id
      }
      if isThere { return WhyChain.Origin(step) }
    }
    return nil
  }

  /// From a registration to the link of its path, or of its key's, that listens elsewhere.
  private mutating func forward(_ event: Event) {
    let root = target
    if !key.hasSuffix("." + (event.name ?? "")), let route = dependency(endingIn: event.name ?? "")
    {
      links.append(.dependency(target: target, route: route))
    }
    (object, key) = (event.object ?? "nil", event.name ?? "")
    links.append(.forwarder(target: target, root: root, forwarderOrigin(root)))
  }

  /// The line since which a forwarder for the root has stood here without a break.
  private func forwarderOrigin(_ root: String) -> WhyChain.Origin? {
    var since: WhyChain.Origin?
    for step in run.steps.prefix(self.step.number).reversed() {
      let stands = step.state.object(object)?.registrations.contains {
        $0.root == root && $0.key == key
      }
      if stands != true { return since }
      since = WhyChain.Origin(step)
    }
    return since
  }

  /// Goes from the observed key to the one whose change was announced.
  private mutating func relate(to event: Event) {
    let changed = event.name ?? ""
    guard event.object == object, changed != key else {
      object = event.object ?? "nil"
      key = changed
      return
    }
    if key.hasPrefix(changed + ".") {
      links.append(.intermediate(target: "\(object).\(changed)", path: target))
    } else if let route = route(from: key, to: changed) {
      links.append(.dependency(target: target, route: route))
      if let path = route.last, path.hasPrefix(changed + ".") {
        links.append(.intermediate(target: "\(object).\(changed)", path: "\(object).\(path)"))
      }
    }
    key = changed
  }

  private func announcer(_ event: Event, _ wrapper: Event?) -> WhyChain.Announcer {
    if let wrapper, wrapper.kind == .wrapperEntered, let name = wrapper.wrapper,
      let original = wrapper.original
    {
      return .wrapper(name, original: original)
    }
    return isByHand ? .hand : .coding
  }

  private var isByHand: Bool {
    let words = (reactions.last?.text ?? step.text).split(separator: " ")
      .drop { ["on", "thread", "repeat"].contains($0) || $0.hasSuffix(":") }
    return words.first == "will" || words.first == "did"
  }

  // MARK: Dependent keys

  private func affecting(_ key: String) -> [String] {
    let symbols = run.program?.symbols
    guard let cls = symbols?.objects[object]?.className,
      let property = symbols?.property(key, of: cls)
    else { return [] }
    return property.declaration.attributes.flatMap { attribute -> [String] in
      switch attribute {
      case .depends(let names), .triggered(let names): names.map(\.text)
      default: []
      }
    }
  }

  /// The shortest way by declarations from a key to one that affects it: `[full, last]` without
  /// the first.
  private func route(from key: String, to changed: String) -> [String]? {
    route(from: key) { $0 == changed || $0.hasPrefix(changed + ".") }
  }

  private func dependency(endingIn last: String) -> [String]? {
    route(from: key) { $0 == last || $0.hasSuffix("." + last) }
  }

  private func route(from key: String, _ isEnd: (String) -> Bool) -> [String]? {
    var queue = [[key.prefix { $0 != "." }].map(String.init)]
    var seen: Set<String> = []
    while !queue.isEmpty {
      let route = queue.removeFirst()
      for next in affecting(route[route.count - 1]) where seen.insert(next).inserted {
        let longer = route + [next]
        if isEnd(next) { return Array(longer.dropFirst()) }
        queue.append(longer)
      }
    }
    return nil
  }

  // MARK: Reactions

  /// The reactions inside which a notification was heard, the outermost first; nil if it is not in
  /// these facts.
  private static func reactions(
    around id: UInt64, in facts: [Fact]
  ) -> [(observer: String, text: String)]? {
    for fact in facts {
      switch fact {
      case .delivery(let delivery) where delivery.event == id: return []
      case .reaction(let observer, let text, let facts):
        if let inner = reactions(around: id, in: facts) { return [(observer, text)] + inner }
      default: break
      }
    }
    return nil
  }
}
