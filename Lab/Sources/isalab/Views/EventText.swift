// The words for an event.

extension Event {
  /// `p: Person → NSKVONotifying_Person`
  func text(in language: Language) -> String {
    let object = (self.object ?? "nil").objectName(in: language)
    let cls = className ?? ""
    switch kind {
    case .classAllocated: return "\(cls) : \(otherClass ?? "nil")"
    case .classRegistered: return cls
    case .methodAdded, .methodReplaced: return "-[\(cls) \(selector ?? "")] \(name ?? "")"
    case .objectAllocated: return language == .english ? indefinite(cls) : cls
    case .isaSwapped: return "\(object): \(otherClass ?? "nil") → \(cls)"
    case .message:
      return Text("\(selector ?? "") to \(object)", "\(selector ?? "") 发给 \(object)")[language]
    case .wrapperEntered, .wrapperLeft: return around(object)[language]
    case .originalCalled, .originalReturned:
      let code = original ?? selector ?? ""
      return Text("\(code) for \(object)", "\(code)，对象 \(object)")[language]
    case .ivarWritten: return "\(object).\(name ?? "")" + (value.map { " = \($0)" } ?? "")
    case .valueRead: return reading(object)[language]
    case .dependentReached: return reached(object)[language]
    case .willChange, .didChange: return "\(object).\(name ?? "")"
    case .notification: return notification(object)[language]
    case .observerAdded: return added(object)[language]
    case .observerRemoved: return removed(object)[language]
    case .weakCleared, .deallocated: return object
    case .classDisposed, .misuse: return name ?? ""
    }
  }

  private func reading(_ object: String) -> Text {
    let what = "\(object).\(name ?? "")" + (value.map { " = \($0)" } ?? "")
    return isOld ? Text("\(what), before the change", "\(what)（改变之前）") : Text(what, what)
  }

  private func reached(_ object: String) -> Text {
    let what = "\(object).\(name ?? "")"
    return phase == .prior ? Text("\(what), before the change", "\(what)（改变之前）") : Text(what, what)
  }

  private func around(_ object: String) -> Text {
    guard let wrapper, let original else {
      return Text("\(selector ?? "") for \(object)", "\(selector ?? "")，对象 \(object)")
    }
    return Text(
      "\(wrapper) around \(original) for \(object)", "\(wrapper) 包着 \(original)，对象 \(object)")
  }

  private var who: Text {
    isForwarder
      ? Text("a forwarder", "转发者")
      : Text(observer ?? "", (observer ?? "").objectName(in: .chinese))
  }

  private func notification(_ object: String) -> Text {
    let what = "\(object).\(name ?? "")"
    let phase: Text =
      switch self.phase {
      case .initial: Text(", initially", "（初始）")
      case .prior: Text(", before the change", "（改变之前）")
      case .change: Text("", "")
      }
    return Text(
      "\(who.english) hears \(what)\(phase.english)", "\(who.chinese) 得知 \(what)\(phase.chinese)")
  }

  private func added(_ object: String) -> Text {
    let what = "\(object).\(name ?? "")"
    return Text("\(who.english) for \(what)", "\(who.chinese) 观察 \(what)")
  }

  private func removed(_ object: String) -> Text {
    let what = "\(object).\(name ?? "")"
    let because: Text =
      switch reason {
      case .call: Text("", "")
      case .observerDied: Text(", because the observer died", "，因为观察者已死")
      case .objectDied: Text(", because the object died", "，因为对象已死")
      }
    return Text(
      "\(who.english) from \(what)\(because.english)", "\(who.chinese) 离开 \(what)\(because.chinese)"
    )
  }
}
