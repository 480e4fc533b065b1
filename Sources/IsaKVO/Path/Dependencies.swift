internal import IsaRuntime

/// A property of an object, which an evaluated key path has read.
struct Dependency: Hashable {
  let object: ObjectIdentifier
  let field: Field

  static func == (first: Dependency, second: Dependency) -> Bool {
    first.object == second.object && first.field === second.field
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(object)
    hasher.combine(ObjectIdentifier(field))
  }
}

/// What an evaluated key path has read, and the changes of that which are under way.
///
/// Knows no types: code that serves all types looks up what they are at each step.
final class Dependencies: RegistrationControl, Sendable {
  private struct State {
    var handles: [Dependency: ClosureRegistration] = [:]
    /// What the latest evaluation read, in order.
    var latest: [(dependency: Dependency, handle: ClosureRegistration)] = []
    /// The first of that which belongs to the main actor.
    var guarded: (dependency: Dependency, registration: ClassRegistration)?
    var pending: [Pending] = []
    var isEnded = false
    // The root alone keeps it: that is how its end is noticed.
    weak var rootGuard: RootGuard?
    weak var observation: (any RegistrationControl)?
  }

  /// A change that has been announced and has not happened yet.
  private struct Pending {
    let dependency: Dependency
    let thread: UInt
    let old: AnyObject?
  }

  private let state = Locked(State())

  /// What is heard of that which an evaluation has read.
  enum Hearing {
    /// All of it, since before it was read.
    case all
    /// All of it from now on: some of it is new.
    case allFromNowOn
    /// Nothing: the observation has been ended, perhaps by its handler on another thread.
    case nothing
  }

  /// Registers with what was read and not known, and ends what was known and not read.
  func register(
    _ reads: [KeyPathProbe.Read], _ told: @escaping (Dependency, _ isPrior: Bool) -> Void
  ) throws(KeyValueError) -> Hearing {
    if let hearing = hearing(of: reads) { return hearing }
    var wanted: [Dependency: KVObject] = [:]
    for read in reads { wanted[read.dependency] = read.object }
    let known = state.withLock { $0.handles.filter { $0.value.isValid } }
    var fresh: [Dependency: ClosureRegistration] = [:]
    for (dependency, object) in wanted where known[dependency] == nil {
      fresh[dependency] = try object.register(dependency.field.key) { told(dependency, $0) }
    }
    guard exchange(fresh, keeping: wanted, reads) else { return .nothing }
    return fresh.isEmpty ? .all : .allFromNowOn
  }

  /// What is heard where this is what was read the last time, and all of it is still heard, or where
  /// the observation has ended; nil where there may be something to register with.
  private func hearing(of reads: [KeyPathProbe.Read]) -> Hearing? {
    state.withLock { state in
      if state.isEnded { return .nothing }
      guard state.latest.count == reads.count else { return nil }
      for (known, read) in zip(state.latest, reads) {
        guard known.dependency == read.dependency, known.handle.isValid else { return nil }
      }
      return .all
    }
  }

  /// Takes `fresh` into the dependencies, and ends those that are not wanted; false if the
  /// observation has ended, and then so has `fresh`.
  private func exchange(
    _ fresh: [Dependency: ClosureRegistration], keeping wanted: [Dependency: KVObject],
    _ reads: [KeyPathProbe.Read]
  ) -> Bool {
    let (superfluous, isEnded) = state.withLock { state in
      if state.isEnded { return (Array(fresh.values), true) }
      let gone = state.handles.filter { wanted[$0.key] == nil || fresh[$0.key] != nil }
      gone.keys.forEach { state.handles[$0] = nil }
      // Another thread may have been as quick.
      let twice = fresh.filter { state.handles[$0.key] != nil }
      state.handles.merge(fresh) { known, _ in known }
      let latest = reads.compactMap { read in
        state.handles[read.dependency].map { (read.dependency, $0) }
      }
      state.latest = latest.count == reads.count ? latest : []
      state.guarded = reads.firstGuarded
      return (Array(gone.values) + Array(twice.values), false)
    }
    superfluous.forEach { $0.invalidate() }
    return !isEnded
  }

  /// Throws where what the latest evaluation read may not be read.
  func checkActor() throws(KeyValueError) {
    guard let guarded = state.withLock({ $0.guarded }) else { return }
    let (read, registration) = guarded
    try registration.checkActor(read.field.key, of: read.object)
  }

  // MARK: Changes

  /// Notes that a change has been announced.
  func begin(_ dependency: Dependency, _ old: AnyObject? = nil) {
    let pending = Pending(dependency: dependency, thread: currentThread(), old: old)
    state.withLock { $0.pending.append(pending) }
  }

  /// Ends a change; what was noted of the value before.
  func end(_ dependency: Dependency) -> AnyObject? {
    let thread = currentThread()
    return state.withLock { state in
      // An `inout` access that waited may have gone on on this thread.
      let index =
        state.pending.lastIndex { $0.dependency == dependency && $0.thread == thread }
        ?? state.pending.lastIndex { $0.dependency == dependency }
      return index.map { state.pending.remove(at: $0) }
    }?.old
  }

  // MARK: Ending

  /// Whose they are: what ends it may be asked of them, which changes may hold.
  var observation: (any RegistrationControl)? {
    get { state.withLock { $0.observation } }
    set { state.withLock { $0.observation = newValue } }
  }

  var isValid: Bool { observation?.isValid ?? false }
  func invalidate() { observation?.invalidate() }
  func invalidateAndWait() { observation?.invalidateAndWait() }

  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Notes what the root keeps; whether the observation has ended already.
  func hasEnded(guardedBy rootGuard: RootGuard) -> Bool {
    state.withLock { state in
      state.rootGuard = rootGuard
      return state.isEnded
    }
  }

  /// Ends them; hands over what is to be invalidated, and what the root kept.
  func end() -> ([ClosureRegistration], RootGuard?) {
    state.withLock { state in
      state.isEnded = true
      defer { (state.handles, state.latest) = ([:], []) }
      return (Array(state.handles.values), state.rootGuard)
    }
  }
}

extension [KeyPathProbe.Read] {
  /// The first property of an object of the main actor.
  fileprivate var firstGuarded: (dependency: Dependency, registration: ClassRegistration)? {
    for read in self {
      guard let registration = read.object.registration, registration.isOfMainActor else {
        continue
      }
      return (read.dependency, registration)
    }
    return nil
  }
}
