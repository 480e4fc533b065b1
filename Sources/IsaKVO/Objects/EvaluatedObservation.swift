/// An observation of a key path that is more than the names of keys: one that computes, or leads
/// through optionals or constants.
///
/// It registers for every property that evaluating the key path reads, and looks anew what those are
/// whenever one of them has changed.
final class EvaluatedObservation<Root: KVObject, Value>: RegistrationControl, @unchecked Sendable {
  // Sendable because `state` has a lock, and the handler runs where the object is changed.
  private weak var root: Root?
  private let keyPath: KeyPath<Root, Value>
  private let name: String
  private let options: ObservationOptions
  private let isPart: Bool
  private let handler: (Root, ValueChange<Value>) -> Void
  private let state = Locked(State())

  private struct State {
    var dependencies: [Dependency: RegistrationHandle] = [:]
    var pending: [Pending] = []
    var isEnded = false
    // The root alone keeps it: that is how its end is noticed.
    weak var rootGuard: RootGuard?
  }

  /// A property of an object.
  struct Dependency: Hashable {
    let object: ObjectIdentifier
    let key: String
  }

  /// A change that has been announced and has not happened yet.
  private struct Pending {
    let dependency: Dependency
    let thread: UInt
    let oldValue: Value?
  }

  init(
    _ root: Root, _ keyPath: KeyPath<Root, Value>, _ name: String, _ options: ObservationOptions,
    isPart: Bool, _ handler: @escaping (Root, ValueChange<Value>) -> Void
  ) {
    self.root = root
    self.keyPath = keyPath
    self.name = name
    self.options = options
    self.isPart = isPart
    self.handler = handler
  }

  /// Registers, and tells of the initial value if that was asked for.
  func start() throws(ObservingError) {
    guard let root else { return }
    let value: Value
    do {
      value = try follow(root)
    } catch {
      invalidate()
      throw error
    }
    // The root's end is the observation's, also where only others are registered with.
    let end = RootGuard(self)
    root.keep(end)
    let isEnded = state.withLock { state in
      state.rootGuard = end
      return state.isEnded
    }
    if isEnded { root.release(end) }
    guard options.contains(.initial) else { return }
    deliver(root, isInitial: true, newValue: options.contains(.new) ? value : nil)
  }

  // MARK: Dependencies

  /// Evaluates the key path and registers with all that it reads.
  ///
  /// What changes between reading and registering is not heard, hence again until nothing is new.
  private func follow(_ root: Root) throws(ObservingError) -> Value {
    for _ in 0..<maximumRounds {
      let (value, reads) = KeyPathProbe.run(on: root) { root[keyPath: keyPath] }
      if try register(reads) { return value }
    }
    throw .tooDeep(keyPath: name)
  }

  /// Registers with what was read and not known, and ends what was known and not read; whether
  /// nothing was new.
  private func register(_ reads: [KeyPathProbe.Read]) throws(ObservingError) -> Bool {
    var wanted: [Dependency: KVObject] = [:]
    for read in reads {
      wanted[Dependency(object: ObjectIdentifier(read.object), key: read.field.key)] = read.object
    }
    let known = state.withLock { $0.dependencies.filter { $0.value.isValid } }
    var fresh: [Dependency: RegistrationHandle] = [:]
    for (dependency, object) in wanted where known[dependency] == nil {
      fresh[dependency] = try object.register(dependency.key) { [weak self] isPrior in
        isPrior ? self?.willChange(dependency) : self?.didChange(dependency)
      }
    }
    exchange(fresh, keeping: Set(wanted.keys))
    return fresh.isEmpty
  }

  /// Takes `fresh` into the dependencies, and ends those that are not to be kept.
  private func exchange(
    _ fresh: [Dependency: RegistrationHandle], keeping wanted: Set<Dependency>
  ) {
    let superfluous = state.withLock { state in
      if state.isEnded { return Array(fresh.values) }
      let gone = state.dependencies.filter { !wanted.contains($0.key) || fresh[$0.key] != nil }
      gone.keys.forEach { state.dependencies[$0] = nil }
      // Another thread may have been as quick.
      let twice = fresh.filter { state.dependencies[$0.key] != nil }
      state.dependencies.merge(fresh) { known, _ in known }
      return Array(gone.values) + Array(twice.values)
    }
    superfluous.forEach { $0.invalidate() }
  }

  // MARK: Changes

  private func willChange(_ dependency: Dependency) {
    guard let root, isValid else { return }
    let wantsOld = !options.isDisjoint(with: [.old, .prior])
    let old = wantsOld ? KeyPathProbe.pauseIfCurrent { root[keyPath: keyPath] } : nil
    let pending = Pending(dependency: dependency, thread: currentThread(), oldValue: old)
    state.withLock { $0.pending.append(pending) }
    guard options.contains(.prior) else { return }
    deliver(root, dependency.key, isPrior: true, oldValue: options.contains(.old) ? old : nil)
  }

  private func didChange(_ dependency: Dependency) {
    let thread = currentThread()
    let pending = state.withLock { state -> Pending? in
      // An `inout` access that waited may have gone on on this thread.
      let index =
        state.pending.lastIndex { $0.dependency == dependency && $0.thread == thread }
        ?? state.pending.lastIndex { $0.dependency == dependency }
      return index.map { state.pending.remove(at: $0) }
    }
    guard let root, isValid, let value = try? follow(root) else { return }
    deliver(
      root, dependency.key, oldValue: options.contains(.old) ? pending?.oldValue : nil,
      newValue: options.contains(.new) ? value : nil)
  }

  private func deliver(
    _ root: Root, _ cause: String? = nil, isPrior: Bool = false, isInitial: Bool = false,
    oldValue: Value? = nil, newValue: Value? = nil
  ) {
    let change = ValueChange(
      keyPath: name, cause: cause, kind: .setting, isPrior: isPrior, isInitial: isInitial,
      indexes: nil, oldValue: oldValue, newValue: newValue, handle: self)
    if isPart {
      KeyPathProbe.pauseIfCurrent { handler(root, change) }
    } else {
      IsaKVO.deliver(change, of: root, by: self, to: handler)
    }
  }

  // MARK: Ending

  var isValid: Bool { state.withLock { !$0.isEnded } && root != nil }

  func invalidate() { end().forEach { $0.invalidate() } }

  func invalidateAndWait() { end().forEach { $0.invalidateAndWait() } }

  private func end() -> [RegistrationHandle] {
    let (handles, rootGuard) = state.withLock { state in
      state.isEnded = true
      defer { state.dependencies = [:] }
      return (Array(state.dependencies.values), state.rootGuard)
    }
    if let root, let rootGuard { root.release(rootGuard) }
    return handles
  }
}

/// How often a key path is evaluated anew because what it reads changed meanwhile.
private let maximumRounds = 100

/// Ends an observation when the object that keeps this one goes.
private final class RootGuard {
  private weak var observation: (any RegistrationControl)?

  init(_ observation: any RegistrationControl) { self.observation = observation }

  deinit { observation?.invalidate() }
}
