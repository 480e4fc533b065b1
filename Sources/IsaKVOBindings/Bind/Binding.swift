// A binding: what keeps a property of one object, the target, in step with one of another, the source.
//
// Owns:      its registrations at both ends, until it ends, and by way of them what pushes values
//            (`OneWay`, `TwoWay`); the memory of both objects, and not the objects.
// Lives:     as its target has it, or a token of the caller's is kept.
// Locks:     `state`, which all bindings share, for a moment: nobody's code runs under it.
// Invariant: it is at most once among the pushes of a thread (`PushFrame`). So the echo of a value that
//            it pushes ends at it, and every ring of bindings ends. A mark that threads shared would
//            take a change of one thread for the echo of another's.
public import IsaKVO
internal import IsaKeyValue

/// The tie that keeps a property of one object in step with a property of another.
///
/// The target owns it: it ends with either object, by ``unbind()``, or when the target's property is
/// bound to something else. The token that `follow` and `bind` return may be thrown away.
public final class Binding: @unchecked Sendable {
  // Sendable because what changes is reached under a lock, and the rest is for where the objects are
  // changed, as handlers of observations are.
  /// The state that changes.
  struct State {
    var registrations = Registrations()
    var isEnded = false
    var onError: ((KeyValueError, Any?) -> Void)?
    /// The pushes of a binding by name.
    var named: NamedPushes?
    /// The target's next binding.
    var next: Binding?
  }

  /// The property that is bound: a key path, or a binding's name.
  let end: PathName
  let target: ObjectMemory
  let source: ObjectMemory
  let sourcePath: PathName
  private var unlockedState = State()

  init(_ end: PathName, of target: KVObject, to source: KVObject, _ sourcePath: PathName) {
    self.end = end
    self.sourcePath = sourcePath
    self.target = ObjectMemory(keeping: target)
    self.source = ObjectMemory(keeping: source)
  }

  deinit {
    target.drop()
    source.drop()
  }

  func withState<Result>(_ body: (inout State) -> Result) -> Result {
    stateLock.withLock { _ in body(&unlockedState) }
  }

  // MARK: Ending

  /// Whether it stands: it was not ended, and both objects live.
  public var isValid: Bool {
    let (isEnded, registrations) = withState { ($0.isEnded, $0.registrations) }
    return !isEnded && registrations.areValid && target.object != nil && source.object != nil
  }

  /// Ends it; any number of times, on any thread, in the course of its own push too, which is then
  /// the last.
  ///
  /// The properties keep their values; what is bound by names that are taken together, such as `enabled`
  /// and `enabled2`, is set at once to what the remaining bindings yield. Once this has returned,
  /// no push starts on any thread; a push that has started may still be under way.
  public func unbind() { leave { $0.invalidate() } }

  /// The same, and waits until no push is under way on another thread.
  ///
  /// Must not be called where a push may be waiting for the caller.
  public func unbindAndWait() { leave { KeyValueObservation($0).invalidateAndWait() } }

  private func leave(_ end: (any RegistrationControl) -> Void) {
    let target = target.object
    if let target { BindingList.of(target, makes: false)?.remove(self) }
    let old = finish()
    old.registrations.forEach(end)
    guard let target, let named = old.named else { return }
    named.leaveGroup(of: target)
    if let controller = target as? Controller { controller.atHome { controller.updatePlace() } }
  }

  /// Ends it without a word to the target, which is going or has another.
  func end(byTarget: Void) { finish().registrations.forEach { $0.invalidate() } }

  /// Ends it if it has not ended, since its source is going.
  func endBySource() {
    if !withState({ $0.isEnded }) { unbind() }
  }

  /// Answers the state that it had, the end of whose contents runs code of others.
  private func finish() -> State {
    let old = withState { state in
      defer { state = State(isEnded: true, next: state.next) }
      return state
    }
    old.named?.end()
    return old
  }

  /// Takes over a registration, and ends it at once if the binding has ended.
  func add(_ control: any RegistrationControl) {
    let isLate = withState { state in
      if !state.isEnded { state.registrations.add(control) }
      return state.isEnded
    }
    if isLate { control.invalidate() }
  }

  // MARK: Errors

  /// Hears of values that could not be pushed, and why: refused by a validator, a transformer or a
  /// type. The property that they were for is as it was. Runs where the push is made: where the change
  /// was, or where the binding's delivery leads.
  ///
  /// Nil, as at first, makes them misuses, of which becomes what `KeyValueSettings.misusePolicy` says.
  public var onError: ((_ error: KeyValueError, _ refused: Any?) -> Void)? {
    get { withState { $0.onError } }
    set {
      let old = withState { state in
        defer { if !state.isEnded { state.onError = newValue } }
        return state.onError
      }
      withExtendedLifetime(old) {}
    }
  }

  func report(_ error: any Error, _ refused: Any?) {
    let error = bindingError(error, refused, end)
    if let onError { return onError(error, refused) }
    Misuse.end(error)
  }
}

private let stateLock = Locked(0)

/// The registrations of a binding: one at its source and, of both directions, one at its target. Not in
/// an array, which each binding would have to allocate.
struct Registrations {
  private var first, second: (any RegistrationControl)?

  var areValid: Bool { first?.isValid ?? true && second?.isValid ?? true }

  mutating func add(_ registration: any RegistrationControl) {
    if first == nil { first = registration } else { second = registration }
  }

  func forEach(_ body: (any RegistrationControl) -> Void) {
    if let first { body(first) }
    if let second { body(second) }
  }
}

/// Kept by a binding's registration at its source alone: ends the binding when the source goes.
final class SourceEnd {
  private let binding: Binding

  init(of binding: Binding) { self.binding = binding }

  deinit { binding.endBySource() }
}

/// An error that stopped a value, as one of the binding.
func bindingError(_ error: any Error, _ refused: Any?, _ end: PathName) -> KeyValueError {
  if let error = error as? KeyValueError { return error }
  let value = refused.map { "\($0)" } ?? "nil"
  return KeyValueError(
    .invalid, key: "\(end)", reason: "the value \(value) was refused: \(error)", underlying: error)
}
