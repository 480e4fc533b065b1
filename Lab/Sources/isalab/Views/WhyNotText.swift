/// The reasons that kept an observer from being told, in words.
enum WhyNotText {
  static func text(_ reason: WhyNot.Reason) -> String {
    switch reason {
    case .wasTold: "it observes what changed: ask 'why' without --not"
    case .registersLater(let target, let origin):
      "it is not registered yet: line \(origin.line) makes it observe \(target)"
    case .ended(let target, let reason, let origin):
      "its registration for \(target) ended in line \(origin.line)\(text(reason))"
    case .changesNothing: "the line changes no value and announces no change"
    case .refused(let refusal): "the line was refused: \(refusal.exception)"
    case .nilOnTheWay(let target):
      "something on the way of \(target) is nil, and nil takes any message"
    case .otherKey(let target, let changed): "it observes \(target), and \(changed) changed"
    case .undeclared(let target, let key):
      "\(target) is computed from \(key), but its class does not declare that it depends on it"
    case .otherObject(let target, let changed, let isa):
      "it observes \(target), and \(changed) changed: each object has an isa of its own, "
        + "and this one's is \(isa)"
    case .offPath(let target, let changed, let through):
      "it observes \(target), and \(through) does not lead to the object of \(changed) now"
    case .unknown(let target): "the runtime announced no change that \(target) is told of"
    default: silence(reason)
    }
  }

  private static func silence(_ reason: WhyNot.Reason) -> String {
    switch reason {
    case .pastSetter(let target):
      "poke wrote the ivar of \(target): no setter ran, so nobody announced the change"
    case .pastAccessors(let target):
      "the collection in \(target) was changed where it stands, past accessors and proxy"
    case .manualKey(let target):
      "\(target) is a manual key: its class announces changes itself, and the line did not"
    case .plainIsa(let object, let isa):
      "the isa of \(object) is \(isa), which notifies nobody: the plain setter ran"
    case .notWrapped(let target, let method):
      "\(method), which sets \(target), is not wrapped: no setter of this name belongs to a key "
        + "that is observed"
    case .announcedOnly(let target):
      "the change of \(target) is announced only: observers hear of it at its end, with 'did'"
    case .neverAnnounced(let target): "no 'will' announced the change of \(target) that ends here"
    case .sameValue(let target, let value): "\(target) is \(value), as before: nothing changed"
    default: ""
    }
  }

  private static func text(_ reason: Event.Reason) -> String {
    switch reason {
    case .call: ""
    case .observerDied: ", because the observer died"
    case .objectDied: ", because the object died"
    }
  }
}
