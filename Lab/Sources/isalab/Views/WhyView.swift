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
      if let observer { try inquiry.observer(observer) }
      let chains = WhyChain.all(inStep: step, of: inquiry.run)
        .filter { observer == nil || $0.notification.observer == observer }
      let head = title(inquiry, step)
      if !chains.isEmpty { return head + chains.flatMap { [""] + lines(of: $0) } }
      let silent = observer.map { [$0] } ?? WhyNot.observers(of: inquiry.run)
      if silent.isEmpty { return head + ["", "nobody is told: nobody observes anything"] }
      let answers = silent.map { WhyNot($0, at: step.number, of: inquiry.run) }
      return head + answers.flatMap { [""] + lines(of: $0) }
    case .not(let number, let observer):
      let step = try inquiry.changeStep(number)
      try inquiry.observer(observer)
      let answer = WhyNot(observer, at: step.number, of: inquiry.run)
      return title(inquiry, step) + [""] + lines(of: answer)
    }
  }

  private func title(_ inquiry: Inquiry, _ step: Step) -> [String] {
    let count = inquiry.run.steps.count
    let text = "step \(step.number) of \(count), line \(step.location.line): \(step.text)"
    return wrapped(text, width: 80).map(style.faint)
  }

  // MARK: Why

  func lines(of chain: WhyChain) -> [String] {
    wrapped(chain.sentence, width: 80).map(style.heading)
      + TextTable(chain.links.enumerated().map { ["\($0 + 1)", text($1)] }).lines
  }

  private func text(_ link: WhyChain.Link) -> String {
    switch link {
    case .registration(let observer, let target, let origin):
      "\(observer) observes \(target)" + since(origin)
    case .initial: "it asked to be told at once, by the option initial"
    case .prior: "it asked to be told before the change too, by the option prior"
    case .dependency(let target, let route):
      ([target] + route.dropLast()).enumerated().map { "\($1) depends on \(route[$0])" }
        .joined(separator: ", ")
    case .forwarder(let target, let root, let origin):
      "a forwarder listens to \(target) for \(root)" + since(origin)
    case .intermediate(let target, let path):
      "\(target) is on the way of \(path): all behind it may be different"
    case .announcement(let target, let announcer, let event):
      "\(self.text(announcer)) announced the change of \(target) (event \(event))"
    case .message(let selector, let object, let event):
      "\(selector) was sent to \(object) (event \(event))"
    case .callback(let observer, let text, let heard, let event):
      "\(observer) did it when it heard \(heard) (event \(event)): \(text)"
    case .statement(let origin): "line \(origin.line): \(origin.text)"
    }
  }

  private func since(_ origin: WhyChain.Origin?) -> String {
    origin.map { ", since line \($0.line)" } ?? ""
  }

  private func text(_ announcer: WhyChain.Announcer) -> String {
    switch announcer {
    case .wrapper(let wrapper, let original): "\(wrapper), around \(original),"
    case .hand: "will and did, by hand,"
    case .coding: "key-value coding"
    }
  }

  // MARK: Why not

  func lines(of answer: WhyNot) -> [String] {
    let told = answer.reasons == [.wasTold]
    let head = told ? "\(answer.observer) was told" : "\(answer.observer) was not told"
    return [style.heading(head)]
      + TextTable(answer.reasons.map { ["because", WhyNotText.text($0)] }).lines
  }
}

extension WhyChain {
  /// `name heard ada.full because it depends on last, set in line 14.`
  var sentence: String {
    let what = "\(notification.object ?? "nil").\(notification.name ?? "")"
    let phase =
      switch notification.phase {
      case .initial: " as it was"
      case .prior: " before its change"
      case .change: ""
      }
    let who = notification.isForwarder ? "a forwarder" : notification.observer ?? ""
    return "\(who) heard \(what)\(phase) because \(reason)."
  }

  private var reason: String {
    // Only what belongs to this notification: behind a callback another one begins.
    let own = Array(links.prefix { if case .callback = $0 { false } else { true } })
    if own.contains(.initial) { return "it registered for it\(place), with the option initial" }
    var reasons: [String] = []
    for link in own {
      switch link {
      case .dependency(_, let route):
        reasons.append("it depends on \(route.joined(separator: ", which depends on "))")
      case .forwarder(let target, _, _):
        reasons.append("\(reasons.isEmpty ? "its" : "that") key path leads to \(target)")
      case .intermediate(let target, _):
        reasons.append("\(target), on the way of its path, was replaced")
      default: break
      }
    }
    if case .intermediate? = own.last(where: \.isRelation) {
      return reasons.joined(separator: ", and ") + place
    }
    let how = deed + place
    return reasons.isEmpty ? "it was \(how)" : reasons.joined(separator: ", and ") + ", \(how)"
  }

  /// The last act on the key.
  private var deed: String {
    if let kind = delivery?.kind, kind != .setting { return "changed by \(indefinite("\(kind)"))" }
    let isByHand = links.contains {
      if case .announcement(_, .hand, _) = $0 { true } else { false }
    }
    return isByHand ? "announced by hand" : "set"
  }

  private var place: String {
    guard case .statement(let origin)? = links.last else { return "" }
    let callback = links.lazy.compactMap { link -> String? in
      if case .callback(let observer, _, let heard, _) = link {
        "by \(observer) when it heard \(heard)"
      } else {
        nil
      }
    }.first
    return (callback.map { " \($0)," } ?? "") + " in line \(origin.line)"
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
    let kind = events.first { $0.id == id }.map { "event \(id) is \(indefinite($0.kind.name))" }
    let shown = heard.prefix(20).joined(separator: ", ") + (heard.count > 20 ? ", …" : "")
    throw InquiryError(
      problem: kind ?? "there is no event \(id)",
      expected: heard.isEmpty
        ? "a scenario in which somebody is told" : "a notification: \(shown)")
  }

  /// A step that may be asked about: without a number the last one that told somebody.
  func changeStep(_ number: Int?) throws(InquiryError) -> Step {
    guard !run.steps.isEmpty else {
      throw InquiryError(problem: "there is no step", expected: "a scenario with statements")
    }
    guard let number else {
      return run.steps.last { !$0.deliveries.isEmpty } ?? run.steps[run.steps.count - 1]
    }
    guard (1...run.steps.count).contains(number) else {
      throw InquiryError(
        problem: "there is no step \(number)", expected: "a step from 1 to \(run.steps.count)")
    }
    return run.steps[number - 1]
  }

  func observer(_ name: String) throws(InquiryError) {
    let known = WhyNot.observers(of: run)
    guard !known.contains(name) else { return }
    throw InquiryError(
      problem: "'\(name)' observes nothing",
      expected: known.isEmpty ? "a scenario with an observer" : alternatives(known))
  }
}
