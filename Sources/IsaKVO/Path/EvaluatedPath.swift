internal import CIsa
internal import IsaRuntime

/// An observation of a key path that is more than the names of keys: one that computes, or leads
/// through optionals or constants.
///
/// It registers for every property that evaluating the key path reads, and looks anew what those are
/// whenever one of them has changed. Knows no types: code that serves all types looks up what they
/// are at each step.
class EvaluatedPath: RegistrationControl, @unchecked Sendable {
  // Sendable because `sources` has a lock, and the handler runs where the object is changed.
  /// Not held, nor by a weak reference: that has the object counted in a table beside it.
  private let unownedRoot: Unmanaged<KVObject>
  final let name: String
  final let options: ObservationOptions
  /// Whether it serves an observation that heeds the scopes itself.
  final let isPart: Bool
  /// Whether it has to be told before changes, too.
  final let keepsOld: Bool
  private let teller: Teller
  private let source: ChangeSource
  private let control = WeakControl()
  /// The number by which changes find `source`; 0 without a teller.
  private let number: UInt64
  private let sources = Sources()
  /// Of what it reads that Observation tracks.
  final let foreign: ForeignReads

  init(
    _ root: KVObject, _ known: KnownPath?, _ name: String, _ options: ObservationOptions,
    isPart: Bool, teller: Teller?
  ) {
    unownedRoot = keepMemory(of: root)
    foreign = ForeignReads(known)
    self.name = name
    self.options = options
    self.isPart = isPart
    keepsOld = !options.isDisjoint(with: [.old, .prior])
    self.teller = teller ?? Teller { _, _, _, _ in }
    source = NamedSource(name, control)
    number = teller == nil || isPart ? 0 : takeNumber(for: source, LastingText(name))
  }

  deinit {
    giveBack(number: number)
    dropMemory(of: unownedRoot)
  }

  final var root: KVObject? { livingObject(unownedRoot) }

  // MARK: Code that knows the types

  /// Evaluates the key path; the value is then at `place`. False if there is none, since the key path
  /// leads to nil that it unwraps by force.
  func read(_ root: KVObject, to place: UnsafeMutableRawPointer) -> Bool { fatalError("abstract") }
  /// Ends the value at `place`.
  func drop(_ place: UnsafeMutableRawPointer) { fatalError("abstract") }
  /// Memory for a value.
  func makePlace() -> UnsafeMutableRawPointer { fatalError("abstract") }
  /// Tells of a change, as the calling thread's scopes allow.
  func deliver(_ told: Told, of root: KVObject) { fatalError("abstract") }

  /// A change, with the values where they stand.
  struct Told {
    var cause: Field?
    var isPrior = false
    var isInitial = false
    var old: UnsafeMutableRawPointer?
    var new: UnsafeMutableRawPointer?
  }

  // MARK: Starting

  /// Registers, and tells of the initial value if that was asked for.
  ///
  /// - Parameters:
  ///   - reads: The reads of an evaluation just now, of which this one hears in any case: a getter
  ///     may keep its value, and read less the next time.
  ///   - check: Throws if these properties, of which the last one's value is that object, are not all
  ///     that the key path leads through.
  final func start(
    _ reads: [FindingProbe.Read] = [],
    check: ([Field], AnyObject?) throws(KeyValueError) -> Void
  ) throws(KeyValueError) {
    guard let root else { return }
    try register(reads)
    let outcome = follow(root, isVerified: reads.isEmpty)
    do throws(KeyValueError) {
      if let error = failure(in: outcome) { throw error }
      // Of what Observation tracks it is not known where the key path ends.
      if !foreign.isAny, let read = sources.read {
        try check(read.map { $0.property! }, read.last?.objectAtEnd)
      }
    } catch {
      if case .value(let evaluation) = outcome { letGo(of: evaluation) }
      invalidate()
      throw error
    }
    // The handler may have ended the observation already, on the thread of another change.
    if case .ended = outcome { return }
    // The root's end is the observation's, also where only others are registered with.
    let end = RootGuard(self)
    root.keep(end)
    if sources.hasEnded(guardedBy: end) { root.release(end) }
    tellInitial(outcome, root)
  }

  /// Why there is nothing to observe, or no initial value to tell.
  private func failure(in outcome: Following) -> KeyValueError? {
    switch outcome {
    case .failed(let refusal): refusal.error
    case .refused(let refusal) where options.isSuperset(of: [.initial, .new]): refusal.error
    default: nil
    }
  }

  private func tellInitial(_ outcome: Following, _ root: KVObject) {
    var told = Told(isInitial: true)
    if case .value(let evaluation) = outcome, options.contains(.new) {
      told.new = evaluation.address
    }
    if options.contains(.initial), !sources.isEnded { deliver(told, of: root) }
    if case .value(let evaluation) = outcome { letGo(of: evaluation) }
  }

  // MARK: Evaluating

  /// The outcome of following the key path.
  enum Following {
    /// Its value, which ``letGo(of:)`` ends.
    case value(Evaluation)
    /// A value that may not be told here.
    case refused(BoxedError)
    /// Nothing: it cannot be followed.
    case failed(BoxedError)
    /// Nothing: the observation has been ended.
    case ended
  }

  /// Registers with what an evaluation outside of the path has read.
  private func register(_ reads: [FindingProbe.Read]) throws(KeyValueError) {
    if reads.isEmpty { return }
    var keys: [SourceKey] = []
    var registrations: [SourceKey: SourceRegistration] = [:]
    for read in reads {
      let key = SourceKey(read.object, read.field)
      keys.append(key)
      if registrations[key] != nil { continue }
      registrations[key] = try SourceRegistration(read.object, key, read.field, nil)
        .register(for: self)
    }
    _ = sources.end(comparedWith: .empty, made: SourceList(keys, registrations))
  }

  /// Evaluates the key path and registers with all that it reads, until no change can have gone
  /// unheard. If evaluations make something anew, or change it themselves, that is put up with.
  ///
  /// - Parameter isVerified: False if something has been registered with since it was read.
  private func follow(_ root: KVObject, isVerified: Bool = true) -> Following {
    var isVerified = isVerified
    var patience = mostOwnRounds
    for _ in 0..<maximumRounds {
      let round = evaluate(root, keepsMore: !isVerified)
      switch round.hearing {
      case .uncertain: letGo(of: round.outcome)
      case .outdated where patience > 0, .all where round.hasNew && patience > 0:
        letGo(of: round.outcome)
        patience -= 1
      default: return round.outcome
      }
      isVerified = !round.hasNew
    }
    return .failed(
      BoxedError(
        KeyValueError(
          .tooDeep, key: name, className: "\(type(of: root))",
          reason: "observing \(name) of \(type(of: root)) comes to no end")))
  }

  /// Evaluates the key path once; what of it is heard, and whether that is so only since it was read.
  ///
  /// - Parameter keepsMore: Whether what the evaluation before has read is heard of in any case.
  private func evaluate(
    _ root: KVObject, keepsMore: Bool
  ) -> (outcome: Following, hearing: Sources.Hearing, hasNew: Bool) {
    guard let (list, previous, spare) = sources.take() else { return (.ended, .nothing, false) }
    let evaluation = spare ?? Evaluation(makePlace())
    let probe = evaluation.probe
    probe.begin(self, list, previous)
    defer { probe.end() }
    evaluation.hasValue = false
    let reading = evaluation.enter {
      foreign.read(for: self) { evaluation.hasValue = read(root, to: evaluation.place) }
    }
    let (made, hasNew) = probe.finish(keepsMore: keepsMore)
    guard case .done(let tracking) = reading, probe.failure == nil else {
      return giveUp(evaluation, reading, made, root)
    }
    foreign.exchange(tracking)
    let refusal = (made ?? probe.list).refusal
    let hearing = sources.end(comparedWith: list, made: made)
    if case .nothing = hearing {
      letGo(of: evaluation)
      return (.ended, hearing, false)
    }
    guard let refusal else { return (.value(evaluation), hearing, hasNew) }
    letGo(of: evaluation)
    return (.refused(refusal), hearing, hasNew)
  }

  /// Ends an evaluation that cannot be followed, or that has to be made again as a tracking.
  private func giveUp(
    _ evaluation: Evaluation, _ reading: ForeignReads.Reading, _ made: SourceList?, _ root: KVObject
  ) -> (outcome: Following, hearing: Sources.Hearing, hasNew: Bool) {
    let failure = evaluation.probe.failure
    sources.abandon(made)
    letGo(of: evaluation)
    switch reading {
    case .again: return (.ended, .uncertain, false)
    case .done(let tracking):
      tracking?.end()
      // Where another thread has ended the observation, that is why.
      return (sources.isEnded ? .ended : .failed(failure!), .all, false)
    case .refused: return (.failed(BoxedError(notFollowed(root))), .all, false)
    }
  }

  private func notFollowed(_ root: KVObject) -> KeyValueError {
    KeyValueError(
      .notObservable, key: name, className: "\(type(of: root))",
      reason: "\(name) of \(type(of: root)) cannot be observed: it reads an object of a class with "
        + "@Observable, which cannot be followed by this version of Swift",
      cure: "make that class a KVObject")
  }

  private func letGo(of outcome: Following) {
    if case .value(let evaluation) = outcome { letGo(of: evaluation) }
  }

  /// Ends an evaluation's value.
  final func letGo(of evaluation: Evaluation) {
    if evaluation.hasValue { drop(evaluation.place) }
    sources.giveBack(evaluation)
  }

  // MARK: Changes

  /// A property that the key path reads is about to change.
  final func willChange(_ source: some PathSource) {
    guard let root, !sources.isEnded, source.isHeeded(by: sources), isToTell(source) else { return }
    let field = source.field
    if let due = due(of: root), due.isTold { return sources.announce(at: source.place, nil) }
    let old = options.contains(.old) ? oldValue(of: root) : nil
    sources.announce(at: source.place, old)
    guard options.contains(.prior), !sources.isEnded else { return }
    deliver(Told(cause: field, isPrior: true, old: shown(old)), of: root)
  }

  /// The value before a change; nil if it may not be read here.
  private func oldValue(of root: KVObject) -> ValuePlace? {
    if let refusal = sources.refusal {
      if options.contains(.old) { report(refusal.error) }
      return nil
    }
    return unobserved { ValuePlace(self, root) }
  }

  private func shown(_ old: ValuePlace?) -> UnsafeMutableRawPointer? {
    options.contains(.old) ? old?.address : nil
  }

  private func report(_ refusal: KeyValueError) {
    isa_report_misuse(
      refusal.code.status, refusal.exceptionName,
      "the value for \(name), whose observers ask for it, cannot be read: \(refusal.reason)")
  }

  /// A property that the key path reads has changed.
  final func didChange(_ source: some PathSource) {
    let field = source.field
    let old = keepsOld ? sources.endChange(at: source.place) : nil
    guard source.isHeeded(by: sources), let root, isToTell(source) else { return }
    if let due = due(of: root) { return postpone(due, root, field, old) }
    let outcome = follow(root)
    guard let new = newValue(of: outcome) else { return }
    tell(root, source, old, new.address)
    if case .value(let evaluation) = outcome { letGo(of: evaluation) }
    withExtendedLifetime(old) {}
  }

  /// A change has ended that had begun when the path was not observed yet. It is nobody's to tell, but
  /// the key path may lead to other objects now.
  final func didChangeUntold(_ source: some PathSource) {
    guard source.isHeeded(by: sources), let root, !isOfEvaluation else { return }
    if let due = due(of: root) { return due.isOutdated = true }
    if case .value(let evaluation) = follow(root) { letGo(of: evaluation) }
  }

  private func tell(
    _ root: KVObject, _ source: some PathSource, _ old: ValuePlace?,
    _ new: UnsafeMutableRawPointer?
  ) {
    guard let mark = source.mark, !DeliveryScope.isAny else {
      return deliver(Told(cause: source.field, old: shown(old), new: new), of: root)
    }
    teller(
      ChangeInPlace(
        UnsafeRawPointer(root.headerAddress), UnsafeRawPointer(shown(old)), UnsafeRawPointer(new),
        mark))
  }

  /// The mark of changes that a property causes; nil if they are told without.
  final func mark(of field: Field) -> ChangeMark? { IsaRuntime.mark(of: number, field.keyText) }

  /// Whether a change is neither the evaluation's own nor part of the setting of another source by
  /// name, at whose end it is told.
  private func isToTell(_ source: some PathSource) -> Bool {
    if isOfEvaluation { return false }
    return !DeclaredSetting.isAny { [sources] object, key in
      guard let object = KVObject.find(object), let field = object.registration?.fieldsByKey[key]
      else { return false }
      let place = SourceKey(object, field)
      return place != source.place && sources.reads(place)
    }
  }

  /// Whether a change comes of an evaluation on the calling thread, which then is made again.
  private var isOfEvaluation: Bool { DeliveryScope.isAny && sources.isOfEvaluation() }

  /// The place of the new value, no address if it is not asked for or may not be told here, which
  /// is reported; nil if there is nothing to tell.
  final func newValue(of outcome: Following) -> (address: UnsafeMutableRawPointer?, Void)? {
    switch outcome {
    case .value(let evaluation): return (options.contains(.new) ? evaluation.address : nil, ())
    case .refused(let refusal):
      if options.contains(.new) { report(refusal.error) }
      return (nil, ())
    case .failed(let refusal):
      let error = refusal.error
      isa_report_misuse(error.code.status, error.exceptionName, error.reason)
      return nil
    case .ended: return nil
    }
  }

  // MARK: Transactions

  /// The work of this observation at the end of the calling thread's transaction; nil if changes are
  /// told at once.
  func due(of root: KVObject) -> Due? {
    guard DeliveryScope.isAny, let scope = DeliveryScope.current else { return nil }
    return scope.settlement(for: self, of: root.scopeIdentity) { Due(self, root) }
      .map { unsafeDowncast($0, to: Due.self) }
  }

  /// Leaves it to the end of the transaction to evaluate.
  private func postpone(_ due: Due, _ root: KVObject, _ field: Field?, _ old: ValuePlace?) {
    due.isOutdated = true
    if DeliveryScope.current!.mutes(root.scopeIdentity, self, isInitial: false) { return }
    if due.isTold, due.cause === field, !isPart { return }
    (due.isTold, due.cause) = (true, field)
    deliver(Told(cause: field, old: shown(old)), of: root)
  }

  /// The work of an observation when a transaction ends: it evaluates once, and tells once. It
  /// evaluates again if a handler changes something before the observation is told.
  final class Due: Settlement {
    private let path: EvaluatedPath
    private let root: KVObject
    /// Whether something that the key path reads has changed.
    fileprivate(set) var isOutdated = false
    /// Whether there is a change to tell, and the property whose change the latest was.
    fileprivate(set) var isTold = false
    fileprivate(set) var cause: Field?
    /// The outcome of following the key path at the end.
    private(set) var outcome: Following?

    fileprivate init(_ path: EvaluatedPath, _ root: KVObject) {
      self.path = path
      self.root = root
    }

    deinit { letGo() }

    func settle() {
      if !isOutdated { return }
      isOutdated = false
      letGo()
      outcome = path.follow(root)
    }

    private func letGo() {
      if case .value(let evaluation) = outcome { path.letGo(of: evaluation) }
    }
  }

  // MARK: Ending

  final var isValid: Bool { !sources.isEnded && root != nil }

  final func invalidate() { end().forEach { $0.invalidate() } }

  final func invalidateAndWait() { end().forEach { $0.invalidateAndWait() } }

  /// Ends the registrations; the root lets go of what it kept, and the handle of this.
  private func end() -> [RegistrationHandle] {
    foreign.end()
    let (handles, rootGuard) = sources.end()
    if let root, let rootGuard { root.release(rootGuard) }
    control.control?.letGo()
    return handles
  }

  /// The handle of the observation. It keeps the path, and so the handler, until the observation ends.
  final class Handle: RegistrationControl {
    private let path: Locked<EvaluatedPath?>
    private let number: UInt

    init(_ path: EvaluatedPath) {
      self.path = Locked(path)
      number = identity(of: path)
      path.control.control = self
    }

    private var current: EvaluatedPath? { path.withLock { $0 } }

    var isValid: Bool { current?.isValid ?? false }
    func invalidate() { current?.invalidate() }
    func invalidateAndWait() { current?.invalidateAndWait() }
    var identities: [UInt] { [number] }

    fileprivate func letGo() {
      let old = path.withLock { path in
        defer { path = nil }
        return path
      }
      withExtendedLifetime(old) {}
    }
  }
}

/// Why a key path cannot be followed, or its value not be told: an error takes long to copy.
final class BoxedError: Sendable {
  let error: KeyValueError

  init(_ error: KeyValueError) { self.error = error }
}

/// The value that a key path had.
final class ValuePlace {
  private let place: UnsafeMutableRawPointer
  private let hasValue: Bool
  private let path: EvaluatedPath

  init(_ path: EvaluatedPath, _ root: KVObject) {
    self.path = path
    place = path.makePlace()
    hasValue = path.read(root, to: place)
  }

  /// Where the value is; nil if there was none.
  var address: UnsafeMutableRawPointer? { hasValue ? place : nil }

  deinit {
    if hasValue { path.drop(place) }
    place.deallocate()
  }
}

/// The memory that one evaluation at a time works with.
final class Evaluation: @unchecked Sendable {
  // Sendable because the thread that takes it has it alone.
  let probe = SourceProbe()
  let place: UnsafeMutableRawPointer
  /// Whether there is a value at the place.
  var hasValue = false
  private var scope: DeliveryScope?

  init(_ place: UnsafeMutableRawPointer) { self.place = place }

  /// Where the value is; nil if there is none.
  var address: UnsafeMutableRawPointer? { hasValue ? place : nil }

  deinit { place.deallocate() }

  /// Runs `body`, in which properties that are read report themselves to the probe.
  func enter<Result>(_ body: () -> Result) -> Result {
    if DeliveryScope.isAny { return DeliveryScope.with(probe: probe, probe.expected, body) }
    if scope == nil { scope = DeliveryScope(probe: probe, probe.expected) }
    return scope!.enter(body)
  }
}

/// How often a key path is evaluated anew because what it reads changed meanwhile.
private let maximumRounds = 100

/// How often because of what the evaluation itself has done.
private let mostOwnRounds = 2

/// Ends an observation when the object that keeps this one goes.
final class RootGuard {
  private weak var observation: (any RegistrationControl)?

  init(_ observation: any RegistrationControl) { self.observation = observation }

  deinit { observation?.invalidate() }
}

/// Whom a change asks for its observation, which does not keep it.
final class WeakControl: RegistrationControl, @unchecked Sendable {
  // Sendable because a weak reference may be read on any thread, and is set before it is shared.
  weak var control: EvaluatedPath.Handle?

  var isValid: Bool { control?.isValid ?? false }
  func invalidate() { control?.invalidate() }
  func invalidateAndWait() { control?.invalidateAndWait() }
}
