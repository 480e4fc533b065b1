/// A step as lines of text: the scenario's line, and below it what happened.
struct StepView {
  let options: TextOptions
  private var style: TextStyle { options.style }
  private static let indent = "      "
  /// The rest of 80 columns.
  private static let width = 80 - indent.count

  init(_ options: TextOptions) { self.options = options }

  /// - Parameter translation: The statement in the language that is asked for.
  func lines(of step: Step, translation: [String] = []) -> [String] {
    let translated = self.translated(translation)
    var head = head(of: step)
    if step.facts == [.held] {
      head[0] += "  \(style.good(say("step.ok")))"
      return head + translated
    }
    let lines =
      head + translated
      + shortened(step.facts.flatMap { self.lines(of: $0, StepView.width) })
      .map { StepView.indent + $0 }
    return options.showsTrace ? lines + TraceView(options).lines(of: step.events) : lines
  }

  /// The scenario's own lines: of a struct or class all members.
  private func head(of step: Step) -> [String] {
    let number = padded("\(step.number)", 3, left: true)
    let lines = step.lines.flatMap { fitted($0, width: 75) }
    return lines.enumerated().map { index, line in
      (index == 0 ? "\(style.faint(number))  " : "     ") + style.heading(line)
    }
  }

  /// The statement in the other language, whose name stands before it.
  private func translated(_ lines: [String]) -> [String] {
    guard let language = options.translation else { return [] }
    let name = language.rawValue
    return lines.enumerated().map { index, line in
      let word = index == 0 ? name : String(repeating: " ", count: name.count)
      return StepView.indent + style.faint(word) + "  " + line.shown
    }
  }

  /// A step of a loop may tell more than anybody reads.
  private func shortened(_ lines: [String]) -> [String] {
    let most = 200
    guard lines.count > most else { return lines }
    let rest = lines.count - most
    return lines.prefix(most) + [style.faint(say("step.more", ["count": rest]))]
  }

  func lines(of fact: Fact, _ width: Int) -> [String] {
    switch fact {
    case .structure(let name, let encoding, let size):
      [say("step.structure", ["name": name, "encoding": encoding, "size": size])]
    case .classPair(let name, let superclass, let size, let ivars):
      classPair(name, superclass, size, ivars)
    case .object(let name, let symbol, let className, let address):
      object(name, symbol + place(address), className)
    case .isa(let object, let from, let to, let claim, let claimBefore):
      swap(object, from, to, claim, claimBefore)
    case .notifyingClass(let name, let superclass): notifyingClass(style.notable(name), superclass)
    case .methods(let className, let gained):
      [say("step.gains", ["class": className])] + table(gained)
    case .delivery(let delivery): lines(of: delivery, width)
    case .reaction(let observer, let text, let facts): reaction(observer, text, facts, width)
    case .forwarder(let object, let key, let isThere): forwarder("\(object).\(key)", isThere)
    case .collection(let name, let typeName, let contents):
      [
        say("step.collection", ["name": name, "type": typeName, "contents": contents])
      ]
    case .silence: [style.faint(say("step.silence"))]
    case .swizzled(let name, let setter, let method): swizzled(name, setter, method)
    case .unknownKey(let key, let className, let nearest): unknownKey(key, className, nearest)
    case .death(let object): [say("step.deallocated", ["object": object])]
    case .answer(let answer): lines(of: answer)
    case .endedBefore(let token): endedBefore(token)
    case .note(let note): [note[options.language]]
    case .sentToNil: sentToNil
    case .refused(let refusal): lines(of: refusal, say("step.error"))
    case .misuse(let refusal): lines(of: refusal, say("step.misuse"))
    case .held: [style.good(say("step.ok"))]
    case .broken(let actual, let expected): broken(actual, expected)
    }
  }

  /// The words of the language that is asked for.
  func say(_ key: String, _ places: Places = [:]) -> String {
    options.language.say(key, places)
  }

  // MARK: Sentences

  private func object(_ name: String, _ symbol: String, _ className: String) -> [String] {
    [
      say("step.object", ["name": name, "symbol": symbol, "class": className])
    ]
  }

  private func notifyingClass(_ name: String, _ superclass: String) -> [String] {
    [say("step.notifying-class", ["class": name, "superclass": superclass])]
  }

  private func reaction(
    _ observer: String, _ text: String, _ facts: [Fact], _ width: Int
  ) -> [String] {
    ["  " + say("step.does", ["observer": observer, "text": text])]
      + facts.flatMap { lines(of: $0, max(width - 4, 42)) }.map { width > 42 ? "    " + $0 : $0 }
  }

  private func forwarder(_ place: String, _ isThere: Bool) -> [String] {
    let text =
      isThere
      ? say("step.forwarder-joins", ["place": place])
      : say("step.forwarder-leaves", ["place": place])
    return [style.faint(text)]
  }

  private func endedBefore(_ token: String) -> [String] {
    [
      say("step.ended-before", ["token": token])
    ]
  }

  private func swizzled(_ className: String, _ setter: String, _ method: String?) -> [String] {
    guard let method else {
      return [say("step.overrides", ["class": className, "setter": setter])]
    }
    return [
      say("step.exchanged", ["setter": setter, "method": method, "class": className])
    ]
  }

  private func unknownKey(_ key: String, _ className: String, _ nearest: String?) -> [String] {
    let hint = nearest.map { say("step.did-you-mean", ["key": $0]) } ?? ""
    return [
      style.bad(say("step.warning"))
        + say("step.unknown-key", ["class": className, "key": key]) + hint
    ]
  }

  private var sentToNil: [String] {
    [
      say("step.sent-to-nil")
    ]
  }

  private func broken(_ actual: Text, _ expected: Text) -> [String] {
    [
      style.bad(say("step.broken"))
        + say("step.actual", ["actual": actual, "expected": expected])
    ]
  }

  // MARK: Classes

  private func classPair(
    _ name: String, _ superclass: String, _ size: Int, _ ivars: [Fact.IvarView]
  ) -> [String] {
    let head = say("step.class-pair", ["class": name, "superclass": superclass, "size": size])
    return [head]
      + ivars.map { "  \(padded("\($0.offset)", 3, left: true))  \($0.name)  \($0.encoding)" }
  }

  private func swap(
    _ object: String, _ from: String, _ to: String, _ claim: String, _ claimBefore: String
  ) -> [String] {
    let same = say("step.as-before", ["class": claim])
    let claims = claim == claimBefore ? same : "\(claimBefore) → \(claim)"
    return [
      say("step.isa-of", ["object": object]) + "\(from) → \(style.notable(to))",
      say("step.class-of", ["object": object]) + claims,
    ]
  }

  func table(_ methods: [ImplementationView]) -> [String] {
    func isShort(_ view: ImplementationView) -> Bool {
      view.selector.columns + implementation(view).columns + 4 <= StepView.width
    }
    let width = methods.filter(isShort).map(\.selector.count).max() ?? 0
    return methods.flatMap { view in
      isShort(view)
        ? ["  \(padded(view.selector, width))  \(implementation(view))"]
        : ["  " + view.selector, "    " + view.name + place(view.address)] + original(view)
    }
  }

  private func original(_ view: ImplementationView) -> [String] {
    view.original.map { ["    " + around($0)] } ?? []
  }

  func around(_ original: String) -> String { say("step.around", ["method": original]) }

  func implementation(_ view: ImplementationView) -> String {
    let original = view.original.map { " " + around($0) } ?? ""
    return view.name + original + place(view.address)
  }

  func place(_ address: UInt) -> String {
    options.showsAddresses ? say("step.at-address") + String(address, radix: 16) : ""
  }

  // MARK: Notifications

  private func lines(of delivery: Delivery, _ width: Int) -> [String] {
    let parts = self.parts(of: delivery)
    let what = "\(delivery.object.objectName(in: options.language)).\(delivery.key)"
    let who = delivery.observer.objectName(in: options.language)
    let head = "→ " + phrase(delivery.phase, who, what)
    if parts.isEmpty { return [head] }
    let line = head + say("step.colon") + parts.joined(separator: say("step.comma"))
    return line.columns <= width ? [line] : [head] + parts.map { "    " + $0 }
  }

  private func parts(of delivery: Delivery) -> [String] {
    var parts: [String] = []
    if delivery.kind != .setting {
      let list = delivery.indexes.map { "(\($0.map(String.init).joined(separator: ", ")))" }
      parts.append(kind(delivery.kind) + (list.map { say("step.at", ["indexes": $0]) } ?? ""))
    }
    if let old = delivery.old { parts.append(say("step.old") + " \(old.value)") }
    if let new = delivery.new { parts.append(say("step.new") + " \(new.value)") }
    if delivery.context != 0 { parts.append(say("step.context") + " \(delivery.context)") }
    if delivery.isElsewhere { parts.append(say("step.other-thread")) }
    return parts
  }

  func kind(_ kind: NotificationPattern.Kind) -> String {
    switch kind {
    case .setting: say("step.setting")
    case .insertion: say("step.insertion")
    case .removal: say("step.removal")
    case .replacement: say("step.replacement")
    }
  }

  private func lines(of refusal: Refusal, _ word: String) -> [String] {
    let text = wrapped("\(refusal.exception): \(refusal.reason)", width: StepView.width - 7)
    return text.enumerated().map { index, line in
      index == 0 ? "\(style.bad(word)) \(line)" : "    " + line
    }
  }

  private func phrase(
    _ phase: NotificationPattern.Phase, _ who: String, _ what: String
  ) -> String {
    switch phase {
    case .initial: say("step.initially", ["observer": who, "key": what])
    case .prior: say("step.will-change", ["observer": who, "key": what])
    case .change: say("step.did-change", ["observer": who, "key": what])
    }
  }
}
