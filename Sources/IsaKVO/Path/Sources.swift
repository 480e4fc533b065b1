// The properties that an evaluated key path has read.
//
// Owns:  the registrations with what was read; a registration holds its observation until it ends.
// Lives: a list until the next one takes its place and no evaluation compares with it any more.
// Locks: `Sources` has its own; nobody's code runs under it.
internal import CIsa
internal import IsaRuntime

/// A property among all others: the object, and where it stands; one that stands nowhere is told by
/// its `Field`.
struct SourceKey: Hashable {
  let object: UInt
  let place: UInt

  init(_ object: KVObject, _ storage: UnsafeRawPointer) {
    self.object = address(of: object)
    place = UInt(bitPattern: storage)
  }

  init(_ object: KVObject, _ field: Field) {
    self.object = address(of: object)
    place = UInt(
      bitPattern: field.offset > 0
        ? UnsafeRawPointer(object.storage(of: field))
        : UnsafeRawPointer(Unmanaged.passUnretained(field).toOpaque()))
  }

  /// Of what is no property.
  init(_ other: AnyObject) { (object, place) = (0, UInt(bitPattern: ObjectIdentifier(other))) }
}

/// A property, or more than that, of which an evaluated key path hears changes.
protocol PathSource: AnyObject, Sendable {
  var place: SourceKey { get }
  /// The property; nil if it is none of a `KVObject`.
  var field: Field? { get }
  /// Of the changes that it causes; nil if they are told without.
  var mark: ChangeMark? { get }
  /// Whether the path is what its latest evaluation read of it.
  func isHeeded(by sources: Sources) -> Bool
  /// Ends what tells of it.
  func end()
}

extension SourceRegistration: PathSource {
  var field: Field? { property }
  func isHeeded(by sources: Sources) -> Bool { sources.heeds(self) }
  func end() { handle.invalidate() }
}

/// A property that an evaluated key path has read, and the registration with it once that is made.
final class SourceRegistration: @unchecked Sendable {
  // Sendable because all but `standing`, which the lock of its `Sources` guards, is final when it is
  // registered.
  let place: SourceKey
  fileprivate let identity: ObjectIdentifier
  /// While it is kept no other object stands there.
  private let object: ObjectMemory
  private(set) var property: Field?
  private let keyPath: AnyKeyPath?
  /// The registration of the object's class.
  private(set) var owner: ClassRegistration?
  let handle = RegistrationHandle()
  /// Of the changes that the property causes; nil if they are told without.
  private(set) var mark: ChangeMark?
  private var path: EvaluatedPath?
  fileprivate var standing = Standing.read

  /// The reason why a registration stands.
  fileprivate enum Standing {
    /// Something that the latest evaluation has read.
    case read
    /// Something that the one before has read, of an object that this one has read of.
    case kept
    /// Nothing more: it has changed while it was kept.
    case dropped
  }

  /// Notes a property of an object that may be in its deinit.
  init(_ object: KVObject, _ place: SourceKey, _ property: Field?, _ keyPath: AnyKeyPath?) {
    self.place = place
    identity = ObjectIdentifier(object)
    self.object = ObjectMemory(keeping: object)
    self.property = property
    self.keyPath = keyPath
  }

  deinit { object.drop() }

  /// The object that the property's value is, if it is one.
  var objectAtEnd: AnyObject? { object.object.flatMap { property?.instance(in: $0) } }

  /// Registers, with itself or, where it was registered before, with another one; nil if the object
  /// has gone, or the property is none that is known. The C core then holds the registration.
  func register(for path: EvaluatedPath) throws(KeyValueError) -> SourceRegistration? {
    guard let object = object.object else { return nil }
    // Registering asks the class, whose own code may read what it likes.
    return try DeliveryScope.pausingProbe { () throws(KeyValueError) in
      let id = try object.observedID()
      guard
        let field = property ?? object.field(at: UnsafeRawPointer(bitPattern: place.place)!)
      else { return nil }
      if let keyPath { object.askCustomization(of: field.key, keyPath) }
      let made = self.path == nil ? self : SourceRegistration(object, place, field, keyPath)
      try made.register(field, id, path)
      return made
    }
  }

  private func register(
    _ field: Field, _ id: isa_id, _ path: EvaluatedPath
  ) throws(KeyValueError) {
    (property, owner, self.path, mark) = (field, .of(id), path, path.mark(of: field))
    // Bits that are no option are refused by the C core.
    var options = path.options.subtracting([.old, .new, .initial, .prior])
    if path.keepsOld { options.insert(.prior) }
    // If a stored property depends on another by declaration, its value does not.
    if field.offset > 0 { options.insert(.own) }
    let outcome = handle.register(Self.tell, self, on: id, field.key, options)
    try KeyValueError.check(outcome, key: field.key, className: owner!.name)
  }

  /// Throws where the property may not be read.
  fileprivate func checkActor() throws(KeyValueError) {
    try owner!.checkActor(property!.key, of: identity)
  }

  fileprivate static let tell: kvo_callback = { record, info in
    Unmanaged<SourceRegistration>.fromOpaque(info!)._withUnsafeGuaranteedRef {
      record!.pointee.is_prior ? $0.path!.willChange($0) : $0.path!.didChange($0)
    }
  }
}

/// The properties that an evaluation has read, in order. It never changes, and looks at no object:
/// each may be gone.
final class SourceList: @unchecked Sendable {
  // Sendable because nothing changes once it has been made.
  let keys: [SourceKey]
  /// Where they stand, for the code that reads: then NULL, and for one that stands nowhere no address.
  let places: UnsafeMutablePointer<UnsafeRawPointer?>
  /// Where among the keys each is first.
  let indexes: [SourceKey: Int]
  let registrations: [SourceKey: SourceRegistration]
  private let handles: [Unmanaged<RegistrationHandle>]
  private let objects: Set<ObjectIdentifier>
  /// The first property of an object of the main actor.
  private let guarded: SourceRegistration?

  static let empty = SourceList([], [:])

  init(_ keys: [SourceKey], _ registrations: [SourceKey: SourceRegistration]) {
    self.keys = keys
    self.registrations = registrations
    places = .allocate(capacity: keys.count + 1)
    for (index, key) in keys.enumerated() {
      let isStored = registrations[key]!.property!.offset > 0
      (places + index).initialize(to: UnsafeRawPointer(bitPattern: isStored ? key.place : 1))
    }
    (places + keys.count).initialize(to: nil)
    indexes = Dictionary(zip(keys, keys.indices)) { first, _ in first }
    handles = registrations.values.map { .passUnretained($0.handle) }
    objects = Set(registrations.values.map(\.identity))
    guarded = keys.lazy.compactMap { registrations[$0] }.first { $0.owner!.isOfMainActor }
  }

  deinit { places.deallocate() }

  /// Why what it has may not be read here, if it may not.
  var refusal: BoxedError? {
    do throws(KeyValueError) { try guarded?.checkActor() } catch { return BoxedError(error) }
    return nil
  }

  /// Whether no registration has been ended by others.
  var isIntact: Bool {
    handles.allSatisfy { $0._withUnsafeGuaranteedRef { $0.isValid } }
  }

  /// Whether an object was read of.
  fileprivate func has(_ object: ObjectIdentifier) -> Bool { objects.contains(object) }
}

/// The address of an object, by which lists know it.
func address(of object: KVObject) -> UInt {
  UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
}

/// The properties that an evaluated key path reads, and the changes of them which are under way.
final class Sources: Sendable {
  private struct State {
    var list = SourceList.empty
    /// The list of the evaluation before, when it had read something else: it often does so again.
    var previous = SourceList.empty
    var pending: [Pending] = []
    var isEnded = false
    /// The threads that evaluate.
    var evaluating: [UInt] = []
    /// Whether one of these has itself changed what it has read.
    var isOutdated = false
    var spare: Evaluation?
    // The root alone keeps it: that is how its end is noticed.
    weak var rootGuard: RootGuard?

    /// Takes a list over; answers the registrations to end then.
    mutating func exchange(
      _ made: SourceList, _ compared: SourceList
    ) -> ([SourceRegistration], Hearing) {
      var superfluous: [SourceRegistration] = []
      for known in previous.registrations.values where known.standing == .kept {
        if made.registrations[known.place] !== known { superfluous.append(known) }
      }
      for known in list.registrations.values where made.registrations[known.place] !== known {
        let isKept = made.registrations[known.place] == nil && made.has(known.identity)
        if isKept { known.standing = .kept } else { superfluous.append(known) }
      }
      var isCertain = list === compared
      for read in made.registrations.values {
        if read.standing == .dropped {
          isCertain = false
          superfluous.append(read)
        } else {
          read.standing = .read
        }
      }
      (list, previous) = (made, list)
      return (superfluous, isCertain ? .all : .uncertain)
    }

    mutating func leave() {
      let thread = currentThread()
      if let index = evaluating.lastIndex(of: thread) { evaluating.remove(at: index) }
    }
  }

  /// A change that has been announced and has not happened yet.
  private struct Pending {
    /// Where the property stands.
    let place: SourceKey
    let thread: UInt
    let old: ValuePlace?
  }

  private let state = Locked(State())

  // MARK: Evaluating

  /// The parts that an evaluation on the calling thread begins with; nil if the observation has
  /// ended. ``end(comparedWith:made:)`` or ``abandon()`` ends it.
  func take() -> (list: SourceList, previous: SourceList, spare: Evaluation?)? {
    state.withLock { state in
      if state.isEnded { return nil }
      state.evaluating.append(currentThread())
      defer { state.spare = nil }
      return (state.list, state.previous, state.spare)
    }
  }

  /// Keeps what an evaluation worked with, for the next one.
  func giveBack(_ evaluation: Evaluation) {
    let unwanted = state.withLock { state -> Evaluation? in
      if state.isEnded || state.spare != nil { return evaluation }
      state.spare = evaluation
      return nil
    }
    withExtendedLifetime(unwanted) {}
  }

  /// The changes that are heard of the properties which an evaluation has read.
  enum Hearing {
    /// All of it, since before it was read.
    case all
    /// All but those that the evaluation has made itself: the properties have to be read again.
    case outdated
    /// Perhaps not all of them: the properties have to be read again.
    case uncertain
    /// Nothing: the observation has been ended, perhaps by its handler on another thread.
    case nothing
  }

  /// Ends an evaluation that compared with `list` and read what is in `made`; nil: the same.
  func end(comparedWith list: SourceList, made: SourceList?) -> Hearing {
    let (superfluous, hearing) = state.withLock { state -> ([SourceRegistration], Hearing) in
      state.leave()
      defer { state.isOutdated = false }
      if state.isEnded { return (made.map { Array($0.registrations.values) } ?? [], .nothing) }
      let isOutdated = state.isOutdated
      let (superfluous, hearing) =
        made.map { state.exchange($0, list) } ?? ([], state.list === list ? .all : .uncertain)
      if case .all = hearing, isOutdated { return (superfluous, .outdated) }
      return (superfluous, hearing)
    }
    superfluous.forEach { $0.handle.invalidate() }
    return hearing
  }

  /// Ends an evaluation that came to nothing, and what it has registered with.
  func abandon(_ made: SourceList?) {
    let superfluous = state.withLock { state in
      state.leave()
      return made?.registrations.values.filter { made in
        ![state.list, state.previous].contains { $0.registrations[made.place] === made }
      }
    }
    superfluous?.forEach { $0.handle.invalidate() }
  }

  /// Why what the latest evaluation read may not be read here, if it may not.
  var refusal: BoxedError? { state.withLock({ $0.list }).refusal }

  /// The properties that the latest evaluation has read, in order; nil if the observation has ended.
  var read: [SourceRegistration]? {
    state.withLock { $0.isEnded ? nil : $0.list }.map { list in
      list.keys.compactMap { list.registrations[$0] }
    }
  }

  // MARK: Changes

  /// Whether a change comes of an evaluation on the calling thread, which then is to be made again.
  func isOfEvaluation() -> Bool {
    state.withLock { state in
      guard state.evaluating.contains(currentThread()) else { return false }
      state.isOutdated = true
      return true
    }
  }

  /// Whether a change concerns the key path: one of something that is only kept ends that.
  func heeds(_ registration: SourceRegistration) -> Bool {
    let isHeeded = state.withLock { _ in
      if registration.standing == .read { return true }
      registration.standing = .dropped
      return false
    }
    if !isHeeded { registration.handle.invalidate() }
    return isHeeded
  }

  /// Whether the latest evaluation has read a property.
  func reads(_ place: SourceKey) -> Bool {
    state.withLock { $0.list.registrations[place] != nil }
  }

  /// Notes that a change has been announced, unless the observation has ended meanwhile.
  func announce(at place: SourceKey, _ old: ValuePlace?) {
    let pending = Pending(place: place, thread: currentThread(), old: old)
    state.withLock { if !$0.isEnded { $0.pending.append(pending) } }
  }

  /// Ends a change; answers the note of the value before.
  func endChange(at place: SourceKey) -> ValuePlace? {
    let thread = currentThread()
    return state.withLock { state in
      // An `inout` access that waited may have gone on on this thread.
      let index =
        state.pending.lastIndex { $0.place == place && $0.thread == thread }
        ?? state.pending.lastIndex { $0.place == place }
      return index.map { state.pending.remove(at: $0) }
    }?.old
  }

  // MARK: Ending

  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Notes what the root keeps; whether the observation has ended already.
  func hasEnded(guardedBy rootGuard: RootGuard) -> Bool {
    state.withLock { state in
      state.rootGuard = rootGuard
      return state.isEnded
    }
  }

  /// Ends them; hands over the handles to invalidate, and the guard that the root kept.
  func end() -> ([RegistrationHandle], RootGuard?) {
    let (lists, rootGuard, unwanted) = state.withLock { state in
      defer {
        state.isEnded = true
        (state.list, state.previous, state.spare, state.pending) = (.empty, .empty, nil, [])
      }
      return ([state.list, state.previous], state.rootGuard, (state.spare, state.pending))
    }
    withExtendedLifetime(unwanted) {}
    return (lists.flatMap { $0.registrations.values.map(\.handle) }, rootGuard)
  }
}
