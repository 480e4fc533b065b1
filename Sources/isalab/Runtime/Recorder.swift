import CIsa

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
  private var events: [Event] = []
  private var facts: [Fact] = []
  /// What observers do the next time that they are told, by name.
  var reactions: [String: [Reaction]] = [:]
  /// Whether a statement runs on another thread than the scenario's, which waits meanwhile.
  var isElsewhere = false
  /// The latest misuse that had no caller to return a status to.
  private(set) var misuse: Refusal?

  init(_ symbols: Symbols, _ names: Names) {
    self.symbols = symbols
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
          new: item(change.new_value, type), context: UInt(bitPattern: change.context))))
    react(observer)
  }

  private func react(_ observer: String) {
    guard reactions[observer]?.isEmpty == false else { return }
    let reaction = reactions[observer]!.removeFirst()
    let outer = facts
    facts = []
    reaction.run()
    facts = outer + [.reaction(observer: observer, text: reaction.text, facts)]
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
    if isInternal(event) { return }
    let kind = String(cString: isa_event_kind_name(event.kind))
    events.append(Event(id: event.id, cause: event.cause, kind: kind, text: text(of: event)))
    noteForwarder(event)
    guard event.kind == ISA_EVENT_DEALLOCATED, let object = event.object,
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
    return isa_class_name(cls).map { String(cString: $0) }?.hasPrefix("Isa") == true
      && !names.isNamed(object)
  }

  private func noteForwarder(_ event: isa_event) {
    let isThere = event.kind == ISA_EVENT_OBSERVER_ADDED
    guard isThere || event.kind == ISA_EVENT_OBSERVER_REMOVED,
      event.flags & UInt32(ISA_EVENT_FORWARDER) != 0
    else { return }
    facts.append(.forwarder(object: object(event), key: name(event), isThere: isThere))
  }

  private func text(of event: isa_event) -> String {
    switch event.kind {
    case ISA_EVENT_CLASS_ALLOCATED: "\(cls(event.cls)) : \(cls(event.other))"
    case ISA_EVENT_CLASS_REGISTERED: cls(event.cls)
    case ISA_EVENT_METHOD_ADDED, ISA_EVENT_METHOD_REPLACED:
      "-[\(cls(event.cls)) \(selector(event))] \(name(event))"
    case ISA_EVENT_OBJECT_ALLOCATED: indefinite(cls(event.cls))
    case ISA_EVENT_ISA_SWAPPED: "\(object(event)): \(cls(event.other)) → \(cls(event.cls))"
    case ISA_EVENT_MESSAGE: "\(selector(event)) to \(object(event))"
    case ISA_EVENT_TRAMPOLINE_ENTERED, ISA_EVENT_TRAMPOLINE_LEFT:
      "\(wrapper(event)) for \(object(event))"
    case ISA_EVENT_WILL_CHANGE, ISA_EVENT_DID_CHANGE: "\(object(event)).\(name(event))"
    case ISA_EVENT_NOTIFICATION:
      "\(observer(event)) hears \(object(event)).\(name(event))\(phase(event))"
    case ISA_EVENT_OBSERVER_ADDED: "\(observer(event)) for \(object(event)).\(name(event))"
    case ISA_EVENT_OBSERVER_REMOVED:
      "\(observer(event)) from \(object(event)).\(name(event))\(reason(event))"
    case ISA_EVENT_WEAK_CLEARED, ISA_EVENT_DEALLOCATED: object(event)
    default: names.symbolic(name(event))
    }
  }

  private func cls(_ cls: isa_class?) -> String { cls.map { names.className($0) } ?? "no class" }

  private func selector(_ event: isa_event) -> String {
    event.selector.map { String(cString: isa_sel_name($0)) } ?? ""
  }

  private func wrapper(_ event: isa_event) -> String {
    guard let cls = event.cls, let view = inspector.implementation(selector(event), in: cls),
      let original = view.original
    else { return selector(event) }
    return "\(view.name) around \(original)"
  }

  private func object(_ event: isa_event) -> String {
    event.object.map { names.name(of: $0) } ?? "nil"
  }

  private func observer(_ event: isa_event) -> String {
    if event.flags & UInt32(ISA_EVENT_FORWARDER) != 0 { return "a forwarder" }
    return event.kind == ISA_EVENT_OBSERVER_REMOVED
      ? names.name(ofRegistered: event.observer) : names.name(ofObserver: event.observer)
  }

  private func name(_ event: isa_event) -> String {
    event.name.map { String(cString: $0) } ?? ""
  }

  private func phase(_ event: isa_event) -> String {
    if event.flags & UInt32(ISA_EVENT_PRIOR) != 0 { return ", before the change" }
    return event.flags & UInt32(ISA_EVENT_INITIAL) != 0 ? ", initially" : ""
  }

  private func reason(_ event: isa_event) -> String {
    switch event.reason {
    case ISA_REMOVED_OBSERVER_DIED: ", because the observer died"
    case ISA_REMOVED_OBJECT_DIED: ", because the object died"
    default: ""
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
