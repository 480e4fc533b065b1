// The changes in a later state, as far as each step tells of them.

extension WorldState {
  func changes(to later: WorldState) -> [Fact] { swaps(to: later) + gains(to: later) }

  private func swaps(to later: WorldState) -> [Fact] {
    later.objects.differences(from: objects).altered.filter { before, after in
      before.isHeld && after.isHeld && after.isa != before.isa
    }.sorted { $0.0.name < $1.0.name }.map { before, after in
      .isa(
        object: before.name, from: before.isa, to: after.isa, claim: after.claim,
        claimBefore: before.claim)
    }
  }

  private func gains(to later: WorldState) -> [Fact] {
    later.classes.differences(from: classes).changed.flatMap { before, after -> [Fact] in
      guard after.isNotifying else { return [] }
      let known = Set(before?.methods.map(\.selector) ?? [])
      let gained = after.methods.filter { !known.contains($0.selector) }
      return
        (before == nil
        ? [.notifyingClass(name: after.name, superclass: after.superclass ?? "nil")] : [])
        + (gained.isEmpty ? [] : [.methods(className: after.name, gained: gained)])
    }
  }
}
