/// Looks for what kept an observer from being told.
struct WhyNotSearch {
  let run: Run
  let step: Step
  let observer: String

  private var before: WorldState { run.state(at: step.number - 1) }
  private var symbols: Symbols { run.program?.symbols ?? Symbols() }

  var reasons: [WhyNot.Reason] {
    if step.deliveries.contains(where: { $0.observer == observer }) { return [.wasTold] }
    let registrations = before.objects.flatMap(\.registrations)
      .filter { $0.observer == observer && $0.root == nil }
    if registrations.isEmpty { return history }
    if let obstacle { return [obstacle] }
    guard let statement = run.program?.scenario.statements[step.number - 1],
      let attempt = ChangeAttempt(statement.kind, in: before)
    else { return [.changesNothing] }
    guard let object = attempt.object else { return [.nilOnTheWay(target: attempt.reference)] }
    return registrations.flatMap { registration in
      attempt.keys.map { reason(registration, object, $0, attempt) }
    }
  }

  /// Without a registration: it ended, or comes later.
  private var history: [WhyNot.Reason] {
    for step in run.steps.prefix(self.step.number).reversed() {
      let removed = step.events.last { $0.kind == .observerRemoved && $0.observer == observer }
      if let removed {
        return [.ended(target: removed.target, removed.reason, WhyChain.Origin(step))]
      }
    }
    for step in run.steps.dropFirst(self.step.number - 1) {
      let added = step.events.first { $0.kind == .observerAdded && $0.observer == observer }
      if let added { return [.registersLater(target: added.target, WhyChain.Origin(step))] }
    }
    return [.changesNothing]
  }

  private var obstacle: WhyNot.Reason? {
    for fact in step.facts {
      switch fact {
      case .refused(let refusal): return .refused(refusal)
      case .sentToNil: return .nilOnTheWay(target: step.text)
      default: break
      }
    }
    return nil
  }

  // MARK: One registration

  private func reason(
    _ registration: RegistrationView, _ object: String, _ key: String, _ attempt: ChangeAttempt
  ) -> WhyNot.Reason {
    let target = "\(registration.object).\(registration.key)"
    let changed = "\(object).\(key)"
    if listens(registration, to: object, key) {
      return silence(attempt, object, key, target)
    }
    if registration.object == object {
      return isComputed(registration.key, of: object, from: key)
        ? .undeclared(target: target, on: key) : .otherKey(target: target, changed: changed)
    }
    let keys = registration.key.split(separator: ".").map(String.init)
    if keys.count > 1, keys.dropFirst().contains(key) {
      let through = keys.dropLast().first.map { "\(registration.object).\($0)" } ?? target
      return .offPath(target: target, changed: changed, through: through)
    }
    let isa = before.object(object)?.isa ?? "?"
    return .otherObject(target: target, changed: changed, isa: isa)
  }

  /// Whether a change of that key would be for the registration: the key itself, one on its path,
  /// one that affects it.
  private func listens(_ registration: RegistrationView, to object: String, _ key: String) -> Bool {
    var next: String? = registration.object
    for part in registration.key.split(separator: ".").map(String.init) {
      guard let current = next else { return false }
      if current == object, part == key || affecting(part, of: current).contains(key) {
        return true
      }
      next = before.object(named: current, at: part)
    }
    return before.object(object)?.registrations.contains {
      $0.root == "\(registration.object).\(registration.key)" && $0.key == key
    } ?? false
  }

  private func property(_ key: String, of object: String) -> Symbols.Property? {
    symbols.objects[object].flatMap { symbols.property(key, of: $0.className) }
  }

  /// The first keys of all that affects a key, to the end.
  private func affecting(_ key: String, of object: String) -> Set<String> {
    var found: Set<String> = []
    var rest = [key]
    while let key = rest.popLast() {
      for attribute in property(key, of: object)?.declaration.attributes ?? [] {
        guard case .depends(let names) = attribute else { continue }
        for name in names.map({ String($0.text.prefix { $0 != "." }) })
        where found.insert(name).inserted {
          rest.append(name)
        }
      }
    }
    return found
  }

  private func isComputed(_ key: String, of object: String, from other: String) -> Bool {
    let operands = property(key, of: object)?.declaration.expression?.operands ?? []
    return operands.contains {
      if case .path(let path) = $0 { path.text.prefix { $0 != "." } == other } else { false }
    }
  }

  // MARK: A change that should have been heard

  private func silence(
    _ attempt: ChangeAttempt, _ object: String, _ key: String, _ target: String
  ) -> WhyNot.Reason {
    let changed = "\(object).\(key)"
    switch attempt.way {
    case .poke: return .pastSetter(target: changed)
    case .ivarEdit: return .pastAccessors(target: changed)
    case .will: return .announcedOnly(target: changed)
    case .did: return .neverAnnounced(target: changed)
    case .setter, .coding, .edit: break
    }
    if property(key, of: object)?.declaration.isManual == true {
      return .manualKey(target: changed)
    }
    guard let isa = before.object(object)?.isa else { return .unknown(target: target) }
    guard before.cls(isa)?.isNotifying == true else {
      return .plainIsa(object: object, isa: isa)
    }
    let setter = property(key, of: object)?.declaration.setter
    if attempt.way == .setter, let setter,
      let method = before.implementation(setter, in: isa), method.kind == .method
    {
      return .notWrapped(target: changed, method: method.name)
    }
    let value = before.object(object)?.value(of: key)
    if let value, value == step.state.object(object)?.value(of: key) {
      return .sameValue(target: changed, value)
    }
    return .unknown(target: target)
  }
}

extension Event {
  fileprivate var target: String { "\(object ?? "nil").\(name ?? "")" }
}

extension ObjectState {
  fileprivate func value(of key: String) -> Value? {
    ivars.first { $0.name == "_" + key || $0.name == key }?.value
  }
}
