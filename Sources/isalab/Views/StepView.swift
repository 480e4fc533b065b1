/// A step as lines of text: the scenario's line, and below it what happened.
struct StepView {
  let options: TextOptions
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
    let lines =
      [head]
      + shortened(step.facts.flatMap { self.lines(of: $0, StepView.width) })
      .map { StepView.indent + $0 }
    return options.showsTrace ? lines + TraceView(options).lines(of: step.events) : lines
  }

  /// A step of a loop may tell more than anybody reads.
  private func shortened(_ lines: [String]) -> [String] {
    let most = 200
    guard lines.count > most else { return lines }
    return lines.prefix(most) + [style.faint("… and \(lines.count - most) more lines")]
  }

  func lines(of fact: Fact, _ width: Int) -> [String] {
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
    case .delivery(let delivery): lines(of: delivery, width)
    case .reaction(let observer, let text, let facts):
      ["  \(observer) does: \(text)"]
        + facts.flatMap { lines(of: $0, max(width - 4, 42)) }
        .map { width > 42 ? "    " + $0 : $0 }
    case .forwarder(let object, let key, let isThere):
      [style.faint("a forwarder \(isThere ? "joins" : "leaves") \(object).\(key)")]
    case .collection(let name, let typeName, let contents):
      ["\(name) is \(indefinite(typeName)): \(contents)"]
    case .silence: [style.faint("nobody is told")]
    case .death(let object): ["\(object) is deallocated"]
    case .answer(let answer): lines(of: answer)
    case .endedBefore(let token):
      ["\(token) had ended already: a token may be ended any number of times"]
    case .sentToNil: ["there is no object to set this of: nil on the way takes any message"]
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

  func table(_ methods: [ImplementationView]) -> [String] {
    func isShort(_ view: ImplementationView) -> Bool {
      view.selector.count + implementation(view).count + 4 <= StepView.width
    }
    let width = methods.filter(isShort).map(\.selector.count).max() ?? 0
    return methods.flatMap { view in
      isShort(view)
        ? ["  \(padded(view.selector, width))  \(implementation(view))"]
        : ["  " + view.selector, "    " + view.name + place(view.address)] + original(view)
    }
  }

  private func original(_ view: ImplementationView) -> [String] {
    view.original.map { ["    around \($0)"] } ?? []
  }

  func implementation(_ view: ImplementationView) -> String {
    let original = view.original.map { " around \($0)" } ?? ""
    return view.name + original + place(view.address)
  }

  func place(_ address: UInt) -> String {
    options.showsAddresses ? " at 0x" + String(address, radix: 16) : ""
  }

  func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - text.count))
    return left ? blanks + text : text + blanks
  }

  // MARK: Notifications

  private func lines(of delivery: Delivery, _ width: Int) -> [String] {
    var parts: [String] = []
    if delivery.kind != .setting {
      let indexes = delivery.indexes.map { " at (\($0.map(String.init).joined(separator: ", ")))" }
      parts.append("\(delivery.kind)\(indexes ?? "")")
    }
    if let old = delivery.old { parts.append("old \(old.value)") }
    if let new = delivery.new { parts.append("new \(new.value)") }
    if delivery.context != 0 { parts.append("context \(delivery.context)") }
    if delivery.isElsewhere { parts.append("on another thread") }
    let what = "\(delivery.object).\(delivery.key)"
    let head = "→ \(delivery.observer) hears \(phrase(delivery.phase, what))"
    if parts.isEmpty { return [head] }
    let line = head + ": " + parts.joined(separator: ", ")
    return line.count <= width ? [line] : [head] + parts.map { "    " + $0 }
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
}
