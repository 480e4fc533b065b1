internal import IsaKVO
internal import IsaKeyValue

/// Observations of which each is there at most once.
///
/// Nothing is registered or ended under the lock: handlers of initial notifications, which run
/// meanwhile, may use the table.
final class ObservationTable<Key: Hashable & Sendable>: Sendable {
  private struct Entry {
    let claim: UInt
    let path: String
    let options: ObservationOptions
    /// Nil while it is being made.
    var observation: KeyValueObservation?
    /// The object that is kept as long as the observation stands.
    let kept: AnyObject?

    var stands: Bool { observation?.isValid ?? true }
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    var limit = 16

    /// Takes out what has ended on its own, if there is enough for it to matter.
    mutating func sweep() -> [Entry] {
      guard entries.count > limit else { return [] }
      let ended = entries.filter { !$0.value.stands }
      for key in ended.keys { entries[key] = nil }
      limit = max(16, 2 * entries.count)
      return Array(ended.values)
    }
  }

  private let state = Locked(State())

  /// Makes an observation, unless there is one with the same options.
  ///
  /// - Returns: Whether it was made.
  /// - Throws: `KeyValueError.Code.alreadyObserved` if there is one with others,
  ///   and what `register` throws.
  func add(
    _ key: Key, _ path: String, _ options: ObservationOptions, keeping kept: AnyObject? = nil,
    _ register: () throws(KeyValueError) -> any RegistrationControl
  ) throws(KeyValueError) -> Bool {
    let claim = nextNumber()
    let entry = Entry(claim: claim, path: path, options: options, observation: nil, kept: kept)
    if let known = take(entry, key) {
      if known.options == options { return false }
      throw KeyValueError(
        .alreadyObserved, key: known.path,
        reason: "“\(known.path)” is observed already, with the options \(known.options)")
    }
    do throws(KeyValueError) {
      let observation = KeyValueObservation(try register())
      if !settle(key, claim, observation) { observation.invalidate() }
      return true
    } catch {
      withdraw(key, claim)
      throw error
    }
  }

  /// Puts in an entry, unless one stands, which is returned.
  private func take(_ entry: Entry, _ key: Key) -> Entry? {
    let (standing, ended) = state.withLock { state -> (Entry?, [Entry]) in
      if let known = state.entries[key], known.stands { return (known, []) }
      let ended = [state.entries.updateValue(entry, forKey: key)].compactMap { $0 }
      return (nil, ended + state.sweep())
    }
    withExtendedLifetime(ended) {}
    return standing
  }

  /// Completes an entry; false if it was removed meanwhile.
  private func settle(_ key: Key, _ claim: UInt, _ observation: KeyValueObservation) -> Bool {
    state.withLock { state in
      guard state.entries[key]?.claim == claim else { return false }
      state.entries[key]?.observation = observation
      return true
    }
  }

  private func withdraw(_ key: Key, _ claim: UInt) {
    let entry = state.withLock { state in
      state.entries[key]?.claim == claim ? state.entries.removeValue(forKey: key) : nil
    }
    withExtendedLifetime(entry) {}
  }

  /// Ends the observations that `matches` names; how many stood.
  @discardableResult
  func remove(where matches: (Key) -> Bool) -> Int {
    let removed = state.withLock { state in
      let removed = state.entries.filter { matches($0.key) }
      for key in removed.keys { state.entries[key] = nil }
      return Array(removed.values)
    }
    let standing = removed.filter { $0.stands }.count
    removed.forEach { $0.observation?.invalidate() }
    return standing
  }

  /// Ends all.
  func removeAll() { remove { _ in true } }
}
