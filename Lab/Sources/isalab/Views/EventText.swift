// The words for an event.

extension Event {
  /// `p: Person → NSKVONotifying_Person`
  func text(in language: Language) -> String {
    EventText(event: self, language: language).line
  }
}

private struct EventText {
  var event: Event
  var language: Language

  var line: String {
    let cls = event.className ?? ""
    switch event.kind {
    case .classAllocated: return "\(cls) : \(event.otherClass ?? "nil")"
    case .classRegistered: return cls
    case .methodAdded, .methodReplaced: return "\(method(of: cls)) \(event.name ?? "")"
    case .objectAllocated: return say("event.allocated", ["class": cls])
    case .isaSwapped: return "\(object): \(event.otherClass ?? "nil") → \(cls)"
    case .message: return say("event.message", ["selector": selector, "object": object])
    case .wrapperEntered, .wrapperLeft: return around
    case .originalCalled, .originalReturned:
      return say("event.original", ["method": event.original ?? selector, "object": object])
    case .ivarWritten: return "\(place)\(assigned)"
    case .valueRead: return phrase(place + assigned, isBefore: event.isOld)
    case .dependentReached: return phrase(place, isBefore: event.phase == .prior)
    case .willChange, .didChange: return place
    case .notification:
      return say("event.hears", ["observer": observer, "key": place, "when": phase])
    case .observerAdded: return say("event.added", ["observer": observer, "key": place])
    case .observerRemoved:
      return say("event.removed", ["observer": observer, "key": place, "because": because])
    case .weakCleared, .deallocated: return object
    // The lab records none of the kinds that are left, see `RuntimeEventKind.shown`.
    default: return event.name ?? ""
    }
  }

  private func say(_ key: String, _ places: Places = [:]) -> String { language.say(key, places) }

  private var selector: String { event.selector ?? "" }
  private var object: String { (event.object ?? "nil").objectName(in: language) }
  private var place: String { "\(object).\(event.name ?? "")" }
  private var assigned: String { event.value.map { " = \($0)" } ?? "" }

  /// `-[Person age]`, and of a metaclass `+[Person new]`.
  private func method(of cls: String) -> String {
    cls.classOfMetaclass.map { "+[\($0) \(selector)]" } ?? "-[\(cls) \(selector)]"
  }

  private var observer: String {
    event.isForwarder
      ? say("event.forwarder") : (event.observer ?? "").objectName(in: language)
  }

  private var around: String {
    guard let wrapper = event.wrapper, let original = event.original else {
      return say("event.for-object", ["selector": selector, "object": object])
    }
    return say("event.wrapper", ["wrapper": wrapper, "original": original, "object": object])
  }

  private func phrase(_ what: String, isBefore: Bool) -> String {
    isBefore ? say("event.before-change", ["value": what]) : what
  }

  private var phase: String {
    switch event.phase {
    case .initial: say("event.initially")
    case .prior: say("event.prior")
    case .change: ""
    }
  }

  private var because: String {
    switch event.reason {
    case .call: ""
    case .observerDied: say("event.observer-died")
    case .objectDied: say("event.object-died")
    }
  }
}
