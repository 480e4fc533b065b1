/// Observations that end together, at the latest with the bag.
///
///     final class View {
///       private let observations = ObservationBag()
///       func show(_ person: Person) throws {
///         try person.observe(\.name) { … }.store(in: observations)
///       }
///     }
///
/// `Sendable`: any thread may add and end.
public final class ObservationBag: Sendable {
  private struct State {
    var observations: [KeyValueObservation] = []
    /// How many there may be before ended ones are looked for.
    var limit = 16
  }

  private let state = Locked(State())

  /// An empty bag.
  public init() {}

  /// Whether no observation in the bag stands.
  public var isEmpty: Bool { !state.withLock { $0.observations }.contains { $0.isValid } }

  /// Keeps an observation; lets go, now and then, of observations that have ended on their own.
  ///
  /// - Complexity: O(1) amortised.
  public func insert(_ observation: KeyValueObservation) {
    let ended = state.withLock { state -> [KeyValueObservation] in
      state.observations.append(observation)
      guard state.observations.count > state.limit else { return [] }
      let split = Dictionary(grouping: state.observations) { $0.isValid }
      state.observations = split[true] ?? []
      state.limit = max(16, 2 * state.observations.count)
      return split[false] ?? []
    }
    withExtendedLifetime(ended) {}
  }

  /// Ends all observations and lets go of them; the bag may be used again.
  public func invalidate() {
    let observations = state.withLock { state in
      defer { state.observations = [] }
      return state.observations
    }
    observations.forEach { $0.invalidate() }
  }
}

extension KeyValueObservation {
  /// Has the bag keep the observation.
  public func store(in bag: ObservationBag) { bag.insert(self) }

  /// Has the collection keep the observation.
  public func store(in observations: inout some RangeReplaceableCollection<KeyValueObservation>) {
    observations.append(self)
  }

  /// Has the set keep the observation.
  public func store(in observations: inout Set<KeyValueObservation>) { observations.insert(self) }
}

extension KeyValueObservation: Hashable {
  /// Whether both are the same observation.
  public static func == (first: KeyValueObservation, second: KeyValueObservation) -> Bool {
    first === second
  }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
