/// The reasons that kept an observer from being told, in words.
struct WhyNotText {
  var language: Language

  private func say(_ key: String, _ places: Places = [:]) -> String { language.say(key, places) }

  func text(_ reason: WhyNot.Reason) -> String {
    switch reason {
    case .wasTold: say("whynot.was-told")
    case .registersLater(let target, let origin):
      say("whynot.registers-later", ["line": origin.line, "key": target])
    case .ended(let target, let reason, let origin):
      say("whynot.ended", ["key": target, "line": origin.line, "because": text(reason)])
    case .changesNothing: say("whynot.changes-nothing")
    case .refused(let refusal): say("whynot.refused", ["exception": refusal.exception])
    case .nilOnTheWay(let target):
      say("whynot.nil-on-the-way", ["key": target])
    case .otherKey(let target, let changed):
      say("whynot.other-key", ["key": target, "changed": changed])
    case .undeclared(let target, let key):
      say("whynot.undeclared", ["key": target, "other": key])
    case .otherObject(let target, let changed, let isa):
      say("whynot.other-object", ["key": target, "changed": changed, "isa": isa])
    case .offPath(let target, let changed, let through):
      say("whynot.off-path", ["key": target, "through": through, "changed": changed])
    case .unknown(let target): say("whynot.unknown", ["key": target])
    default: silence(reason)
    }
  }

  private func silence(_ reason: WhyNot.Reason) -> String {
    switch reason {
    case .pastSetter(let target):
      say("whynot.past-setter", ["key": target])
    case .pastAccessors(let target):
      say("whynot.past-accessors", ["key": target])
    case .manualKey(let target):
      say("whynot.manual-key", ["key": target])
    case .plainIsa(let object, let isa):
      say("whynot.plain-isa", ["object": object, "isa": isa])
    case .notWrapped(let target, let method):
      say("whynot.not-wrapped", ["method": method, "key": target])
    case .announcedOnly(let target):
      say("whynot.announced-only", ["key": target])
    case .neverAnnounced(let target): say("whynot.never-announced", ["key": target])
    case .sameValue(let target, let value):
      say("whynot.same-value", ["key": target, "value": value])
    default: ""
    }
  }

  private func text(_ reason: Event.Reason) -> String {
    switch reason {
    case .call: ""
    case .observerDied: say("whynot.observer-died")
    case .objectDied: say("whynot.object-died")
    }
  }
}
