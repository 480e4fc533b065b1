import CIsa

/// The classes of all objects and the methods of all notifying classes at one moment.
struct Snapshot {
  private struct Identity: Hashable {
    var isa: String
    var claim: String
  }

  private var identities: [String: Identity] = [:]
  private var notifying: [(name: String, superclass: String, methods: [ImplementationView])] = []

  init(_ world: World, _ inspector: Inspector) {
    for (name, object) in world.objects {
      identities[name] = Identity(
        isa: inspector.trueClass(of: object), claim: inspector.claimedClass(of: object))
    }
    notifying = inspector.notifyingClasses().map {
      let superclass = isa_class_superclass($0).map { inspector.names.className($0) } ?? "nil"
      return (inspector.names.className($0), superclass, inspector.methods(of: $0))
    }
  }

  /// What is different in a later snapshot.
  func changes(to later: Snapshot) -> [Fact] {
    swaps(to: later) + gains(to: later)
  }

  private func swaps(to later: Snapshot) -> [Fact] {
    identities.keys.sorted().compactMap { name in
      let before = identities[name]!
      guard let after = later.identities[name], after.isa != before.isa else { return nil }
      return .isa(
        object: name, from: before.isa, to: after.isa, claim: after.claim, claimBefore: before.claim
      )
    }
  }

  private func gains(to later: Snapshot) -> [Fact] {
    var facts: [Fact] = []
    for cls in later.notifying {
      let before = notifying.first { $0.name == cls.name }
      if before == nil { facts.append(.notifyingClass(name: cls.name, superclass: cls.superclass)) }
      let known = Set(before?.methods.map(\.selector) ?? [])
      let gained = cls.methods.filter { !known.contains($0.selector) }
      if !gained.isEmpty { facts.append(.methods(className: cls.name, gained: gained)) }
    }
    return facts
  }
}
