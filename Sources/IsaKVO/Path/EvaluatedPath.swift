internal import CIsa
internal import IsaKeyValue

/// An observation of a key path that is more than the names of keys: it computes, or leads through
/// optionals or constants.
///
/// It registers for every property that evaluating the key path reads, and looks anew what those are
/// whenever one of them has changed. Knows no types: code that serves all types looks up what they
/// are at each step.
class EvaluatedPath: RegistrationControl, @unchecked Sendable {
  // Sendable because `sources` has a lock, and the handler runs where the object is changed.
  /// Not held, nor by a weak reference: that has the object counted in a table beside it.
  private let unownedRoot: Unmanaged<KVObject>
  final let options: ObservationOptions
  /// Whether it serves an observation that heeds the scopes itself.
  final let isPart: Bool
  /// Whether it has to be told before changes, too.
  final let keepsOld: Bool
  private let passesOld: Bool
  private let passesNew: Bool
  final let sink: Sink
  /// The code that evaluates it, where it is one computed property.
  private let getter: PropertyGetter?
  final let layout: ValueLayout
  /// The number by which changes find this; 0 without a handler that is called in place.
  private var number: UInt64 = 0
  final let sources: Sources
  /// Of which observations that come later know what this one has found out.
  private let known: KnownPath?

  /// Overridden where nothing is known.
  var name: String { known!.name }

  init(
    _ root: KVObject, _ known: KnownPath?, _ options: ObservationOptions, isPart: Bool,
    sink: Sink? = nil, getter: PropertyGetter? = nil, layout: ValueLayout
  ) {
    self.getter = getter
    self.layout = layout
    passesOld = options.contains(.old)
    passesNew = options.contains(.new)
    unownedRoot = keepMemory(of: root)
    sources = Sources(isTracked: known?.isTracked == true && Self.canTrack)
    self.known = known
    self.options = options
    self.isPart = isPart
    keepsOld = !options.isDisjoint(with: [.old, .prior])
    self.sink = sink ?? Sink { _, _, _, _ in }
    guard let known, sink != nil, !isPart else { return }
    number = takeNumber(for: self, known.text ?? LastingText(known.name))
  }

  deinit {
    giveBack(number: number)
    dropMemory(of: unownedRoot)
  }

  final var root: KVObject? { livingObject(unownedRoot) }

  // MARK: Code that knows the types

  /// Evaluates the key path; the value is then at `place`. False if there is none.
  @inline(__always)
  final func evaluate(_ root: KVObject, to place: UnsafeMutableRawPointer) -> Bool {
    guard let getter else { return read(root, to: place) }
    getter.read(root, to: place)
    return true
  }

  /// The same for any key path. False where that leads to nil that it unwraps by force.
  func read(_ root: KVObject, to place: UnsafeMutableRawPointer) -> Bool { fatalError("abstract") }
  /// Ends the value at `place`.
  func drop(_ place: UnsafeMutableRawPointer) { fatalError("abstract") }
  /// Tells of a change, as the calling thread's scopes allow.
  func deliver(_ notification: Notification, of root: KVObject) { fatalError("abstract") }

  /// A change, with the values where they stand.
  struct Notification {
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
  ///   - check: Throws if what was read is not all that the key path leads through; answers whether
  ///     it is whatever the values are.
  final func start(
    _ reads: [FindingProbe.Read] = [],
    check: (SourceList) throws(KeyValueError) -> Bool
  ) throws(KeyValueError) {
    holdSelf()
    guard let root else { return invalidate() }
    let usual = reads.isEmpty && !sources.isTracked ? known?.usualReads : nil
    let begun = if let usual { try register(usual, of: root) } else { try register(reads) }
    let outcome = follow(root, isVerified: reads.isEmpty)
    let list = sources.list
    do throws(KeyValueError) {
      if let error = failure(in: outcome) { throw error }
      // Of what Observation tracks it is not known where the key path ends.
      if !sources.isTracked, let list, usual == nil || list !== begun {
        let isAlways = try check(list)
        if usual != nil { known?.noteOtherReads() } else { note(list, isUsual: isAlways) }
      }
    } catch {
      letGo(of: outcome)
      invalidate()
      throw error
    }
    // The handler may have ended the observation already, on the thread of another change.
    if case .ended = outcome { return }
    if list?.reads(of: unownedRoot) == false { guardEnd(root) }
    notifyInitial(outcome, root)
  }

  /// Notes what observations that come later begin with.
  private func note(_ list: SourceList, isUsual: Bool) {
    guard let known, known.isNew else { return }
    let isOfRoot = list.registrations.all.allSatisfy { $0.isOf(unownedRoot) && $0.isPlain }
    let fields = list.registrations.all.map { $0.field! }
    let isUsual = isUsual && isOfRoot && fields.count == min(list.keys.count, mostUsualReads)
    known.note(usualReads: isUsual ? fields : nil)
  }

  // MARK: The root's end, which is the observation's

  /// A registration has ended: with the root, at whose end that is the path's, or by others.
  final func end(with source: SourceRegistration) {
    if sources.isEnded || !source.isOf(unownedRoot) { return }
    if let root { guardEnd(root) } else { invalidate() }
  }

  /// Has the root keep what ends this, where it may not be registered with.
  private func guardEnd(_ root: KVObject) {
    if !sources.beginGuard() { return }
    root.keep(RootGuard(self), by: key)
    if sources.isEnded { root.release(by: key) }
  }

  /// By which the root keeps what ends this.
  private var key: UInt { identity(of: self) }

  /// Why there is nothing to observe, or no initial value to tell.
  private func failure(in outcome: Following) -> KeyValueError? {
    switch outcome {
    case .failed(let refusal): refusal.error
    case .refused(let refusal) where options.isSuperset(of: [.initial, .new]): refusal.error
    default: nil
    }
  }

  private func notifyInitial(_ outcome: Following, _ root: KVObject) {
    var notification = Notification(isInitial: true)
    if case .value(let evaluation) = outcome, passesNew {
      notification.new = evaluation._withUnsafeGuaranteedRef { $0.address }
    }
    if options.contains(.initial), !sources.isEnded { deliver(notification, of: root) }
    letGo(of: outcome)
  }

  // MARK: Evaluating

  /// The outcome of following the key path.
  enum Following {
    /// Its value, which ``letGo(of:)`` ends.
    case value(Unmanaged<Evaluation>)
    /// A value that may not be told here.
    case refused(BoxedError)
    /// Nothing: it cannot be followed.
    case failed(BoxedError)
    /// Nothing: the observation has been ended.
    case ended
  }

  /// Registers with properties that an evaluation will read, or one outside of the path has read;
  /// answers the list that is then in force. If that fails, the observation has ended.
  @inline(__always)
  private func register(
    _ count: Int,
    _ register: (Int, borrowing SourceTable) throws(KeyValueError) -> SourceRegistration?
  ) throws(KeyValueError) -> SourceList? {
    if count == 0 { return nil }
    let clearCount = kvo_clear_count()
    var registrations = SourceTable()
    registrations.reserveCapacity(count)
    do throws(KeyValueError) {
      for index in 0..<count {
        if let made = try register(index, registrations) { registrations.add(made) }
      }
    } catch {
      invalidate()
      for known in registrations.all { known.token.invalidate() }
      throw error
    }
    if registrations.all.isEmpty { return nil }
    // An array's elements would be counted while they are looked at.
    let list = registrations.all.withUnsafeBufferPointer { all in
      SourceList(all.count, registrations, clearCount: clearCount) { all[$0].place }
    }
    sources.begin(with: list)
    return list
  }

  private func register(_ reads: [FindingProbe.Read]) throws(KeyValueError) -> SourceList? {
    try register(reads.count) { index, registrations throws(KeyValueError) in
      let (object, field) = (reads[index].object, reads[index].field)
      let key = SourceKey(object, field)
      if registrations.index(of: key) != nil { return nil }
      return try SourceRegistration(object, key, field, nil).register(for: self)
    }
  }

  /// The same for properties of the root, each of which stands there once.
  private func register(
    _ usual: [Field], of root: KVObject
  ) throws(KeyValueError) -> SourceList? {
    // As above, the class's own code may read what it likes.
    try DeliveryScope.pausingProbe { () throws(KeyValueError) in
      let id = try root.observedID()
      return try register(usual.count) { index, _ throws(KeyValueError) in
        let field = usual[index]
        let made = SourceRegistration(root, SourceKey(root, field), field, nil)
        try made.register(field, id, self)
        return made
      }
    }
  }

  /// Evaluates the key path and registers with all that it reads, until no change can have gone
  /// unheard. If evaluations make something anew, or change it themselves, that is put up with.
  ///
  /// - Parameter isVerified: False if something has been registered with since it was read.
  @inline(__always)
  private func follow(_ root: KVObject, isVerified: Bool = true) -> Following {
    let round = evaluate(root, keepsMore: !isVerified)
    if case .all = round.hearing, !round.hasNew { return round.outcome }
    return followOn(root, round)
  }

  @inline(never)
  private func followOn(_ root: KVObject, _ first: Round) -> Following {
    var round = first
    var patience = mostOwnRounds
    for number in 1...maximumRounds {
      switch round.hearing {
      case .uncertain: letGo(of: round.outcome)
      case .outdated where patience > 0, .all where round.hasNew && patience > 0:
        letGo(of: round.outcome)
        patience -= 1
        // A getter that has set what it reads may have kept its value, and reads less then.
        round.hasNew = true
      default: return round.outcome
      }
      if number < maximumRounds { round = evaluate(root, keepsMore: round.hasNew) }
    }
    return .failed(
      BoxedError(
        KeyValueError(
          .tooDeep, key: name, className: "\(type(of: root))",
          reason: "observing \(name) of \(type(of: root)) comes to no end")))
  }

  /// One evaluation: its outcome, what is heard of its properties, and whether only since the read.
  private struct Round {
    let outcome: Following
    let hearing: Sources.Hearing
    var hasNew = false

    static let ended = Round(outcome: .ended, hearing: .nothing)
  }

  /// Evaluates the key path once.
  ///
  /// - Parameter keepsMore: Whether what the evaluation before has read is heard of in any case.
  private func evaluate(_ root: KVObject, keepsMore: Bool) -> Round {
    guard let reference = sources.begin(for: self) else { return .ended }
    return reference._withUnsafeGuaranteedRef { evaluation in
      if sources.isTracked { return evaluateTracked(evaluation, root, keepsMore: keepsMore) }
      if evaluation.run(root) { return noteTracked(evaluation, root) }
      guard evaluation.isAsBefore, sources.isSettled(evaluation) else {
        return finish(evaluation, nil, root, keepsMore: keepsMore)
      }
      sources.leave(evaluation)
      if evaluation.list.isGuarded { return finish(evaluation, evaluation.list, .all, false) }
      return Round(outcome: .value(reference), hearing: .all)
    }
  }

  /// Ends an evaluation that has read something else than the evaluation before.
  @inline(never)
  private func finish(
    _ evaluation: Evaluation, _ tracking: (any TrackedSource)?, _ root: KVObject, keepsMore: Bool
  ) -> Round {
    let end = evaluation.finish(keepsMore: keepsMore)
    if let failure = end.failure {
      sources.abandon(evaluation, made: end.made)
      tracking?.end()
      letGo(of: .passUnretained(evaluation))
      // Where another thread has ended the observation, that is why.
      return Round(outcome: sources.isEnded ? .ended : .failed(failure), hearing: .all)
    }
    if let tracking { sources.exchange(tracking) }
    let hearing = sources.end(evaluation, comparedWith: end.compared, made: end.made)
    let list = end.made ?? end.compared
    if !list.reads(of: unownedRoot) { guardEnd(root) }
    return finish(evaluation, list, hearing, end.hasNew)
  }

  private func finish(
    _ evaluation: Evaluation, _ list: SourceList, _ hearing: Sources.Hearing, _ hasNew: Bool
  ) -> Round {
    if case .nothing = hearing {
      letGo(of: .passUnretained(evaluation))
      return .ended
    }
    guard let refusal = list.refusal else {
      return Round(
        outcome: .value(.passUnretained(evaluation)), hearing: hearing, hasNew: hasNew)
    }
    letGo(of: .passUnretained(evaluation))
    return Round(outcome: .refused(refusal), hearing: hearing, hasNew: hasNew)
  }

  // MARK: What Observation tracks

  /// Whether paths can have trackings in this process.
  private static var canTrack: Bool {
    guard #available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *) else { return false }
    return ForeignTracking.isSupported
  }

  private func evaluateTracked(
    _ evaluation: Evaluation, _ root: KVObject, keepsMore: Bool
  ) -> Round {
    guard #available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *) else {
      fatalError("unreachable")
    }
    return finish(evaluation, evaluation.runTracked(root), root, keepsMore: keepsMore)
  }

  /// Has an evaluation made again that is now known to read what Observation tracks.
  private func noteTracked(_ evaluation: Evaluation, _ root: KVObject) -> Round {
    sources.abandon(evaluation, made: evaluation.finish(keepsMore: false).made)
    letGo(of: .passUnretained(evaluation))
    guard Self.canTrack else {
      return Round(outcome: .failed(BoxedError(notFollowed(root))), hearing: .all)
    }
    sources.noteTracked()
    known?.noteTracked()
    return Round(outcome: .ended, hearing: .uncertain)
  }

  private func notFollowed(_ root: KVObject) -> KeyValueError {
    KeyValueError(
      .notObservable, key: name, className: "\(type(of: root))",
      reason: "\(name) of \(type(of: root)) cannot be observed: it reads an object of a class with "
        + "@Observable, which cannot be followed by this version of Swift",
      cure: "make that class a KVObject")
  }

  /// Ends the value of an outcome, if it has one.
  @inline(__always)
  private func letGo(of outcome: Following) {
    if case .value(let evaluation) = outcome { letGo(of: evaluation) }
  }

  @inline(__always)
  private func letGo(of evaluation: Unmanaged<Evaluation>) {
    if !layout.endsNothing {
      evaluation._withUnsafeGuaranteedRef { if $0.hasValue { drop($0.place) } }
    }
    sources.giveBack(evaluation)
  }

  // MARK: Changes

  /// A property that the key path reads is about to change.
  final func willChange(_ source: some PathSource) {
    sources.fetchEvaluation()
    guard let root, !sources.isEnded, source.isHeeded(by: self), isToNotify(source) else { return }
    if let due = due(of: root), due.isNotified {
      return sources.announce(at: source.place, nil, of: self)
    }
    let old = passesOld ? oldValue(of: root) : nil
    if options.contains(.prior), !sources.isEnded {
      deliver(Notification(cause: source.field, isPrior: true, old: address(of: old)), of: root)
    }
    // From here on whoever ends the observation may drop the value.
    sources.announce(at: source.place, old, of: self)
  }

  /// The value before a change; nil if it may not be read here.
  private func oldValue(of root: KVObject) -> Sources.OldValue? {
    if let refusal = sources.refusal {
      report(refusal.error)
      return nil
    }
    let value = sources.makeOldValue(of: self)
    value._withUnsafeGuaranteedRef { value in
      // A closure would count references to all three objects.
      if mayBeTracked() { readUnobserved(root, to: value) } else { value.read(self, root) }
    }
    return value
  }

  @inline(never)
  private func readUnobserved(_ root: KVObject, to value: ValuePlace) {
    unobserved { value.read(self, root) }
  }

  private func report(_ refusal: KeyValueError) {
    isa_report_misuse(
      refusal.code.status, refusal.exceptionName,
      "the value for \(name), whose observers ask for it, cannot be read: \(refusal.reason)")
  }

  /// A property that the key path reads has changed, of which another one tells it.
  final func endChange(_ source: SourceRegistration) {
    if keepsOld { sources.drop(sources.endChange(at: source.place), of: self) }
  }

  /// A property that the key path reads has changed.
  final func didChange(_ source: some PathSource) {
    let old = keepsOld ? sources.endChange(at: source.place) : nil
    defer { sources.drop(old, of: self) }
    guard source.isHeeded(by: self), let root else { return }
    if DeliveryScope.isAny || DeclaredSetting.isAnyUnderWay {
      guard isToNotify(source) else { return }
      if let due = due(of: root) { return postpone(due, root, source.field, address(of: old)) }
    }
    let outcome = follow(root)
    guard let new = newValue(of: outcome) else { return }
    notify(root, source, address(of: old), new.address)
    letGo(of: outcome)
  }

  /// A change has ended that had begun when the path was not observed yet. It is nobody's to tell, but
  /// the key path may lead to other objects now.
  final func didChangeUnnoticed(_ source: some PathSource) {
    guard source.isHeeded(by: self), let root, !isOfEvaluation else { return }
    if let due = due(of: root) { return due.isOutdated = true }
    letGo(of: follow(root))
  }

  private func notify(
    _ root: KVObject, _ source: some PathSource, _ old: UnsafeMutableRawPointer?,
    _ new: UnsafeMutableRawPointer?
  ) {
    guard let tag = source.tag, !DeliveryScope.isAny else {
      return deliver(Notification(cause: source.field, old: old, new: new), of: root)
    }
    sink(
      ChangeInPlace(
        UnsafeRawPointer(root.headerAddress), UnsafeRawPointer(old), UnsafeRawPointer(new), tag))
  }

  @inline(__always)
  private func address(of old: Sources.OldValue?) -> UnsafeMutableRawPointer? {
    old?._withUnsafeGuaranteedRef { $0.address }
  }

  /// The tag of changes that a property causes; nil if they are told without.
  final func tag(of field: Field) -> ChangeTag? { IsaKeyValue.tag(of: number, field.keyText) }

  /// Whether a change is neither the evaluation's own nor part of the setting of another source by
  /// name, at whose end it is told.
  private func isToNotify(_ source: some PathSource) -> Bool {
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
  @inline(__always)
  final func newValue(of outcome: Following) -> (address: UnsafeMutableRawPointer?, Void)? {
    switch outcome {
    case .value(let evaluation):
      return (passesNew ? evaluation._withUnsafeGuaranteedRef { $0.address } : nil, ())
    default: return noValue(of: outcome)
    }
  }

  @inline(never)
  private func noValue(of outcome: Following) -> (address: UnsafeMutableRawPointer?, Void)? {
    switch outcome {
    case .refused(let refusal):
      if passesNew { report(refusal.error) }
      return (nil, ())
    case .failed(let refusal):
      let error = refusal.error
      isa_report_misuse(error.code.status, error.exceptionName, error.reason)
      return nil
    case .value, .ended: return nil
    }
  }

  // MARK: Transactions

  /// The work of this observation at the end of the calling thread's transaction; nil if changes are
  /// told at once.
  func due(of root: KVObject) -> Due? {
    guard let scope = DeliveryScope.current else { return nil }
    return scope.dueWork(for: self, of: root.scopeIdentity) { Due(self, root) }
      .map { unsafeDowncast($0, to: Due.self) }
  }

  /// Leaves it to the end of the transaction to evaluate.
  private func postpone(
    _ due: Due, _ root: KVObject, _ field: Field?, _ old: UnsafeMutableRawPointer?
  ) {
    due.isOutdated = true
    if DeliveryScope.current!.mutes(root.scopeIdentity, self, isInitial: false) {
      return LoggedNotification.mute()
    }
    if due.isNotified, due.cause === field, !isPart { return _ = LoggedNotification.hold() }
    (due.isNotified, due.cause) = (true, field)
    deliver(Notification(cause: field, old: old), of: root)
  }

  /// The work of an observation when a transaction ends: it evaluates once, and tells once. It
  /// evaluates again if a handler changes something before the observation is told.
  final class Due: DueWork {
    private let path: EvaluatedPath
    private let root: KVObject
    /// Whether something that the key path reads has changed.
    fileprivate(set) var isOutdated = false
    /// Whether there is a change to tell, and the property whose change the latest was.
    fileprivate(set) var isNotified = false
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
      if let outcome { path.letGo(of: outcome) }
    }
  }

  // MARK: Ending

  final var isValid: Bool { !sources.isEnded && root != nil }

  final func invalidate() { end().forEach { $0.token.invalidate() } }

  final func invalidateAndWait() { end().forEach { $0.token.invalidateAndWait() } }

  /// Ends the registrations; the root lets go of what it kept, and this of itself.
  private func end() -> [SourceRegistration] {
    if sources.isEnded { return [] }
    guard let registrations = sources.end(of: self) else { return [] }
    if sources.isGuarded { root?.release(by: key) }
    releaseSelf()
    return registrations
  }

  /// Holds itself, and so the handler, until it ends: a handle does not, which outlives the end.
  private func holdSelf() { _ = Unmanaged.passRetained(self) }
  private func releaseSelf() { Unmanaged.passUnretained(self).release() }

  /// The handle of the observation.
  final class Handle: RegistrationControl {
    private let path: Unmanaged<EvaluatedPath>

    init(_ path: EvaluatedPath) { self.path = keepMemory(of: path) }

    deinit { dropMemory(of: path) }

    private var current: EvaluatedPath? { livingObject(path) }

    var isValid: Bool { current?.isValid ?? false }
    func invalidate() { current?.invalidate() }
    func invalidateAndWait() { current?.invalidateAndWait() }
    var identities: [UInt] { [UInt(bitPattern: path.toOpaque())] }
  }
}

/// Why a key path cannot be followed, or its value not be told: an error takes long to copy.
final class BoxedError: Sendable {
  let error: KeyValueError

  init(_ error: KeyValueError) { self.error = error }
}

/// The memory that a value of a key path takes.
struct ValueLayout {
  /// The room for a value in an object that makes values, which is enough for most.
  typealias Room = (UInt, UInt)

  private let size: Int
  private let alignment: Int
  /// Whether nothing has to be done to end a value.
  let endsNothing: Bool

  init<Value>(of type: Value.Type) {
    size = MemoryLayout<Value>.size
    alignment = MemoryLayout<Value>.alignment
    endsNothing = _isPOD(type)
  }

  /// Memory for one value; nil if the room is enough.
  func allocate() -> UnsafeMutableRawPointer? {
    size <= MemoryLayout<Room>.size && alignment <= MemoryLayout<Room>.alignment
      ? nil : .allocate(byteCount: size, alignment: alignment)
  }
}

/// Memory for the value that a key path had.
final class ValuePlace {
  // Stands first, where it is reached by its address.
  private var storage: ValueLayout.Room = (0, 0)
  private let outside: UnsafeMutableRawPointer?
  private var hasValue = false

  init(_ path: EvaluatedPath) { outside = path.layout.allocate() }

  deinit { outside?.deallocate() }

  private var place: UnsafeMutableRawPointer {
    outside ?? _getUnsafePointerToStoredProperties(self)
  }

  func read(_ path: EvaluatedPath, _ root: KVObject) { hasValue = path.evaluate(root, to: place) }

  /// Where the value is; nil if there was none.
  var address: UnsafeMutableRawPointer? { hasValue ? place : nil }

  func drop(_ path: EvaluatedPath) {
    if hasValue, !path.layout.endsNothing { path.drop(place) }
    hasValue = false
  }
}

/// How often a key path is evaluated anew because what it reads changed meanwhile.
private let maximumRounds = 100

/// How often because of what the evaluation itself has done.
private let mostOwnRounds = 2

/// With how many properties an observation registers beforehand.
private let mostUsualReads = 16

/// Ends an observation when the object that keeps this one goes.
private final class RootGuard: BoxedValue {
  private let path: Unmanaged<EvaluatedPath>

  init(_ path: EvaluatedPath) { self.path = keepMemory(of: path) }

  deinit {
    livingObject(path)?.invalidate()
    dropMemory(of: path)
  }

  var any: Any { self }
}
