// Answers to questions as lines of text.

extension StepView {
  func lines(of answer: Answer) -> [String] {
    switch answer {
    case .property(let what, let value): [say("step.property", ["key": what, "value": value])]
    case .isa(let object, let name, let address):
      isa(object, name.className(in: options.language) + place(address))
    case .claimedClass(let object, let name):
      [say("step.claims", ["object": object, "class": name])]
    case .superclass(let name, let superclass):
      [say("step.superclass", ["class": name, "superclass": superclass])]
    case .methods(let className, let methods): lines(of: className, methods)
    case .implementation(let message, let view, let code): lines(of: message, view, code)
    case .retainCount(let name, let count): retainCount(name, count)
    case .registrations(let name, let list): registrations(name, list)
    case .alive(let name, let alive):
      [alive ? say("step.alive", ["object": name]) : say("step.dead", ["object": name])]
    case .bulk(let name, let values): [say("step.bulk", ["object": name, "values": values])]
    case .validation(let what, let value, let isValid, let error):
      validation(what, value, isValid, error)
    case .affected(let what, let list): affected(what, list)
    case .affecting(let what, let keys, let isClosure): affecting(what, keys, isClosure)
    case .pending(let name, let list): pending(name, list)
    }
  }

  private func isa(_ object: String, _ name: String) -> [String] {
    [say("step.isa-answer", ["object": object, "class": name])]
  }

  private func retainCount(_ name: String, _ count: Int) -> [String] {
    [say("step.held", ["object": name, "count": count])]
  }

  private func validation(
    _ what: String, _ value: Value, _ isValid: Bool, _ error: String?
  ) -> [String] {
    let may =
      isValid
      ? say("step.valid", ["key": what, "value": value])
      : say("step.invalid", ["key": what, "value": value])
    return [may + (error.map { say("step.colon") + $0 } ?? "")]
  }

  private func lines(of className: String, _ methods: [ImplementationView]) -> [String] {
    methods.isEmpty
      ? [say("step.no-methods", ["class": className])]
      : [say("step.methods", ["class": className])] + table(methods)
  }

  private func lines(of message: String, _ view: ImplementationView?, _ code: [UInt8]) -> [String] {
    guard let view else {
      return [say("step.no-answer", ["message": message])]
    }
    let head = say("step.runs", ["message": message]) + implementation(view)
    guard options.showsAddresses else { return [head] }
    let code = Disassembly.lines(of: code, at: view.address, language: options.language)
    return [head] + code.map { "  " + $0 }
  }

  private func registrations(_ name: String, _ list: [RegistrationView]) -> [String] {
    if list.isEmpty { return [say("step.unobserved", ["object": name])] }
    return list.map { registration in
      let what = "\(name).\(registration.key)"
      let who = registration.observer.objectName(in: options.language)
      if let root = registration.root {
        return say("step.forwarded", ["key": what, "observer": who, "path": root])
      }
      let options = registration.options.joined(separator: ", ")
      let context = registration.context == 0 ? "" : " context \(registration.context)"
      let shared = registration.isShared ? say("step.shared") : ""
      return say("step.observes", ["observer": who, "key": what])
        + "options(\(options))\(context)\(shared)"
    }
  }

  // MARK: Observers of a change

  private func affected(_ what: String, _ list: [RegistrationView]) -> [String] {
    if list.isEmpty {
      return [say("step.tells-nobody", ["key": what])]
    }
    return [say("step.tells", ["key": what])]
      + list.map { registration in
        let who = registration.observer.objectName(in: options.language)
        if let root = registration.root {
          return say("step.tells-forwarded", ["observer": who, "path": root])
        }
        let key = "\(registration.object).\(registration.key)"
        return say("step.tells-one", ["observer": who, "key": key])
      }
  }

  private func affecting(_ what: String, _ keys: [String], _ isClosure: Bool) -> [String] {
    if keys.isEmpty { return [say("step.unaffected", ["key": what])] }
    let list = keys.joined(separator: ", ")
    return [
      isClosure
        ? say("step.affected", ["key": what, "keys": list])
        : say("step.depends", ["key": what, "keys": list])
    ]
  }

  private func pending(_ name: String, _ list: [PendingView]) -> [String] {
    if list.isEmpty {
      return [say("step.no-pending", ["object": name])]
    }
    return list.map { view in
      let what = "\(name).\(view.key)"
      let kind = view.kind == .setting ? say("step.change") : self.kind(view.kind)
      return say("step.pending", ["kind": kind, "key": what])
    }
  }
}
