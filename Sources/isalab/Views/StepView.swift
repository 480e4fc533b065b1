/// A step as lines of text: the scenario's line, and below it what happened.
struct StepView {
  private let options: TextOptions
  private var style: TextStyle { options.style }
  private static let indent = "      "
  /// What is left of 80 columns.
  private static let width = 80 - indent.count

  init(_ options: TextOptions) { self.options = options }

  func lines(of step: Step) -> [String] {
    let number =
      String(repeating: " ", count: max(0, 3 - "\(step.number)".count)) + "\(step.number)"
    let head = "\(style.faint(number))  \(style.heading(step.text))"
    if step.facts == [.held] { return ["\(head)  \(style.good("ok"))"] }
    var lines = [head]
    for fact in step.facts { lines += self.lines(of: fact).map { StepView.indent + $0 } }
    if options.showsTrace { lines += trace(of: step.events) }
    return lines
  }

  private func lines(of fact: Fact) -> [String] {
    switch fact {
    case .structure(let name, let encoding, let size): ["\(name) is \(encoding), \(size) bytes"]
    case .classPair(let name, let superclass, let size, let ivars):
      classPair(name, superclass, size, ivars)
    case .object(let name, let symbol, let className, let address):
      ["\(name) is \(symbol)\(place(address)), its isa is \(className)"]
    case .isa(let object, let from, let to, let claim, let claimBefore):
      swap(object, from, to, claim, claimBefore)
    case .notifyingClass(let name, let superclass):
      ["\(style.notable(name)) is made, a subclass of \(superclass)"]
    case .methods(let className, let gained): ["\(className) gains"] + table(gained)
    case .delivery(let delivery): lines(of: delivery)
    case .silence: [style.faint("nobody is told")]
    case .death(let object): ["\(object) is deallocated"]
    case .answer(let answer): lines(of: answer)
    case .note(let note): [note]
    case .refused(let refusal): lines(of: refusal, "error")
    case .misuse(let refusal): lines(of: refusal, "misuse")
    case .held: [style.good("ok")]
    case .broken(let actual, let expected):
      [style.bad("BROKEN") + " \(actual), expected \(expected)"]
    }
  }

  // MARK: Classes

  private func classPair(
    _ name: String, _ superclass: String, _ size: Int, _ ivars: [Fact.IvarView]
  ) -> [String] {
    let head = "\(name) is a subclass of \(superclass), its instances have \(size) bytes"
    return [head]
      + ivars.map { "  \(padded("\($0.offset)", 3, left: true))  \($0.name)  \($0.encoding)" }
  }

  private func swap(
    _ object: String, _ from: String, _ to: String, _ claim: String, _ claimBefore: String
  ) -> [String] {
    let claims = claim == claimBefore ? "\(claim), as before" : "\(claimBefore) → \(claim)"
    return [
      "isa of \(object): \(from) → \(style.notable(to))",
      "class of \(object): \(claims)",
    ]
  }

  private func table(_ methods: [ImplementationView]) -> [String] {
    let width = methods.map(\.selector.count).max() ?? 0
    return methods.map { "  \(padded($0.selector, width))  \(implementation($0))" }
  }

  private func implementation(_ view: ImplementationView) -> String {
    let original = view.original.map { " around \($0)" } ?? ""
    return view.name + original + place(view.address)
  }

  private func place(_ address: UInt) -> String {
    options.showsAddresses ? " at 0x" + String(address, radix: 16) : ""
  }

  private func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - text.count))
    return left ? blanks + text : text + blanks
  }

  // MARK: Notifications

  private func lines(of delivery: Delivery) -> [String] {
    var parts: [String] = []
    if let old = delivery.old { parts.append("old \(old.value)") }
    if let new = delivery.new { parts.append("new \(new.value)") }
    if delivery.context != 0 { parts.append("context \(delivery.context)") }
    let what = "\(delivery.object).\(delivery.key)"
    let head = "→ \(delivery.observer) hears \(phrase(delivery.phase, what))"
    if parts.isEmpty { return [head] }
    let line = head + ": " + parts.joined(separator: ", ")
    return line.count <= StepView.width ? [line] : [head] + parts.map { "    " + $0 }
  }

  private func lines(of refusal: Refusal, _ word: String) -> [String] {
    let text = wrapped("\(refusal.exception): \(refusal.reason)", width: StepView.width - 7)
    return text.enumerated().map { index, line in
      index == 0 ? "\(style.bad(word)) \(line)" : "    " + line
    }
  }

  private func phrase(_ phase: NotificationPattern.Phase, _ what: String) -> String {
    switch phase {
    case .initial: "of \(what) as it is"
    case .prior: "that \(what) will change"
    case .change: "that \(what) changed"
    }
  }

  // MARK: Answers

  private func lines(of answer: Answer) -> [String] {
    switch answer {
    case .property(let what, let value): ["\(what) is \(value)"]
    case .isa(let object, let name, let address):
      ["the isa of \(object) is \(name)\(place(address))"]
    case .claimedClass(let object, let name): ["\(object) says that its class is \(name)"]
    case .superclass(let name, let superclass): ["the superclass of \(name) is \(superclass)"]
    case .methods(let className, let methods):
      methods.isEmpty
        ? ["\(className) itself has no methods"] : ["\(className) itself has"] + table(methods)
    case .implementation(let message, let view, let code): lines(of: message, view, code)
    case .retainCount(let name, let count):
      ["\(name) is held \(count) time\(count == 1 ? "" : "s")"]
    case .registrations(let name, let list): registrations(name, list)
    case .alive(let name, let alive): ["\(name) \(alive ? "is alive" : "is dead")"]
    }
  }

  private func lines(of message: String, _ view: ImplementationView?, _ code: [UInt8]) -> [String] {
    guard let view else { return ["\(message) is answered by nobody"] }
    let head = "\(message) runs \(implementation(view))"
    guard options.showsAddresses else { return [head] }
    return [head] + Disassembly.lines(of: code, at: view.address).map { "  " + $0 }
  }

  private func registrations(_ name: String, _ list: [RegistrationView]) -> [String] {
    if list.isEmpty { return ["nobody observes \(name)"] }
    return list.map {
      let options = $0.options.joined(separator: ", ")
      let context = $0.context == 0 ? "" : " context \($0.context)"
      return "\($0.observer) observes \(name).\($0.key) options(\(options))\(context)"
    }
  }

  // MARK: The event log

  private func trace(of events: [Event]) -> [String] {
    var depths: [UInt64: Int] = [:]
    return events.map { event in
      let depth = depths[event.cause].map { $0 + 1 } ?? 0
      depths[event.id] = depth
      let indent = StepView.indent + "| " + String(repeating: "  ", count: depth)
      return style.faint(indent + event.kind + " " + event.text)
    }
  }
}
