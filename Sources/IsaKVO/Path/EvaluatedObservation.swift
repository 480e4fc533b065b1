internal import CIsa
internal import IsaRuntime

/// An observation of a key path that is more than the names of keys: one that computes, or leads
/// through optionals or constants.
///
/// It registers for every property that evaluating the key path reads, and looks anew what those are
/// whenever one of them has changed.
final class EvaluatedObservation<Root: KVObject, Value>: RegistrationControl, @unchecked Sendable {
  // Sendable because `dependencies` has a lock, and the handler runs where the object is changed.
  private weak var root: Root?
  private let keyPath: KeyPath<Root, Value>
  private let name: String
  private let options: ObservationOptions
  private let isPart: Bool
  private let handler: (Root, ValueChange<Value>) -> Void
  private let teller: Teller?
  private let nameText: LastingText
  private let source: ChangeSource
  /// By which changes find `source`; 0 without a teller.
  private let number: UInt64
  private let dependencies = Dependencies()

  init(
    _ root: Root, _ keyPath: KeyPath<Root, Value>, _ name: String, _ options: ObservationOptions,
    isPart: Bool, _ handler: @escaping (Root, ValueChange<Value>) -> Void, teller: Teller?
  ) {
    self.root = root
    self.keyPath = keyPath
    self.name = name
    self.options = options
    self.isPart = isPart
    self.handler = handler
    self.teller = isPart ? nil : teller
    nameText = LastingText(name)
    let control = dependencies
    source = NamedSource(name, control)
    number = self.teller == nil ? 0 : takeNumber(for: source)
    control.observation = self
  }

  deinit { giveBack(number: number) }

  /// Registers, and tells of the initial value if that was asked for.
  func start() throws(KeyValueError) {
    guard let root else { return }
    let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    defer { place.deallocate() }
    let outcome: Following
    do throws(KeyValueError) {
      outcome = try follow(root, to: place)
      if case .refused(let error) = outcome, options.isSuperset(of: [.initial, .new]) {
        throw error
      }
    } catch {
      invalidate()
      throw error
    }
    // The handler may have ended the observation already, on the thread of another change.
    if case .ended = outcome { return }
    defer { if case .value = outcome { place.deinitialize(count: 1) } }
    // The root's end is the observation's, also where only others are registered with.
    let end = RootGuard(self)
    root.keep(end)
    if dependencies.hasEnded(guardedBy: end) { root.release(end) }
    guard options.contains(.initial), !dependencies.isEnded else { return }
    deliver(root, isInitial: true, newValue: options.contains(.new) ? place.pointee : nil)
  }

  // MARK: Dependencies

  /// What following the key path comes to.
  private enum Following {
    /// Its value.
    case value
    /// A value that may not be told here.
    case refused(KeyValueError)
    /// Nothing: the observation has been ended.
    case ended
  }

  /// Evaluates the key path and registers with all that it reads; the value is then at `place`,
  /// if it is one that may be told.
  ///
  /// What changes between reading and registering is not heard, hence again until nothing is new.
  private func follow(
    _ root: Root, to place: UnsafeMutablePointer<Value>
  ) throws(KeyValueError) -> Following {
    for _ in 0..<maximumRounds {
      let (hearing, refusal) = try evaluate(root, to: place)
      if case .all = hearing, refusal == nil { return .value }
      place.deinitialize(count: 1)
      switch hearing {
      case .all: return .refused(refusal!)
      case .allFromNowOn: continue
      case .nothing: return .ended
      }
    }
    throw KeyValueError(
      .tooDeep, key: name, className: "\(Root.self)",
      reason: "observing \(name) of \(Root.self) comes to no end")
  }

  /// Evaluates the key path once; the value is then at `place`, unless this throws.
  private func evaluate(
    _ root: Root, to place: UnsafeMutablePointer<Value>
  ) throws(KeyValueError) -> (Dependencies.Hearing, refusal: KeyValueError?) {
    let (reads, refusal) = KeyPathProbe.reads(on: root) {
      place.initialize(to: root[keyPath: keyPath])
    }
    do throws(KeyValueError) {
      let hearing = try dependencies.register(reads) { [weak self] dependency, isPrior in
        isPrior ? self?.willChange(dependency) : self?.didChange(dependency)
      }
      return (hearing, refusal)
    } catch {
      place.deinitialize(count: 1)
      throw error
    }
  }

  // MARK: Changes

  private func willChange(_ dependency: Dependency) {
    guard let root, isValid else { return }
    if options.isDisjoint(with: [.old, .prior]) {
      dependencies.begin(dependency)
    } else {
      announce(root, dependency)
    }
  }

  @inline(never)
  private func announce(_ root: Root, _ dependency: Dependency) {
    let old = oldValue(of: root)
    dependencies.begin(dependency, old)
    guard options.contains(.prior), !dependencies.isEnded else { return }
    deliver(
      root, dependency.field.key, isPrior: true,
      oldValue: options.contains(.old) ? old?.value : nil)
  }

  /// The value before a change; nil if it may not be read here.
  private func oldValue(of root: Root) -> BoxedOld<Value>? {
    do throws(KeyValueError) { try dependencies.checkActor() } catch {
      if options.contains(.old) { report(error) }
      return nil
    }
    return BoxedOld(KeyPathProbe.pauseIfCurrent { root[keyPath: keyPath] })
  }

  private func report(_ refusal: KeyValueError) {
    isa_report_misuse(
      refusal.code.status, refusal.exceptionName,
      "the value for \(name), whose observers ask for it, cannot be read: \(refusal.reason)")
  }

  private func didChange(_ dependency: Dependency) {
    let old = dependencies.end(dependency).map { unsafeDowncast($0, to: BoxedOld<Value>.self) }
    guard let root, isValid else { return }
    // By address: an optional of a type that is not known has its metadata looked up.
    let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    defer { place.deallocate() }
    do {
      switch try follow(root, to: place) {
      case .value: break
      case .refused(let error): return deliver(root, dependency, old, refusing: error)
      case .ended: return
      }
    } catch {
      isa_report_misuse(error.code.status, error.exceptionName, error.reason)
      return
    }
    defer { place.deinitialize(count: 1) }
    if teller != nil, number != 0, !DeliveryScope.isAny {
      tell(root, dependency, old?.address, place)
    } else {
      deliver(root, dependency, old, place)
    }
  }

  /// Has the closure that is compiled for the types tell the handler.
  private func tell(
    _ root: Root, _ dependency: Dependency, _ old: UnsafeMutablePointer<Value>?,
    _ new: UnsafeMutablePointer<Value>
  ) {
    teller?(
      ChangeInPlace(
        object: UnsafeRawPointer(root.headerAddress),
        old: options.contains(.old) ? old.map { UnsafeRawPointer($0) } : nil,
        new: options.contains(.new) ? UnsafeRawPointer(new) : nil,
        keyText: nameText, cause: dependency.field.keyText, registration: number))
  }

  @inline(never)
  private func deliver(
    _ root: Root, _ dependency: Dependency, _ old: BoxedOld<Value>?,
    _ new: UnsafeMutablePointer<Value>
  ) {
    deliver(
      root, dependency.field.key, oldValue: options.contains(.old) ? old?.value : nil,
      newValue: options.contains(.new) ? new.pointee : nil)
  }

  /// Tells of a change without the new value, which may not be read here.
  @inline(never)
  private func deliver(
    _ root: Root, _ dependency: Dependency, _ old: BoxedOld<Value>?, refusing refusal: KeyValueError
  ) {
    if options.contains(.new) { report(refusal) }
    deliver(
      root, dependency.field.key, oldValue: options.contains(.old) ? old?.value : nil)
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

  var isValid: Bool { !dependencies.isEnded && root != nil }

  func invalidate() { end().forEach { $0.invalidate() } }

  func invalidateAndWait() { end().forEach { $0.invalidateAndWait() } }

  private func end() -> [ClosureRegistration] {
    let (handles, rootGuard) = dependencies.end()
    if let root, let rootGuard { root.release(rootGuard) }
    return handles
  }
}

/// A value before a change.
private final class BoxedOld<Value> {
  let address: UnsafeMutablePointer<Value>

  var value: Value { address.pointee }

  init(_ value: Value) {
    address = .allocate(capacity: 1)
    address.initialize(to: value)
  }

  deinit {
    address.deinitialize(count: 1)
    address.deallocate()
  }
}

/// How often a key path is evaluated anew because what it reads changed meanwhile.
private let maximumRounds = 100

/// Ends an observation when the object that keeps this one goes.
final class RootGuard {
  private weak var observation: (any RegistrationControl)?

  init(_ observation: any RegistrationControl) { self.observation = observation }

  deinit { observation?.invalidate() }
}
