// The changes in a later state, as far as each step tells of them.

extension WorldState {
  func changes(to later: WorldState) -> [Fact] { swaps(to: later) + gains(to: later) }

  private func swaps(to later: WorldState) -> [Fact] {
    objects.filter(\.isHeld).sorted { $0.name < $1.name }.compactMap { before in
      guard let after = later.object(before.name), after.isHeld, after.isa != before.isa else {
        return nil
      }
      return .isa(
        object: before.name, from: before.isa, to: after.isa, claim: after.claim,
        claimBefore: before.claim)
    }
  }

  private func gains(to later: WorldState) -> [Fact] {
    var facts: [Fact] = []
    for cls in later.classes where cls.isNotifying {
      let before = self.cls(cls.name)
      if before == nil {
        facts.append(.notifyingClass(name: cls.name, superclass: cls.superclass ?? "nil"))
      }
      let known = Set(before?.methods.map(\.selector) ?? [])
      let gained = cls.methods.filter { !known.contains($0.selector) }
      if !gained.isEmpty { facts.append(.methods(className: cls.name, gained: gained)) }
    }
    return facts
  }
}
