import CIsa

/// Receives what the runtime reports and turns it into words while the addresses still mean
/// something.
///
/// Lives: its owner keeps it until `stop`, after which the runtime does not call it any more.
final class Recorder {
  private let names: Names
  private var events: [Event] = []
  private var facts: [Fact] = []
  /// The latest misuse that had no caller to return a status to.
  private(set) var misuse: Refusal?
  var labels: [String: [String]] = [:]

  init(names: Names) { self.names = names }

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
    facts.append(
      .delivery(
        Delivery(
          observer: observer, object: names.name(of: change.object),
          key: String(cString: change.key_path), phase: phase, old: item(change.old_value),
          new: item(change.new_value), context: UInt(bitPattern: change.context))))
  }

  private func item(_ value: kvc_value) -> Delivery.Item? {
    guard let address = value.address, let types = value.types else { return nil }
    let encoding = String(cString: types)
    let decoder = ValueDecoder(labels: labels, names: names)
    return Delivery.Item(value: decoder.value(at: address, encoding: encoding), encoding: encoding)
  }

  private func record(misuse error: isa_error) {
    var refusal = Refusal(error)
    refusal.reason = names.symbolic(refusal.reason)
    misuse = refusal
    facts.append(.misuse(refusal))
  }

  // MARK: Events

  private func record(_ event: isa_event) {
    let kind = String(cString: isa_event_kind_name(event.kind))
    events.append(Event(id: event.id, cause: event.cause, kind: kind, text: text(of: event)))
    guard event.kind == ISA_EVENT_DEALLOCATED, let object = event.object, names.knows(object) else {
      return
    }
    facts.append(.death(object: names.name(of: object)))
    names.remove(object)
  }

  private func text(of event: isa_event) -> String {
    switch event.kind {
    case ISA_EVENT_CLASS_ALLOCATED: "\(cls(event.cls)) : \(cls(event.other))"
    case ISA_EVENT_CLASS_REGISTERED: cls(event.cls)
    case ISA_EVENT_METHOD_ADDED, ISA_EVENT_METHOD_REPLACED:
      "-[\(cls(event.cls)) \(selector(event))] \(name(event))"
    case ISA_EVENT_OBJECT_ALLOCATED: "a \(cls(event.cls))"
    case ISA_EVENT_ISA_SWAPPED: "\(object(event)): \(cls(event.other)) → \(cls(event.cls))"
    case ISA_EVENT_MESSAGE: "\(selector(event)) to \(object(event))"
    case ISA_EVENT_TRAMPOLINE_ENTERED, ISA_EVENT_TRAMPOLINE_LEFT:
      "\(selector(event)) of \(cls(event.cls)) for \(object(event))"
    case ISA_EVENT_WILL_CHANGE, ISA_EVENT_DID_CHANGE: "\(object(event)).\(name(event))"
    case ISA_EVENT_NOTIFICATION:
      "\(observer(event)) hears \(object(event)).\(name(event))\(phase(event))"
    case ISA_EVENT_OBSERVER_ADDED: "\(observer(event)) for \(object(event)).\(name(event))"
    case ISA_EVENT_OBSERVER_REMOVED:
      "\(observer(event)) from \(object(event)).\(name(event))\(reason(event))"
    case ISA_EVENT_WEAK_CLEARED: "\(event.count) of \(object(event))"
    case ISA_EVENT_DEALLOCATED: "\(object(event)), a \(cls(event.cls))"
    default: names.symbolic(name(event))
    }
  }

  private func cls(_ cls: isa_class?) -> String { cls.map { names.className($0) } ?? "no class" }

  private func selector(_ event: isa_event) -> String {
    event.selector.map { String(cString: isa_sel_name($0)) } ?? ""
  }

  private func object(_ event: isa_event) -> String {
    event.object.map { names.name(of: $0) } ?? "nil"
  }

  private func observer(_ event: isa_event) -> String { names.name(ofObserver: event.observer) }

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
