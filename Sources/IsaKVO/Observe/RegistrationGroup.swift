internal import IsaKeyValue

/// Registrations that serve one observation, which heeds the scopes as one.
final class RegistrationGroup: RegistrationControl, Sendable {
  private struct State {
    var parts: [any RegistrationControl] = []
    var isEnded = false
  }

  private let state = Locked(State())

  /// A group of the registrations that `fill` adds; they end if it throws.
  static func make(
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
  func add(_ part: any RegistrationControl) {
    let isLate = state.withLock { state in
      if !state.isEnded { state.parts.append(part) }
      return state.isEnded
    }
    if isLate { part.invalidate() }
  }

  var isValid: Bool {
    let (parts, isEnded) = state.withLock { ($0.parts, $0.isEnded) }
    // Without a part it is being made.
    return !isEnded && (parts.isEmpty || parts.contains { $0.isValid })
  }

  func invalidate() { end().forEach { $0.invalidate() } }

  func invalidateAndWait() { end().forEach { $0.invalidateAndWait() } }

  var identities: [UInt] {
    [identity(of: self)] + state.withLock { $0.parts }.flatMap { $0.identities }
  }

  private func end() -> [any RegistrationControl] {
    state.withLock { state in
      state.isEnded = true
      return state.parts
    }
  }
}
