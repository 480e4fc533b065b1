// Answers to questions as lines of text.

extension StepView {
  func lines(of answer: Answer) -> [String] {
    switch answer {
    case .property(let what, let value): [say("\(what) is \(value)", "\(what) 为 \(value)")]
    case .isa(let object, let name, let address):
      isa(object, name.className(in: options.language) + place(address))
    case .claimedClass(let object, let name):
      [say("\(object) says that its class is \(name)", "\(object) 自称它的类是 \(name)")]
    case .superclass(let name, let superclass):
      [say("the superclass of \(name) is \(superclass)", "\(name) 的父类是 \(superclass)")]
    case .methods(let className, let methods): lines(of: className, methods)
    case .implementation(let message, let view, let code): lines(of: message, view, code)
    case .retainCount(let name, let count): retainCount(name, count)
    case .registrations(let name, let list): registrations(name, list)
    case .alive(let name, let alive):
      [alive ? say("\(name) is alive", "\(name) 还活着") : say("\(name) is dead", "\(name) 已不存在")]
    case .bulk(let name, let values): [say("\(name) answers \(values)", "\(name) 回答 \(values)")]
    case .validation(let what, let value, let isValid, let error):
      validation(what, value, isValid, error)
    case .affected(let what, let list): affected(what, list)
    case .affecting(let what, let keys, let isClosure): affecting(what, keys, isClosure)
    case .pending(let name, let list): pending(name, list)
    }
  }

  private func isa(_ object: String, _ name: String) -> [String] {
    [say("the isa of \(object) is \(name)", "\(object) 的 isa 是 \(name)")]
  }

  private func retainCount(_ name: String, _ count: Int) -> [String] {
    let times = "\(count) time\(count == 1 ? "" : "s")"
    return [say("\(name) is held \(times)", "\(name) 有 \(count) 个引用")]
  }

  private func validation(
    _ what: String, _ value: Value, _ isValid: Bool, _ error: String?
  ) -> [String] {
    let may =
      isValid
      ? say("\(what) may be \(value)", "\(what) 可以是 \(value)")
      : say("\(what) must not be \(value)", "\(what) 不可以是 \(value)")
    return [may + (error.map { say(": ", "：") + $0 } ?? "")]
  }

  private func lines(of className: String, _ methods: [ImplementationView]) -> [String] {
    methods.isEmpty
      ? [say("\(className) itself has no methods", "\(className) 自身没有方法")]
      : [say("\(className) itself has", "\(className) 自身有")] + table(methods)
  }

  private func lines(of message: String, _ view: ImplementationView?, _ code: [UInt8]) -> [String] {
    guard let view else {
      return [say("\(message) is answered by nobody", "\(message) 没有人应答")]
    }
    let head = say("\(message) runs ", "\(message) 执行 ") + implementation(view)
    guard options.showsAddresses else { return [head] }
    let code = Disassembly.lines(of: code, at: view.address, language: options.language)
    return [head] + code.map { "  " + $0 }
  }

  private func registrations(_ name: String, _ list: [RegistrationView]) -> [String] {
    if list.isEmpty { return [say("nobody observes \(name)", "没有人观察 \(name)")] }
    return list.map { registration in
      let what = "\(name).\(registration.key)"
      let who = registration.observer
      if let root = registration.root {
        return say(
          "a forwarder observes \(what) for \(who), who observes \(root)",
          "一个转发者观察 \(what)，它代表观察 \(root) 的 \(who)")
      }
      let options = registration.options.joined(separator: ", ")
      let context = registration.context == 0 ? "" : " context \(registration.context)"
      let shared = registration.isShared ? say(", shared", "，共享") : ""
      return say("\(who) observes \(what) ", "\(who) 观察 \(what) ")
        + "options(\(options))\(context)\(shared)"
    }
  }

  // MARK: Observers of a change

  private func affected(_ what: String, _ list: [RegistrationView]) -> [String] {
    if list.isEmpty {
      return [say("a change of \(what) would tell nobody", "\(what) 若改变，没有人会收到通知")]
    }
    return [say("a change of \(what) would tell", "\(what) 若改变，将通知")]
      + list.map { registration in
        let who = registration.observer
        if let root = registration.root {
          return say(
            "  \(who), through a forwarder, that \(root) changed", "  \(who)：经由转发者，\(root) 已经改变")
        }
        let key = "\(registration.object).\(registration.key)"
        return say("  \(who), that \(key) changed", "  \(who)：\(key) 已经改变")
      }
  }

  private func affecting(_ what: String, _ keys: [String], _ isClosure: Bool) -> [String] {
    if keys.isEmpty { return [say("nothing affects \(what)", "没有什么影响 \(what)")] }
    let list = keys.joined(separator: ", ")
    return [
      isClosure
        ? say("\(what) is affected in the end by \(list)", "\(what) 归根结底受这些键影响：\(list)")
        : say("\(what) depends on \(list)", "\(what) 依赖 \(list)")
    ]
  }

  private func pending(_ name: String, _ list: [PendingView]) -> [String] {
    if list.isEmpty {
      return [say("no change of \(name) is announced", "\(name) 没有已宣布而未结束的改变")]
    }
    return list.map { view in
      let what = "\(name).\(view.key)"
      let kind = view.kind == .setting ? "a change" : indefinite(view.kind.rawValue)
      return say(
        "\(kind) of \(what) is announced",
        "已宣布 \(what) 的" + (view.kind == .setting ? "改变" : self.kind(view.kind)))
    }
  }
}
