import IsaRuntime

/// Receives what the runtime reports and turns it into words while the addresses still mean
/// something.
///
/// Lives: its owner keeps it until `stop`, after which the runtime does not call it any more.
final class Recorder {
  /// Something to do inside a callback.
  struct Reaction {
    var text: String
    var run: () -> Void
  }

  private let names: Names
  private let symbols: Symbols
  private let inspector: Inspector
  private let budget: Budget
  private var log: RuntimeEventLog?
  private var events: [Event] = []
  private var facts: [Fact] = []
  private var threads: [UInt64] = []
  /// The run's numbers of the runtime's events; one that is not recorded has its cause's number.
  private var numbers: [UInt64: UInt64] = [:]
  private var count: UInt64 = 0
  /// The notifications that each observer has got.
  private(set) var told: [String: Hearings] = [:]
  /// Looks at what each event changed.
  weak var watch: StateWatch?
  /// Called in the course of each event.
  var atEvent: ((Event) -> Void)?
  /// The acts of observers the next time that they are told, by name.
  var reactions: [String: [Reaction]] = [:]
  /// Their acts each time.
  var standingReactions: [String: [Reaction]] = [:]
  /// The name of the binding that is being made, whose registrations get it.
  var bindingName: String?
  /// Whether a statement runs on another thread than the scenario's, which waits meanwhile.
  var isElsewhere = false
  /// The latest misuse that had no caller to return a status to.
  private(set) var misuse: Refusal?

  init(_ symbols: Symbols, _ names: Names, _ budget: Budget) {
    self.symbols = symbols
    self.budget = budget
    self.names = names
    inspector = Inspector(names: names)
  }

  func start() throws(KeyValueError) {
    let recorder = Unowned(self)
    log = try RuntimeEventLog(RuntimeEventKind.shown) { recorder.object.record($0) }
    KeyValueSettings.misuseHandler = { recorder.object.record($0) }
  }

  func stop() {
    guard let log else { return }
    log.stop()
    KeyValueSettings.misuseHandler = nil
  }

  /// Hands over what was recorded since the last time, and how all stands now.
  func takeStep(_ state: WorldState) -> (events: [Event], facts: [Fact]) {
    defer {
      events = []
      facts = []
      misuse = nil
    }
    watch?.complete(&events, state)
    return (events, facts)
  }

  // MARK: Notifications

  func name(ofObserver address: UInt) -> String { names.name(ofObserver: address) }

  /// Records what an observer was told, and has it react.
  ///
  /// - Parameter change: Not kept while the observer reacts, which may end what the change is about.
  func hear(_ observer: String, _ change: () -> RuntimeChange) {
    guard !budget.isExceeded else { return }
    let delivery = delivery(of: change(), to: observer)
    facts.append(.delivery(delivery))
    told[observer, default: Hearings()].add(delivery)
    events.lastIndex { $0.id == delivery.event }.map { events[$0].change.told.append(delivery) }
    react(observer)
  }

  private func delivery(of change: RuntimeChange, to observer: String) -> Delivery {
    let phase: NotificationPattern.Phase =
      change.isInitial ? .initial : change.isPrior ? .prior : .change
    let object = names.name(of: change.object)
    let className = symbols.objects[object]?.className
    let type = className.flatMap { symbols.property(atPath: change.keyPath, of: $0) }?.type
    return Delivery(
      observer: observer, object: object, key: change.keyPath, phase: phase,
      kind: NotificationPattern.Kind(change.kind),
      indexes: change.indexes?.map { UInt(bitPattern: $0) }, isElsewhere: isElsewhere,
      old: item(change.oldValue, type), new: item(change.newValue, type),
      context: change.context.address,
      event: events.last { $0.kind == .notification }?.id ?? 0)
  }

  private func react(_ observer: String) {
    if reactions[observer]?.isEmpty == false {
      carryOut(reactions[observer]!.removeFirst(), of: observer)
    }
    for reaction in standingReactions[observer] ?? [] { carryOut(reaction, of: observer) }
  }

  private func carryOut(_ reaction: Reaction, of observer: String) {
    budget.nest {
      let outer = facts
      facts = []
      // An observer that is told of a binding's first value registers nothing of the binding's.
      let binding = bindingName
      bindingName = nil
      reaction.run()
      bindingName = binding
      facts = outer + [.reaction(observer: observer, text: reaction.text, facts)]
    }
  }

  func record(_ fact: Fact) { facts.append(fact) }

  /// Records what a statement came to that nobody can be asked about any more.
  func record(_ error: KeyValueError) { facts.append(.misuse(symbolic(Refusal(error)))) }

  /// With names for addresses.
  func symbolic(_ refusal: Refusal) -> Refusal {
    Refusal(exception: refusal.exception, reason: names.symbolic(refusal.reason))
  }

  /// The encoding that comes with a value names no struct: the declared type does, and is used where
  /// it describes the same bytes.
  private func item(_ value: RuntimeValue?, _ type: ValueType?) -> Delivery.Item? {
    guard let value else { return nil }
    var encoding = value.encoding.text
    if let type, encoding.hasPrefix("{"),
      Extent(firstOf: type.encoding)?.size == Extent(firstOf: encoding)?.size
    {
      encoding = type.encoding
    }
    let decoder = ValueDecoder(labels: symbols.labels, names: names)
    return Delivery.Item(value: decoder.value(value, as: encoding), encoding: encoding)
  }

  func record(_ misuse: Misuse) {
    let refusal = symbolic(Refusal(misuse))
    self.misuse = refusal
    facts.append(.misuse(refusal))
  }

  // MARK: Events

  private func record(_ event: RuntimeEvent) {
    if event.kind == .objectAllocated, let object = event.object { names.forget(object) }
    if event.kind == .observerAdded {
      nameBinding(event)
      names.noteRegistration(of: event.observer)
    }
    if isInternal(event) {
      numbers[event.id] = number(ofCause: event)
      return
    }
    guard budget.spend() else {
      if event.kind == .deallocated, let object = event.object {
        _ = names.noteDeath(of: object)
      }
      return
    }
    count += 1
    numbers[event.id] = count
    let symbolic = self.symbolic(event)
    events.append(symbolic)
    noteForwarder(symbolic)
    if event.kind == .deallocated, let object = event.object,
      let name = names.noteDeath(of: object)
    {
      facts.append(.death(object: name))
    }
    if let watch { events[events.count - 1].change = watch.change(by: event) }
    atEvent?(events[events.count - 1])
  }

  private func nameBinding(_ event: RuntimeEvent) {
    guard let bindingName, let observer = event.observer, !event.isForwarder else { return }
    names.addObserver(observer, as: bindingName)
  }

  /// Whether an array, set or number that has no name comes or goes: the runtime makes some for
  /// itself, of which a scenario says nothing.
  private func isInternal(_ event: RuntimeEvent) -> Bool {
    guard event.kind == .objectAllocated || event.kind == .deallocated,
      let className = event.className, let object = event.object
    else { return false }
    return className.hasPrefix("Isa") && !names.isNamed(object)
  }

  private func noteForwarder(_ event: Event) {
    let isThere = event.kind == .observerAdded
    guard isThere || event.kind == .observerRemoved, event.isForwarder else { return }
    facts.append(.forwarder(object: event.object ?? "nil", key: event.name ?? "", isThere: isThere))
  }

  private func symbolic(_ event: RuntimeEvent) -> Event {
    var made = Event(
      id: count, cause: number(ofCause: event) ?? 0, thread: number(of: event.thread),
      kind: event.kind)
    // A misuse names its object in words, which may be none of the scenario's.
    if event.kind != .misuse { made.object = event.object.map { names.name(ofObject: $0) } }
    made.className = event.className.map { names.className($0, isMetaclass: event.isMetaclass) }
    made.otherClass = event.otherClassName.map(SwiftView.shownName)
    made.selector = event.selector?.name
    made.name = event.name
    made.isForwarder = event.isForwarder
    switch event.kind {
    case .misuse: made.name = made.name.map { names.symbolic($0) }
    case .wrapperEntered, .wrapperLeft, .originalCalled, .originalReturned:
      nameWrapper(&made, event)
    case .valueRead, .ivarWritten: noteValue(&made, event)
    case .dependentReached: if event.isPrior { made.phase = .prior }
    case .notification:
      made.observer = names.name(ofObserver: event.observer)
      made.isForwarder = !names.isKnown(observer: event.observer)
      if event.isPrior { made.phase = .prior }
      if event.isInitial { made.phase = .initial }
    case .observerAdded: made.observer = names.name(ofObserver: event.observer)
    case .observerRemoved:
      made.observer = names.name(ofRegistered: event.observer)
      made.reason = event.reason ?? .call
    default: break
    }
    return made
  }

  private func nameWrapper(_ made: inout Event, _ event: RuntimeEvent) {
    guard let cls = event.className.flatMap({ RuntimeClass.find(named: $0) }),
      let selector = made.selector, let view = inspector.implementation(selector, in: cls)
    else { return }
    made.isClosure = event.isClosure
    made.original = view.original
    made.wrapper = view.original == nil ? nil : view.name
  }

  private func noteValue(_ made: inout Event, _ event: RuntimeEvent) {
    made.isOld = event.isOld
    made.count = Int(event.count)
    let decoder = ValueDecoder(labels: symbols.labels, names: names)
    if let value = event.value {
      made.value = decoder.value(value)
    } else if let address = event.valueObject {
      let object = address == 0 ? nil : RuntimeObject(unsafeAddress: address)
      made.value = decoder.value(RuntimeValue(object))
    }
  }

  private func number(ofCause event: RuntimeEvent) -> UInt64? {
    event.cause.flatMap { numbers[$0] }
  }

  /// Threads are counted by the process; a run counts its own.
  private func number(of thread: UInt64) -> Int {
    if let index = threads.firstIndex(of: thread) { return index + 1 }
    threads.append(thread)
    return threads.count
  }
}

extension NotificationPattern.Kind {
  init(_ kind: ChangeKind) {
    switch kind {
    case .insertion: self = .insertion
    case .removal: self = .removal
    case .replacement: self = .replacement
    case .setting: self = .setting
    }
  }
}
