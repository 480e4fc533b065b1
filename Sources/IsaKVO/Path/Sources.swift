// The properties that an evaluated key path has read.
//
// Owns:  the registrations with what was read; a registration holds its observation until it ends.
// Lives: a list until the next one takes its place and no evaluation compares with it any more.
// Locks: `Sources` has its own; nobody's code runs under it. An evaluation that reads the same as
//        the evaluation before takes none:
//
//        1. It claims the `Evaluation` that all share. A thread that comes second makes one of its own.
//        2. It reads, and compares each read with the list that this one kept from the time before.
//        3. It looks whether that list is still in force: `list` holds its address, which no other has
//           while it is kept.
//
//        Another list is put in force under the lock, and by one store; so 3 is as good as a look under
//        the lock at that moment. Before it, this thread's reads were heard of; after it, the other
//        evaluation is the later one, and is told later.
//
//        The lists that an `Evaluation` keeps hold the observation, so they have to go at its end. That
//        stores 0 in `list` and then tries the claim; giving the claim back is followed by a look at
//        `list`. No read passes either exchange, so that one of the two finds what the other did.
internal import CIsa
internal import IsaKeyValue

extension SourceKey {
  init(_ object: KVObject, _ storage: UnsafeRawPointer) {
    self.init(storage, of: address(of: object))
  }

  init(_ object: KVObject, _ field: Field) {
    self.init(
      field.offset > 0
        ? UnsafeRawPointer(object.storage(of: field))
        : UnsafeRawPointer(Unmanaged.passUnretained(field).toOpaque()), of: address(of: object))
  }

  /// Of what is no property.
  init(_ other: AnyObject) { self.init(Unmanaged.passUnretained(other).toOpaque(), of: nil) }

  fileprivate static let none = SourceKey(nil, of: nil)
}

/// The address of an object, by which lists know it.
private func address(of object: KVObject) -> UnsafeRawPointer {
  UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
}

/// A property, or more than that, of which an evaluated key path hears changes.
protocol PathSource: AnyObject, Sendable {
  var place: SourceKey { get }
  /// The property; nil if it is none of a `KVObject`.
  var field: Field? { get }
  /// Of the changes that it causes; nil if they are told without.
  var tag: ChangeTag? { get }
  /// Whether the path's latest evaluation has read the source.
  func isHeeded(by path: EvaluatedPath) -> Bool
}

/// The part of what an evaluated key path has read that Observation tracks.
protocol TrackedSource: PathSource {
  /// Ends it; nothing is told any more.
  func end()
}

/// A property that an evaluated key path has read, and the registration with it once that is made.
final class SourceRegistration: PathSource, @unchecked Sendable {
  // Sendable because all but `standing`, which the lock of its `Sources` guards, is final when it is
  // registered.
  private var storage: kvo_token?
  let place: SourceKey
  /// While it is kept no other object stands there.
  private let object: ObjectMemory
  // This and the class's registration live as long as the process.
  private(set) unowned(unsafe) var field: Field?
  private let keyPath: AnyKeyPath?
  /// The registration of the object's class.
  private(set) unowned(unsafe) var owner: ClassRegistration?
  private(set) var tag: ChangeTag?
  private var path: EvaluatedPath?
  /// The path's, which are fetched while it is looked at.
  private var sources: Unmanaged<Sources>?
  fileprivate var standing = Standing.read

  /// The reason why a registration stands.
  fileprivate enum Standing {
    /// Something that the latest evaluation has read.
    case read
    /// Something that the evaluation before has read, of an object that the latest one has read of.
    case kept
    /// Nothing more: it has changed while it was kept, or is to be ended.
    case dropped
  }

  /// Notes a property of an object that may be in its deinit.
  init(
    _ object: __shared KVObject, _ place: SourceKey, _ field: __shared Field?,
    _ keyPath: AnyKeyPath?
  ) {
    self.place = place
    self.object = ObjectMemory(keeping: object)
    self.field = field
    self.keyPath = keyPath
  }

  deinit {
    token.release()
    object.drop()
  }

  var token: RegistrationToken { RegistrationToken(firstIn: self) }
  func isHeeded(by path: EvaluatedPath) -> Bool { path.sources.heeds(self) }

  /// The object that the property's value is, if it is one.
  var objectAtEnd: AnyObject? { object.object.flatMap { field?.instance(in: $0) } }

  /// Registers, with itself or, where it was registered before, with another one; nil if the object
  /// has gone, or the property is none that is known. The C core then holds the registration.
  func register(for path: EvaluatedPath) throws(KeyValueError) -> SourceRegistration? {
    guard let object = object.object else { return nil }
    // Registering asks the class, whose own code may read what it likes.
    return try DeliveryScope.pausingProbe { () throws(KeyValueError) in
      let id = try object.observedID()
      guard
        let field = field ?? object.field(at: UnsafeRawPointer(bitPattern: place.place)!)
      else { return nil }
      if let keyPath { object.askCustomization(of: field.key, keyPath) }
      let made = self.path == nil ? self : SourceRegistration(object, place, field, keyPath)
      try made.register(field, id, path)
      return made
    }
  }

  func register(
    _ field: Field, _ id: isa_id, _ path: EvaluatedPath
  ) throws(KeyValueError) {
    (self.field, owner, self.path, tag) = (field, .of(id), path, path.tag(of: field))
    sources = .passUnretained(path.sources)
    // Bits that are no option are refused by the C core.
    var options = path.options.subtracting([.old, .new, .initial, .prior])
    if path.keepsOld { options.insert(.prior) }
    // The evaluation reads by itself what the class's own getter reads.
    if field.offset > 0, owner!.overridesGetter(of: field) { options.insert(.own) }
    let status = withAnswers {
      token.register(Self.notify, self, Self.end, on: id, field.keyText.address, options)
    }
    try KeyValueError.check(status, key: field.key, className: owner!.name)
  }

  /// Whether registering with the property runs no getter of an object.
  var isPlain: Bool { owner!.isPlain(field!) }

  /// Throws where the property may not be read.
  fileprivate func checkActor() throws(KeyValueError) {
    try owner!.checkActor(field!.key, of: objectIdentity)
  }

  /// Whether the path hears by itself of a property that affects this one.
  private func isNotified(of cause: UnsafePointer<CChar>?) -> Bool {
    guard let cause, let other = owner!.fieldsByKey[String(cString: cause)], other !== field,
      let object = object.object, kvo_find_changing() == object.adoptedID
    else { return false }
    return path!.sources.reads(SourceKey(object, other))
  }

  func isOf(_ object: Unmanaged<KVObject>) -> Bool {
    place.object == UInt(bitPattern: object.toOpaque())
  }

  private var objectIdentity: ObjectIdentifier {
    unsafeBitCast(place.object, to: ObjectIdentifier.self)
  }

  /// The core has ended the registration.
  private static let end: @convention(c) (UnsafeMutableRawPointer?) -> Void = { info in
    let source = Unmanaged<SourceRegistration>.fromOpaque(info!)
    source._withUnsafeGuaranteedRef { $0.path?.end(with: $0) }
    source.release()
  }

  /// Names the callback of all of them to the event log, once.
  static let addToLog: Void = LoggedNotification.add(notify)

  /// Told of changes and, by an initial one, of a value that was exchanged and told to nobody.
  static let notify: kvo_callback = { record, info in
    Unmanaged<SourceRegistration>.fromOpaque(info!)._withUnsafeGuaranteedRef { source in
      if let sources = source.sources { fetch(sources.toOpaque(), 192) }
      let (key, cause) = (record!.pointee.key_path, record!.pointee.cause)
      // The registration holds the path.
      Unmanaged.passUnretained(source.path!)._withUnsafeGuaranteedRef {
        if record!.pointee.is_initial {
          $0.didChangeUnnoticed(source)
        } else if key != cause, source.isNotified(of: cause) {
          if !record!.pointee.is_prior { $0.endChange(source) }
        } else {
          record!.pointee.is_prior ? $0.willChange(source) : $0.didChange(source)
        }
      }
    }
  }
}

/// Registrations, found by where their properties stand.
struct SourceTable {
  private(set) var all: [SourceRegistration] = []
  /// Where they are among them, if these are more than a few.
  private var places: [SourceKey: Int] = [:]

  private static let few = 8

  func index(of key: SourceKey) -> Int? {
    if all.count > Self.few { return places[key] }
    return all.firstIndex { $0.place == key }
  }

  subscript(key: SourceKey) -> SourceRegistration? { index(of: key).map { all[$0] } }

  func has(_ registration: SourceRegistration) -> Bool { self[registration.place] === registration }

  /// Whether none of them has been ended.
  var isIntact: Bool { all.allSatisfy { $0.token.isValid } }

  /// Calls `body` with the registrations in `others` that are not among these, and whether their
  /// properties are not either, of objects that these are of.
  func forEachMissing(of others: SourceTable, _ body: (SourceRegistration, Bool) -> Void) {
    if others.all.isEmpty { return }
    let objects = all.count > Self.few ? Set(all.map(\.place.object)) : []
    for other in others.all where !has(other) {
      let object = other.place.object
      let isOfSame =
        all.count > Self.few
        ? objects.contains(object) : all.contains { $0.place.object == object }
      body(other, isOfSame && index(of: other.place) == nil)
    }
  }

  mutating func reserveCapacity(_ count: Int) { all.reserveCapacity(count) }

  /// Adds one of a property that none is of yet.
  mutating func add(_ registration: SourceRegistration) {
    all.append(registration)
    if all.count > Self.few + 1 {
      places[registration.place] = all.count - 1
    } else if all.count > Self.few {
      for (index, known) in all.enumerated() { places[known.place] = index }
    }
  }
}

/// The properties that an evaluation has read, in order. It never changes, and looks at no object:
/// each may be gone.
final class SourceList: @unchecked Sendable {
  // Sendable because nothing changes once it has been made.
  // A few keys stand first, where they are reached by their address.
  private var room = (SourceKey.none, SourceKey.none, SourceKey.none, SourceKey.none)
  /// Where more of them stand.
  private let outside: UnsafeMutablePointer<SourceKey>?
  /// Behind them stands ``SourceKey/none``.
  @exclusivity(unchecked) private(set) var keys: UnsafeBufferPointer<SourceKey>
  /// Where that stands.
  var end: UnsafePointer<SourceKey> { keys.baseAddress.unsafelyUnwrapped + keys.count }
  let registrations: SourceTable
  /// Where among the keys each registration's property is first; empty where that is its own index.
  private let indexes: [Int]
  /// The first property of an object of the main actor.
  private let guarded: SourceRegistration?
  /// The count that `kvo_clear_count` gave before the registrations were seen to stand.
  let clearCount: UInt64

  static let empty = SourceList(0, SourceTable(), clearCount: 0) { _ in .none }

  convenience init(_ keys: [SourceKey], _ registrations: SourceTable, clearCount: UInt64) {
    self.init(keys.count, registrations, clearCount: clearCount) { keys[$0] }
  }

  @inline(__always)
  init(
    _ size: Int, _ registrations: SourceTable, clearCount: UInt64, key: (Int) -> SourceKey
  ) {
    self.registrations = registrations
    self.clearCount = clearCount
    outside = size < 4 ? nil : .allocate(capacity: size + 1)
    keys = UnsafeBufferPointer(start: outside, count: 0)
    let count = registrations.all.count
    var indexes: [Int] = []
    if size != count {
      indexes = [Int](repeating: size, count: count)
      for index in (0..<size).reversed() { indexes[registrations.index(of: key(index))!] = index }
    }
    self.indexes = indexes
    guarded = registrations.all.first { $0.owner!.isOfMainActor }
    let copy =
      outside ?? _getUnsafePointerToStoredProperties(self).assumingMemoryBound(to: SourceKey.self)
    for index in 0..<size { (copy + index).initialize(to: key(index)) }
    (copy + size).initialize(to: .none)
    keys = UnsafeBufferPointer(start: copy, count: size)
  }

  deinit { outside?.deallocate() }

  /// Where among the keys a property is first.
  func firstIndex(of key: SourceKey) -> Int? {
    registrations.index(of: key).map { indexes.isEmpty ? $0 : indexes[$0] }
  }

  /// Whether something was read of an object.
  func reads(of object: Unmanaged<KVObject>) -> Bool {
    registrations.all.contains { $0.isOf(object) }
  }

  /// Why what it has may not be read here, if it may not.
  var refusal: BoxedError? {
    do throws(KeyValueError) { try guarded?.checkActor() } catch { return BoxedError(error) }
    return nil
  }

  var isGuarded: Bool { guarded != nil }

  /// By which it is told from others.
  var number: UInt64 {
    UInt64(UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()))
  }

  /// The same list, which has been seen to be intact since.
  func seen(clearCount: UInt64) -> SourceList {
    if clearCount == self.clearCount { return self }
    return SourceList(keys.count, registrations, clearCount: clearCount) { keys[$0] }
  }

  /// The registration of the property that was read last.
  var last: SourceRegistration? { keys.last.flatMap { registrations[$0] } }
}

/// The properties that an evaluated key path reads, and the changes of them which are under way.
final class Sources: @unchecked Sendable {
  // Sendable because the words are reached by atomic calls, `shared` by the thread that has claimed
  // it, and `state` under the lock.
  private enum Word: Int {
    /// The address of the list in force, and 1 more if something in it is about to be ended; 0 once the
    /// observation has ended.
    case list
    /// 1 while a thread has `shared`.
    case claim
    /// The thread that evaluates with it; 0 if none does.
    case thread
    /// 1 once a registration has been kept that is no source.
    case hasKept
    /// 1 if the path reads what Observation tracks.
    case isTracked
    /// 1 once the root keeps what ends the path.
    case isGuarded
    /// The address of memory for the value before the next change; 0 while there is none.
    case spare
    /// The address of `shared`; 0 while there is none. Nobody goes by it but to fetch.
    case shared
  }

  private struct State {
    var list = SourceList.empty
    /// The list of the evaluation before, when it had read something else: it often does so again.
    var previous = SourceList.empty
    var pending: [Pending] = []
    /// Evaluations that run while others have the shared one, with their threads.
    var others: [(evaluation: Evaluation, thread: UInt)] = []
    /// Tracks what the latest evaluation has read that Observation tracks.
    var tracking: (any TrackedSource)?
    /// How many changes are under way of which that has told.
    var trackedChanges = 0
  }

  /// A change that has been announced and has not happened yet.
  private struct Pending {
    /// Where the property stands.
    let place: SourceKey
    let thread: UInt
    let old: OldValue?
  }

  /// The value before a change, which ``drop(_:of:)`` ends.
  typealias OldValue = Unmanaged<ValuePlace>

  // The words and the lock stand first, where they are reached by their address.
  private var words: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
  private var storage = Lock.Storage()
  @exclusivity(unchecked) private var state = State()
  @exclusivity(unchecked) private var shared: Unmanaged<Evaluation>?

  init(isTracked: Bool) {
    words = (SourceList.empty.number, 0, 0, 0, isTracked ? 1 : 0, 0, 0, 0)
    lock.make()
  }

  deinit {
    shared?.release()
    takeSpare()?.release()
    lock.destroy()
  }

  private var lock: Lock {
    Lock(at: word(.list) + MemoryLayout.size(ofValue: words) / MemoryLayout<UInt64>.stride)
  }

  /// Runs `body` on the state; `body` calls nobody's code.
  @inline(__always)
  private func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body(&state)
  }

  @inline(__always)
  private func word(_ word: Word) -> UnsafeMutablePointer<UInt64> {
    _getUnsafePointerToStoredProperties(self).assumingMemoryBound(to: UInt64.self) + word.rawValue
  }

  // MARK: Evaluating

  /// The evaluation that begins on the calling thread; nil if the observation has ended. One of
  /// ``leave(_:)``, ``end(_:comparedWith:made:)`` and ``abandon(_:made:)`` tells that it has read, and
  /// ``giveBack(_:)`` that its value is needed no more: it is there until then.
  func begin(for path: EvaluatedPath) -> Unmanaged<Evaluation>? {
    let list = loadWord(word(.list))
    if list == 0 { return nil }
    guard claimWord(word(.claim)) else { return beginBeside(path) }
    storeWord(word(.thread), UInt64(currentThread()))
    guard let shared, shared._withUnsafeGuaranteedRef({ $0.begin(with: list) }) else {
      return beginAnew(path)
    }
    return shared
  }

  @inline(never)
  private func beginAnew(_ path: EvaluatedPath) -> Unmanaged<Evaluation>? {
    guard let lists = withLock({ state in isEnded ? nil : (state.list, state.previous) }) else {
      storeWord(word(.thread), 0)
      giveBackShared()
      return nil
    }
    if let shared {
      shared._withUnsafeGuaranteedRef { $0.begin(lists.0, lists.1) }
    } else {
      let made = Unmanaged.passRetained(Evaluation(path, isShared: true, lists))
      shared = made
      storeWord(word(.shared), UInt64(UInt(bitPattern: made.toOpaque())))
    }
    return shared
  }

  @inline(never)
  private func beginBeside(_ path: EvaluatedPath) -> Unmanaged<Evaluation>? {
    withLock { state in
      if isEnded { return nil }
      let evaluation = Evaluation(path, isShared: false, (state.list, state.previous))
      state.others.append((evaluation, currentThread()))
      return .passRetained(evaluation)
    }
  }

  /// Has the processor fetch what an evaluation begins with, also where that goes meanwhile.
  @inline(__always)
  func fetchEvaluation() {
    let (evaluation, list) = (loadWord(word(.shared)), loadWord(word(.list)))
    if let address = UnsafeRawPointer(bitPattern: UInt(evaluation)) { fetch(address, 192) }
    if let address = UnsafeRawPointer(bitPattern: UInt(list)) { fetch(address, 128) }
  }

  /// Whether an evaluation that has read what its list has need do no more than ``leave(_:)``: the
  /// list is in force, and the evaluation has not changed what it has read.
  @inline(__always)
  func isSettled(_ evaluation: Evaluation) -> Bool {
    !evaluation.isOutdated && loadWord(word(.list)) == evaluation.list.number
  }

  /// Notes that an evaluation reads no more.
  @inline(__always)
  func leave(_ evaluation: Evaluation) {
    if evaluation.isShared { return storeWord(word(.thread), 0) }
    withLock { $0.others.removeAll { $0.evaluation === evaluation } }
  }

  /// Takes back what an evaluation worked with.
  @inline(__always)
  func giveBack(_ evaluation: Unmanaged<Evaluation>) {
    if evaluation._withUnsafeGuaranteedRef({ !$0.isShared }) { return evaluation.release() }
    giveBackShared()
  }

  @inline(__always)
  private func giveBackShared() {
    giveBackWord(word(.claim))
    if isEnded { dropShared() }
  }

  /// Drops the shared evaluation, which nobody claims any more.
  private func dropShared() {
    guard claimWord(word(.claim)) else { return }
    storeWord(word(.shared), 0)
    shared?.release()
    shared = nil
  }

  /// The changes that are heard of the properties which an evaluation has read.
  enum Hearing {
    /// All changes, since before the properties were read.
    case all
    /// All but changes that the evaluation has made itself: the properties have to be read again.
    case outdated
    /// Perhaps not all of them: the properties have to be read again.
    case uncertain
    /// Nothing: the observation has been ended, perhaps by its handler on another thread.
    case nothing
  }

  /// Ends an evaluation that compared with `list` and read what is in `made`; nil: the same.
  func end(
    _ evaluation: Evaluation, comparedWith list: SourceList, made: SourceList?
  ) -> Hearing {
    leave(evaluation)
    let (superfluous, hearing) = register(made, comparedWith: list)
    superfluous.forEach { $0.token.invalidate() }
    if case .all = hearing, evaluation.isOutdated { return .outdated }
    return hearing
  }

  /// Puts a list in force; answers the registrations to end.
  private func register(
    _ made: SourceList?, comparedWith list: SourceList
  ) -> ([SourceRegistration], Hearing) {
    withLock { state in
      if isEnded { return (made?.registrations.all ?? [], .nothing) }
      guard let made else {
        if state.list !== list { return ([], .uncertain) }
        let dropped = list.registrations.all.filter { $0.standing == .dropped }
        return (dropped, dropped.isEmpty ? .all : .uncertain)
      }
      return exchange(&state, made, list)
    }
  }

  private func exchange(
    _ state: inout State, _ made: SourceList, _ compared: SourceList
  ) -> ([SourceRegistration], Hearing) {
    var superfluous: [SourceRegistration] = []
    made.registrations.forEachMissing(of: state.list.registrations) { known, isToKeep in
      known.standing = isToKeep && known.standing == .read ? .kept : .dropped
      if known.standing == .kept {
        storeWord(word(.hasKept), 1)
      } else {
        superfluous.append(known)
      }
    }
    for known in state.previous.registrations.all
    where known.standing == .kept && !state.list.registrations.has(known)
      && !made.registrations.has(known)
    {
      known.standing = .dropped
      superfluous.append(known)
    }
    var isWhole = true
    for read in made.registrations.all where read.standing != .read {
      if read.standing == .kept {
        read.standing = .read
      } else {
        isWhole = false
        superfluous.append(read)
      }
    }
    let isCertain = isWhole && state.list === compared
    (state.list, state.previous) = (made, state.list)
    // If it is no list's address, an evaluation that reads the same does not end with a look at it.
    storeWord(word(.list), made.number | (isWhole ? 0 : 1))
    return (superfluous, isCertain ? .all : .uncertain)
  }

  /// Puts in force what was read outside of an evaluation.
  func begin(with list: SourceList) {
    register(list, comparedWith: .empty).0.forEach { $0.token.invalidate() }
  }

  /// Ends an evaluation that came to nothing, and what it has registered with.
  func abandon(_ evaluation: Evaluation, made: SourceList?) {
    leave(evaluation)
    let superfluous = withLock { state in
      made?.registrations.all.filter { made in
        ![state.list, state.previous].contains { $0.registrations.has(made) }
      }
    }
    superfluous?.forEach { $0.token.invalidate() }
  }

  /// The list in force; nil if the observation has ended.
  var list: SourceList? { withLock { isEnded ? nil : $0.list } }

  // MARK: Changes

  /// Whether a change comes of an evaluation on the calling thread, which then is to be made again.
  func isOfEvaluation() -> Bool {
    let thread = currentThread()
    var isAny = false
    if loadWord(word(.thread)) == UInt64(thread) {
      shared!._withUnsafeGuaranteedRef { $0.isOutdated = true }
      isAny = true
    }
    return withLock { state in
      for other in state.others where other.thread == thread {
        other.evaluation.isOutdated = true
        isAny = true
      }
      return isAny
    }
  }

  /// Whether a change concerns the key path: one of something that is only kept ends that.
  func heeds(_ registration: SourceRegistration) -> Bool {
    if loadWord(word(.hasKept)) == 0 { return true }
    let isHeeded = withLock { _ in
      if registration.standing == .read { return true }
      registration.standing = .dropped
      return false
    }
    if !isHeeded { registration.token.invalidate() }
    return isHeeded
  }

  /// Whether the latest evaluation has read a property.
  func reads(_ place: SourceKey) -> Bool {
    withLock { $0.list.registrations[place] != nil }
  }

  /// Why the values of what the latest evaluation has read may not be read here, if they may not.
  var refusal: BoxedError? {
    withLock { !isEnded && $0.list.isGuarded ? $0.list : nil }?.refusal
  }

  /// Memory for a value of the path.
  func makeOldValue(of path: EvaluatedPath) -> OldValue {
    takeSpare() ?? .passRetained(ValuePlace(path))
  }

  private func takeSpare() -> OldValue? {
    UnsafeRawPointer(bitPattern: UInt(exchangeWord(word(.spare), 0))).map(Unmanaged.fromOpaque)
  }

  /// Ends the value before a change, and keeps its memory for another change.
  func drop(_ old: OldValue?, of path: EvaluatedPath) {
    guard let old else { return }
    old._withUnsafeGuaranteedRef { $0.drop(path) }
    // Whoever takes a word has what it leads to alone.
    let other = exchangeWord(word(.spare), UInt64(UInt(bitPattern: old.toOpaque())))
    UnsafeRawPointer(bitPattern: UInt(other)).map { OldValue.fromOpaque($0).release() }
  }

  /// Notes that a change has been announced, unless the observation has ended meanwhile.
  func announce(at place: SourceKey, _ old: OldValue?, of path: EvaluatedPath) {
    let pending = Pending(place: place, thread: currentThread(), old: old)
    let isNoted = withLock { state in
      if isEnded { return false }
      state.pending.append(pending)
      return true
    }
    if !isNoted { drop(old, of: path) }
  }

  /// Ends a change; answers the note of the value before.
  func endChange(at place: SourceKey) -> OldValue? {
    let thread = currentThread()
    return withLock { state -> Pending? in
      if let last = state.pending.last, last.place == place, last.thread == thread {
        return state.pending.removeLast()
      }
      // An `inout` access that waited may have gone on on this thread.
      let index =
        state.pending.lastIndex { $0.place == place && $0.thread == thread }
        ?? state.pending.lastIndex { $0.place == place }
      return index.map { state.pending.remove(at: $0) }
    }?.old
  }

  // MARK: What Observation tracks

  /// Whether the path has read an object that Observation tracks.
  var isTracked: Bool { loadWord(word(.isTracked)) != 0 }

  func noteTracked() { storeWord(word(.isTracked), 1) }

  /// Takes the tracking of the latest evaluation over, and ends the tracking before it.
  func exchange(_ made: any TrackedSource) {
    let unneeded = withLock { state -> (any TrackedSource)? in
      if isEnded { return made }
      defer { state.tracking = made }
      return state.tracking
    }
    unneeded?.end()
  }

  func isLatest(_ tracking: any TrackedSource) -> Bool {
    withLock { $0.tracking === tracking }
  }

  func beginTrackedChange() { withLock { $0.trackedChanges += 1 } }

  /// Ends a change; false if the path has not heard that it began, so that it was not observed yet.
  func endTrackedChange() -> Bool {
    withLock { state in
      if state.trackedChanges == 0 { return false }
      state.trackedChanges -= 1
      return true
    }
  }

  // MARK: Ending

  /// Whether the root keeps what ends the path.
  var isGuarded: Bool { loadWord(word(.isGuarded)) != 0 }

  /// Notes that the root is to keep it; true for the caller that has it kept.
  func beginGuard() -> Bool { !isGuarded && claimWord(word(.isGuarded)) }

  var isEnded: Bool { loadWord(word(.list)) == 0 }

  /// Ends those of a path; hands over the registrations to end, or nil if it has ended before.
  func end(of path: EvaluatedPath) -> [SourceRegistration]? {
    // What it has is let go of when the lock has been.
    var ended = State()
    let isFirst = withLock { state in
      if isEnded { return false }
      storeWord(word(.list), 0)
      swap(&state, &ended)
      return true
    }
    if !isFirst { return nil }
    ended.tracking?.end()
    for change in ended.pending { drop(change.old, of: path) }
    dropShared()
    let registrations = ended.list.registrations.all, previous = ended.previous.registrations.all
    return previous.isEmpty ? registrations : registrations + previous
  }
}
