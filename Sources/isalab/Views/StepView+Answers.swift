// Answers to questions as lines of text.

extension StepView {
  func lines(of answer: Answer) -> [String] {
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
    case .bulk(let name, let values): ["\(name) answers \(values)"]
    case .validation(let what, let value, let isValid, let error):
      ["\(what) \(isValid ? "may be" : "must not be") \(value)" + (error.map { ": \($0)" } ?? "")]
    case .affected(let what, let list): affected(what, list)
    case .affecting(let what, let keys, let isClosure): affecting(what, keys, isClosure)
    case .pending(let name, let list): pending(name, list)
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
    return list.map { registration in
      if let root = registration.root {
        return "a forwarder observes \(name).\(registration.key) for \(registration.observer), "
          + "who observes \(root)"
      }
      let options = registration.options.joined(separator: ", ")
      let context = registration.context == 0 ? "" : " context \(registration.context)"
      let shared = registration.isShared ? ", shared" : ""
      return "\(registration.observer) observes \(name).\(registration.key) "
        + "options(\(options))\(context)\(shared)"
    }
  }

  // MARK: Who would be told

  private func affected(_ what: String, _ list: [RegistrationView]) -> [String] {
    if list.isEmpty { return ["a change of \(what) would tell nobody"] }
    return ["a change of \(what) would tell"]
      + list.map { registration in
        let root = registration.root.map { "through a forwarder, that \($0) changed" }
        return "  \(registration.observer), "
          + (root ?? "that \(registration.object).\(registration.key) changed")
      }
  }

  private func affecting(_ what: String, _ keys: [String], _ isClosure: Bool) -> [String] {
    if keys.isEmpty { return ["nothing affects \(what)"] }
    let list = keys.joined(separator: ", ")
    return [isClosure ? "\(what) is affected in the end by \(list)" : "\(what) depends on \(list)"]
  }

  private func pending(_ name: String, _ list: [PendingView]) -> [String] {
    if list.isEmpty { return ["no change of \(name) is announced"] }
    return list.map { view in
      let kind = view.kind == .setting ? "a change" : indefinite(view.kind.rawValue)
      return "\(kind) of \(name).\(view.key) is announced"
    }
  }
}
