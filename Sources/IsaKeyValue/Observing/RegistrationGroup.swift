/// Registrations that serve one observation, which heeds the scopes as one.
package final class RegistrationGroup: RegistrationControl, Sendable {
  private struct State {
    var parts: [any RegistrationControl] = []
    var isEnded = false
  }

  private let state: Locked<State>

  /// - Parameter isEnded: Whether it is of nothing, and not valid.
  package init(isEnded: Bool = false) { state = Locked(State(isEnded: isEnded)) }

  /// A group of the registrations that `fill` adds; they end if it throws.
  package static func make(
    _ fill: (RegistrationGroup) throws(KeyValueError) -> Void
  ) throws(KeyValueError) -> RegistrationGroup {
    let group = RegistrationGroup()
    do {
      try fill(group)
      return group
    } catch {
      group.invalidate()
      throw error
    }
  }

  /// Takes over a registration, and ends it at once if the group has ended.
  package func add(_ part: any RegistrationControl) {
    let isLate = state.withLock { state in
      if !state.isEnded { state.parts.append(part) }
      return state.isEnded
    }
    if isLate { part.invalidate() }
  }

  package var isValid: Bool {
    let (parts, isEnded) = state.withLock { ($0.parts, $0.isEnded) }
    // Without a part it is being made.
    return !isEnded && (parts.isEmpty || parts.contains { $0.isValid })
  }

  package func invalidate() { end().forEach { $0.invalidate() } }

  package func invalidateAndWait() { end().forEach { $0.invalidateAndWait() } }

  package var identities: [UInt] {
    [identity(of: self)] + state.withLock { $0.parts }.flatMap { $0.identities }
  }

  private func end() -> [any RegistrationControl] {
    state.withLock { state in
      state.isEnded = true
      return state.parts
    }
  }
}
