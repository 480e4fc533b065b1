import CIsa
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
  private var events: [Event] = []
  private var facts: [Fact] = []
  private var threads: [UInt64] = []
  /// The run's numbers of the runtime's events; one that is not recorded has its cause's number.
  private var numbers: [UInt64: UInt64] = [:]
  private var count: UInt64 = 0
  /// The acts of observers the next time that they are told, by name.
  var reactions: [String: [Reaction]] = [:]
  /// Their acts each time.
  var standingReactions: [String: [Reaction]] = [:]
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

  func start() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    isa_event_set_sink(
      { event, context in Recorder.from(context).record(event!.pointee) }, context)
    isa_set_misuse_handler(
      { error, context in Recorder.from(context).record(misuse: error!.pointee) }, context)
  }

  func stop() {
    isa_event_set_sink(nil, nil)
    isa_set_misuse_handler(nil, nil)
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> Recorder {
    Unmanaged.fromOpaque(context!).takeUnretainedValue()
  }

  /// Hands over what was recorded since the last time.
  func takeStep() -> (events: [Event], facts: [Fact]) {
    defer {
      events = []
      facts = []
      misuse = nil
    }
    return (events, facts)
  }

  // MARK: Notifications

  /// Records what an observing object was told.
  func hear(_ change: kvo_change, receiver: UnsafeRawPointer) {
    record(change, observer: names.name(ofObserver: receiver))
  }

  func record(_ change: kvo_change, observer: String) {
    guard !budget.isExceeded else { return }
    let phase: NotificationPattern.Phase =
      change.is_initial ? .initial : change.is_prior ? .prior : .change
    let object = names.name(of: change.object)
    let key = String(cString: change.key_path)
    let className = symbols.objects[object]?.className
    let type = className.flatMap { symbols.property(atPath: key, of: $0) }?.type
    facts.append(
      .delivery(
        Delivery(
          observer: observer, object: object, key: key, phase: phase,
          kind: NotificationPattern.Kind(change.kind), indexes: change.indexes.map(Indexes.list),
          isElsewhere: isElsewhere, old: item(change.old_value, type),
          new: item(change.new_value, type), context: UInt(bitPattern: change.context),
          event: events.last { $0.kind == .notification }?.id ?? 0)))
    react(observer)
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
      reaction.run()
      facts = outer + [.reaction(observer: observer, text: reaction.text, facts)]
    }
  }

  func record(_ fact: Fact) { facts.append(fact) }

  /// Records what a statement came to that nobody can be asked about any more.
  func record(_ refusal: Refusal) {
    facts.append(
      .misuse(Refusal(exception: refusal.exception, reason: names.symbolic(refusal.reason))))
  }

  /// The encoding that comes with a value names no struct: the declared type does, and is used where
  /// it describes the same bytes.
  private func item(_ value: kvc_value, _ type: ValueType?) -> Delivery.Item? {
    guard let address = value.address, let types = value.types else { return nil }
    var encoding = String(cString: types)
    if let type, encoding.hasPrefix("{"),
      Extent(firstOf: type.encoding)?.size == Extent(firstOf: encoding)?.size
    {
      encoding = type.encoding
    }
    let decoder = ValueDecoder(labels: symbols.labels, names: names)
    return Delivery.Item(value: decoder.value(at: address, encoding: encoding), encoding: encoding)
  }

  func record(misuse error: isa_error) {
    var refusal = Refusal(error)
    refusal.reason = names.symbolic(refusal.reason)
    misuse = refusal
    facts.append(.misuse(refusal))
  }

  // MARK: Events

  private func record(_ event: isa_event) {
    if event.kind == ISA_EVENT_OBJECT_ALLOCATED, let object = event.object { names.forget(object) }
    if event.kind == ISA_EVENT_OBSERVER_ADDED { names.noteRegistration(of: event.observer) }
    if isInternal(event) {
      numbers[event.id] = numbers[event.cause]
      return
    }
    guard budget.spend() else {
      if event.kind == ISA_EVENT_DEALLOCATED, let object = event.object {
        _ = names.noteDeath(of: object)
      }
      return
    }
    count += 1
    numbers[event.id] = count
    let symbolic = self.symbolic(event)
    events.append(symbolic)
    noteForwarder(symbolic)
    guard symbolic.kind == .deallocated, let object = event.object,
      let name = names.noteDeath(of: object)
    else { return }
    facts.append(.death(object: name))
  }

  /// Whether an array, set or number that has no name comes or goes: the runtime makes some for
  /// itself, of which a scenario says nothing.
  private func isInternal(_ event: isa_event) -> Bool {
    guard event.kind == ISA_EVENT_OBJECT_ALLOCATED || event.kind == ISA_EVENT_DEALLOCATED,
      let cls = event.cls, let object = event.object
    else { return false }
    return RuntimeClass(cls).name.hasPrefix("Isa") && !names.isNamed(object)
  }

  private func noteForwarder(_ event: Event) {
    let isThere = event.kind == .observerAdded
    guard isThere || event.kind == .observerRemoved, event.isForwarder else { return }
    facts.append(.forwarder(object: event.object ?? "nil", key: event.name ?? "", isThere: isThere))
  }

  private func symbolic(_ event: isa_event) -> Event {
    let kind = Event.Kind(rawValue: UInt32(event.kind.rawValue))!
    var made = Event(
      id: count, cause: numbers[event.cause] ?? 0, thread: number(of: event.thread), kind: kind)
    made.object = event.object.map { names.name(of: $0) }
    made.className = event.cls.map { names.className(RuntimeClass($0)) }
    made.otherClass = event.other.map { names.className(RuntimeClass($0)) }
    made.selector = event.selector.map { String(cString: isa_sel_name($0)) }
    made.name = event.name.map { String(cString: $0) }
    made.isForwarder = event.flags & UInt32(ISA_EVENT_FORWARDER) != 0
    switch kind {
    case .misuse: made.name = made.name.map { names.symbolic($0) }
    case .trampolineEntered, .trampolineLeft: nameWrapper(&made, event)
    case .notification:
      made.observer = names.name(ofObserver: event.observer)
      made.isForwarder = !names.isKnown(observer: event.observer)
      if event.flags & UInt32(ISA_EVENT_PRIOR) != 0 { made.phase = .prior }
      if event.flags & UInt32(ISA_EVENT_INITIAL) != 0 { made.phase = .initial }
    case .observerAdded: made.observer = names.name(ofObserver: event.observer)
    case .observerRemoved:
      made.observer = names.name(ofRegistered: event.observer)
      made.reason = Event.Reason(event.reason)
    default: break
    }
    return made
  }

  private func nameWrapper(_ made: inout Event, _ event: isa_event) {
    guard let cls = event.cls, let selector = made.selector,
      let view = inspector.implementation(selector, in: RuntimeClass(cls))
    else { return }
    made.original = view.original
    made.wrapper = view.original == nil ? nil : view.name
  }

  /// Threads are counted by the process; a run counts its own.
  private func number(of thread: UInt64) -> Int {
    if let index = threads.firstIndex(of: thread) { return index + 1 }
    threads.append(thread)
    return threads.count
  }
}

extension Event.Reason {
  fileprivate init(_ reason: isa_removal_reason) {
    switch reason {
    case ISA_REMOVED_OBSERVER_DIED: self = .observerDied
    case ISA_REMOVED_OBJECT_DIED: self = .objectDied
    default: self = .call
    }
  }
}

extension NotificationPattern.Kind {
  init(_ kind: kvo_change_kind) {
    switch kind {
    case KVO_CHANGE_INSERTION: self = .insertion
    case KVO_CHANGE_REMOVAL: self = .removal
    case KVO_CHANGE_REPLACEMENT: self = .replacement
    default: self = .setting
    }
  }
}
