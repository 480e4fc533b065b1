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
      head[0] += "  \(style.good(say("ok", "成立")))"
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
    return lines.prefix(most) + [style.faint(say("… and \(rest) more lines", "……还有 \(rest) 行"))]
  }

  func lines(of fact: Fact, _ width: Int) -> [String] {
    switch fact {
    case .structure(let name, let encoding, let size):
      [say("\(name) is \(encoding), \(size) bytes", "\(name) 是 \(encoding)，\(size) 字节")]
    case .classPair(let name, let superclass, let size, let ivars):
      classPair(name, superclass, size, ivars)
    case .object(let name, let symbol, let className, let address):
      object(name, symbol + place(address), className)
    case .isa(let object, let from, let to, let claim, let claimBefore):
      swap(object, from, to, claim, claimBefore)
    case .notifyingClass(let name, let superclass): notifyingClass(style.notable(name), superclass)
    case .methods(let className, let gained):
      [say("\(className) gains", "\(className) 增加了")] + table(gained)
    case .delivery(let delivery): lines(of: delivery, width)
    case .reaction(let observer, let text, let facts): reaction(observer, text, facts, width)
    case .forwarder(let object, let key, let isThere): forwarder("\(object).\(key)", isThere)
    case .collection(let name, let typeName, let contents):
      [
        say(
          "\(name) is \(indefinite(typeName)): \(contents)", "\(name) 是 \(typeName)：\(contents)")
      ]
    case .silence: [style.faint(say("nobody is told", "没有人收到通知"))]
    case .swizzled(let name, let setter, let method): swizzled(name, setter, method)
    case .unknownKey(let key, let className, let nearest): unknownKey(key, className, nearest)
    case .death(let object): [say("\(object) is deallocated", "\(object) 已销毁")]
    case .answer(let answer): lines(of: answer)
    case .endedBefore(let token): endedBefore(token)
    case .note(let note): [note]
    case .sentToNil: sentToNil
    case .refused(let refusal): lines(of: refusal, say("error", "错误"))
    case .misuse(let refusal): lines(of: refusal, say("misuse", "误用"))
    case .held: [style.good(say("ok", "成立"))]
    case .broken(let actual, let expected): broken(actual, expected)
    }
  }

  /// The words of the language that is asked for.
  func say(_ english: String, _ chinese: String) -> String {
    Text(english, chinese)[options.language]
  }

  // MARK: Sentences

  private func object(_ name: String, _ symbol: String, _ className: String) -> [String] {
    [
      say(
        "\(name) is \(symbol), its isa is \(className)",
        "\(name) 是 \(symbol)，它的 isa 是 \(className)")
    ]
  }

  private func notifyingClass(_ name: String, _ superclass: String) -> [String] {
    [say("\(name) is made, a subclass of \(superclass)", "新建 \(name)，它是 \(superclass) 的子类")]
  }

  private func reaction(
    _ observer: String, _ text: String, _ facts: [Fact], _ width: Int
  ) -> [String] {
    ["  " + say("\(observer) does: \(text)", "\(observer) 执行：\(text)")]
      + facts.flatMap { lines(of: $0, max(width - 4, 42)) }.map { width > 42 ? "    " + $0 : $0 }
  }

  private func forwarder(_ place: String, _ isThere: Bool) -> [String] {
    let text =
      isThere
      ? say("a forwarder joins \(place)", "一个转发者加入 \(place)")
      : say("a forwarder leaves \(place)", "一个转发者离开 \(place)")
    return [style.faint(text)]
  }

  private func endedBefore(_ token: String) -> [String] {
    [
      say(
        "\(token) had ended already: a token may be ended any number of times",
        "\(token) 早已结束：令牌可以结束任意多次")
    ]
  }

  private func swizzled(_ className: String, _ setter: String, _ method: String?) -> [String] {
    guard let method else {
      return [say("\(className) overrides \(setter)", "\(className) 覆盖了 \(setter)")]
    }
    return [
      say(
        "\(setter) and \(method) of \(className) have exchanged their code",
        "\(className) 的 \(setter) 与 \(method) 交换了实现")
    ]
  }

  private func unknownKey(_ key: String, _ className: String, _ nearest: String?) -> [String] {
    let hint = nearest.map { say("; did you mean '\($0)'?", "；是不是想写“\($0)”？") } ?? ""
    return [
      style.bad(say("warning: ", "警告："))
        + say("\(className) knows no key '\(key)'", "\(className) 没有键“\(key)”") + hint
    ]
  }

  private var sentToNil: [String] {
    [
      say(
        "there is no object to set this of: nil on the way takes any message",
        "没有可以设置的对象：路径途中的 nil 会收下任何消息")
    ]
  }

  private func broken(_ actual: String, _ expected: String) -> [String] {
    [
      style.bad(say("BROKEN", "不成立"))
        + say(" \(actual), expected \(expected)", "：实际为 \(actual)，应为 \(expected)")
    ]
  }

  // MARK: Classes

  private func classPair(
    _ name: String, _ superclass: String, _ size: Int, _ ivars: [Fact.IvarView]
  ) -> [String] {
    let head = say(
      "\(name) is a subclass of \(superclass), its instances have \(size) bytes",
      "\(name) 是 \(superclass) 的子类，实例占 \(size) 字节")
    return [head]
      + ivars.map { "  \(padded("\($0.offset)", 3, left: true))  \($0.name)  \($0.encoding)" }
  }

  private func swap(
    _ object: String, _ from: String, _ to: String, _ claim: String, _ claimBefore: String
  ) -> [String] {
    let same = say("\(claim), as before", "\(claim)，与之前相同")
    let claims = claim == claimBefore ? same : "\(claimBefore) → \(claim)"
    return [
      say("isa of \(object): ", "\(object) 的 isa：") + "\(from) → \(style.notable(to))",
      say("class of \(object): ", "\(object) 的 class：") + claims,
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

  func around(_ original: String) -> String { say("around \(original)", "包着 \(original)") }

  func implementation(_ view: ImplementationView) -> String {
    let original = view.original.map { " " + around($0) } ?? ""
    return view.name + original + place(view.address)
  }

  func place(_ address: UInt) -> String {
    options.showsAddresses ? say(" at 0x", " 位于 0x") + String(address, radix: 16) : ""
  }

  // MARK: Notifications

  private func lines(of delivery: Delivery, _ width: Int) -> [String] {
    let parts = self.parts(of: delivery)
    let what = "\(delivery.object.objectName(in: options.language)).\(delivery.key)"
    let head = "→ " + phrase(delivery.phase, delivery.observer, what)
    if parts.isEmpty { return [head] }
    let line = head + say(": ", "：") + parts.joined(separator: say(", ", "，"))
    return line.columns <= width ? [line] : [head] + parts.map { "    " + $0 }
  }

  private func parts(of delivery: Delivery) -> [String] {
    var parts: [String] = []
    if delivery.kind != .setting {
      let list = delivery.indexes.map { "(\($0.map(String.init).joined(separator: ", ")))" }
      parts.append(kind(delivery.kind) + (list.map { say(" at \($0)", " \($0)") } ?? ""))
    }
    if let old = delivery.old { parts.append(say("old", "旧值") + " \(old.value)") }
    if let new = delivery.new { parts.append(say("new", "新值") + " \(new.value)") }
    if delivery.context != 0 { parts.append(say("context", "上下文") + " \(delivery.context)") }
    if delivery.isElsewhere { parts.append(say("on another thread", "在另一线程上")) }
    return parts
  }

  func kind(_ kind: NotificationPattern.Kind) -> String {
    switch kind {
    case .setting: say("setting", "设置")
    case .insertion: say("insertion", "插入")
    case .removal: say("removal", "移除")
    case .replacement: say("replacement", "替换")
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
    case .initial: say("\(who) hears of \(what) as it is", "\(who) 得知 \(what) 的现值")
    case .prior: say("\(who) hears that \(what) will change", "\(who) 得知 \(what) 将要改变")
    case .change: say("\(who) hears that \(what) changed", "\(who) 得知 \(what) 已经改变")
    }
  }
}
