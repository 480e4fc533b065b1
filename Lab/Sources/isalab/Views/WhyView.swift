/// The question that `isalab why` answers.
enum WhyQuestion: Hashable, Sendable {
  /// One notification of the event log.
  case event(UInt64)
  /// The notifications of a step, by one observer or by all.
  case step(Int?, observer: String?)
  /// Why an observer heard nothing in a step.
  case not(Int?, observer: String)
}

/// The causes of notifications, and of silence, as lines.
struct WhyView {
  private let options: TextOptions
  private var style: TextStyle { options.style }

  init(_ options: TextOptions) { self.options = options }

  func lines(of inquiry: Inquiry, _ question: WhyQuestion) throws(InquiryError) -> [String] {
    switch question {
    case .event(let id): return lines(of: try inquiry.chain(ofEvent: id))
    case .step(let number, let observer):
      let step = try inquiry.changeStep(number)
      let observer = try observer.map(inquiry.observer)
      let chains = WhyChain.all(inStep: step, of: inquiry.run)
        .filter { observer == nil || $0.notification.observer == observer }
      let head = title(inquiry, step)
      if !chains.isEmpty { return head + chains.flatMap { [""] + lines(of: $0) } }
      let silent = observer.map { [$0] } ?? WhyNot.observers(of: inquiry.run)
      if silent.isEmpty { return head + ["", say("why.nobody-at-all")] }
      let answers = silent.map { WhyNot($0, at: step.number, of: inquiry.run) }
      return head + answers.flatMap { [""] + lines(of: $0) }
    case .not(let number, let observer):
      let step = try inquiry.changeStep(number)
      let observer = try inquiry.observer(observer)
      let answer = WhyNot(observer, at: step.number, of: inquiry.run)
      return title(inquiry, step) + [""] + lines(of: answer)
    }
  }

  private func say(_ key: String, _ places: Places = [:]) -> String {
    options.language.say(key, places)
  }

  private func title(_ inquiry: Inquiry, _ step: Step) -> [String] {
    let count = inquiry.run.steps.count
    let text = say(
      "why.step-title",
      ["number": step.number, "count": count, "line": step.location.line, "text": step.text])
    return wrapped(text, width: 80).map(style.faint)
  }

  // MARK: Why

  func lines(of chain: WhyChain) -> [String] {
    wrapped(chain.sentence(in: options.language), width: 80).map(style.heading)
      + TextTable(chain.links.enumerated().map { ["\($0 + 1)", text($1)] }).lines
  }

  private func text(_ link: WhyChain.Link) -> String {
    switch link {
    case .registration(let observer, let target, let origin):
      say("why.observes", ["observer": Text(observer.objectName), "key": target])
        + since(origin)
    case .initial: say("why.asked-initial")
    case .prior: say("why.asked-prior")
    case .dependency(let target, let route):
      ([target] + route.dropLast()).enumerated().map {
        say("why.depends-on", ["key": $1, "other": route[$0]])
      }
      .joined(separator: ", ")
    case .forwarder(let target, let root, let origin):
      say("why.forwarder", ["key": target, "path": root]) + since(origin)
    case .intermediate(let target, let path):
      say("why.on-the-way", ["key": target, "path": path])
    case .announcement(let target, let announcer, let event):
      say("why.announced", ["by": self.text(announcer), "key": target, "number": event])
    case .message(let selector, let object, let event):
      say("why.sent", ["selector": selector, "object": object, "number": event])
    case .callback(let observer, let text, let heard, let event):
      say(
        "why.callback",
        [
          "observer": Text(observer.objectName), "heard": heard, "number": event, "text": text,
        ])
    case .statement(let origin): say("why.line", ["line": origin.line, "text": origin.text])
    }
  }

  private func since(_ origin: WhyChain.Origin?) -> String {
    origin.map { say("why.since", ["line": $0.line]) } ?? ""
  }

  private func text(_ announcer: WhyChain.Announcer) -> String {
    switch announcer {
    case .wrapper(let wrapper, let original):
      say("why.by-wrapper", ["wrapper": wrapper, "original": original])
    case .hand: say("why.by-hand")
    case .coding: say("why.by-coding")
    }
  }

  // MARK: Why not

  func lines(of answer: WhyNot) -> [String] {
    let observer = Text(answer.observer.objectName)
    let head =
      answer.reasons == [.wasTold]
      ? say("why.was-told", ["observer": observer])
      : say("why.was-not-told", ["observer": observer])
    return [style.heading(head)]
      + TextTable(
        answer.reasons.map {
          [say("why.because"), WhyNotText(language: options.language).text($0)]
        }
      ).lines
  }
}

extension WhyChain {
  /// `name heard ada.full because it depends on last, set in line 14.`
  func sentence(in language: Language) -> String {
    WhySentence(chain: self, language: language).text
  }
}

/// Why somebody was told, as one sentence.
private struct WhySentence {
  var chain: WhyChain
  var language: Language

  var text: String {
    let told = chain.notification
    let key =
      switch told.phase {
      case .initial: "why.heard-as-it-was"
      case .prior: "why.heard-before"
      case .change: "why.heard"
      }
    let observer =
      told.isForwarder
      ? say("event.forwarder") : (told.observer ?? "").objectName(in: language)
    return say(
      key,
      ["observer": observer, "key": "\(told.object ?? "nil").\(told.name ?? "")", "reason": reason])
  }

  private func say(_ key: String, _ places: Places = [:]) -> String { language.say(key, places) }

  private func listed(_ reasons: [String]) -> String {
    reasons.joined(separator: say("why.and"))
  }

  private var reason: String {
    // Only what belongs to this notification: behind a callback another one begins.
    let own = Array(chain.links.prefix { if case .callback = $0 { false } else { true } })
    if own.contains(.initial) { return say("why.registered", ["place": place]) }
    var reasons: [String] = []
    for link in own {
      if let reason = reason(link, isFirst: reasons.isEmpty) { reasons.append(reason) }
    }
    if case .intermediate? = own.last(where: \.isRelation) { return listed(reasons) + place }
    let how = deed + place
    if reasons.isEmpty { return say("why.it-was", ["how": how]) }
    return listed(reasons) + say("step.comma") + how
  }

  private func reason(_ link: WhyChain.Link, isFirst: Bool) -> String? {
    switch link {
    case .dependency(_, let route):
      say("why.depends", ["keys": route.joined(separator: say("why.which-depends"))])
    case .forwarder(let target, _, _):
      say(isFirst ? "why.its-path" : "why.that-path", ["key": target])
    case .intermediate(let target, _): say("why.replaced", ["key": target])
    default: nil
    }
  }

  /// The last act on the key.
  private var deed: String {
    if let kind = chain.delivery?.kind, kind != .setting {
      let word = StepView(TextOptions(language: language)).kind(kind)
      return say("why.changed-by", ["kind": word])
    }
    let isByHand = chain.links.contains {
      if case .announcement(_, .hand, _) = $0 { true } else { false }
    }
    return say(isByHand ? "why.announced-by-hand" : "why.set")
  }

  private var place: String {
    guard case .statement(let origin)? = chain.links.last else { return "" }
    let callback = chain.links.lazy.compactMap { link -> (String, String)? in
      if case .callback(let observer, _, let heard, _) = link { (observer, heard) } else { nil }
    }.first
    let by = callback.map { observer, heard in
      say("why.by-callback", ["observer": Text(observer.objectName), "heard": heard])
    }
    return (by ?? "") + say("why.in-line", ["line": origin.line])
  }
}

extension WhyChain.Link {
  fileprivate var isRelation: Bool {
    switch self {
    case .dependency, .forwarder, .intermediate: true
    default: false
    }
  }
}

extension Inquiry {
  func chain(ofEvent id: UInt64) throws(InquiryError) -> WhyChain {
    if let chain = WhyChain(ofEvent: id, in: run) { return chain }
    let events = run.steps.flatMap(\.events)
    let heard = events.filter { $0.kind == .notification && !$0.isForwarder }.map { "\($0.id)" }
    let kind = events.first { $0.id == id }.map {
      Text("inquiry.is-no-notification", ["number": id, "kind": $0.kind.name])
    }
    let shown = heard.prefix(20).joined(separator: ", ") + (heard.count > 20 ? ", …" : "")
    throw InquiryError(
      problem: kind ?? Text("inquiry.no-event", ["number": id]),
      expected: heard.isEmpty
        ? Text("inquiry.somebody-told") : Text("inquiry.a-notification", ["numbers": shown]))
  }

  /// A step that may be asked about: without a number the last one that told somebody.
  func changeStep(_ number: Int?) throws(InquiryError) -> Step {
    guard !run.steps.isEmpty else {
      throw InquiryError(
        problem: Text("inquiry.no-steps"), expected: Text("inquiry.with-statements"))
    }
    guard let number else {
      return run.steps.last { !$0.deliveries.isEmpty } ?? run.steps[run.steps.count - 1]
    }
    guard (1...run.steps.count).contains(number) else {
      throw InquiryError(
        problem: Text("inquiry.no-step", ["number": number]),
        expected: Text("inquiry.step-from-1", ["last": run.steps.count]))
    }
    return run.steps[number - 1]
  }

  /// The observer of a name, which may be in any language.
  func observer(_ name: String) throws(InquiryError) -> String {
    let known = WhyNot.observers(of: run)
    let found = known.first { Language.allCases.map($0.objectName).contains(name) }
    if let found { return found }
    throw InquiryError(
      problem: Text("inquiry.observes-nothing", ["name": name]),
      expected: known.isEmpty
        ? Text("inquiry.with-observer")
        : Text { language in alternatives(known.map { $0.objectName(in: language) })[language] })
  }
}
