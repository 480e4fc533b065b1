// The properties that an evaluated key path has read.
//
// Owns:  the registrations with what was read; a registration holds its observation until it ends.
// Lives: a list until the next one takes its place and no evaluation compares with it any more.
// Locks: `Sources` has its own; nobody's code runs under it.
internal import CIsa
internal import IsaRuntime

/// A property, or more than that, of which an evaluated key path hears changes.
protocol PathSource: AnyObject, Sendable {
  /// A number that tells it from all others of its path.
  var place: UInt { get }
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

/// A registration with a property that an evaluated key path has read.
final class SourceRegistration: @unchecked Sendable {
  // Sendable because all but `standing`, which the lock of its `Sources` guards, never changes.
  /// Where the property stands, which tells it from all others.
  let place: UInt
  let object: ObjectIdentifier
  let property: Field
  /// The registration of the object's class.
  let owner: ClassRegistration
  let handle = RegistrationHandle()
  /// Of the changes that the property causes; nil if they are told without.
  let mark: ChangeMark?
  private let path: EvaluatedPath
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

  private init(
    _ object: KVObject, _ field: Field, _ owner: ClassRegistration, at place: UnsafeRawPointer,
    path: EvaluatedPath
  ) {
    self.place = UInt(bitPattern: place)
    self.object = ObjectIdentifier(object)
    property = field
    self.owner = owner
    self.path = path
    mark = path.mark(of: field)
  }

  /// Registers; the C core then holds the registration.
  static func make(
    _ object: KVObject, _ field: Field, at place: UnsafeRawPointer, for path: EvaluatedPath
  ) throws(KeyValueError) -> SourceRegistration {
    let id = try object.observedID()
    let made = SourceRegistration(object, field, .of(id), at: place, path: path)
    // Bits that are no option are refused by the C core.
    let others = path.options.subtracting([.old, .new, .initial, .prior])
    let outcome = made.handle.register(
      path.keepsOld ? tellBoth : tellAfter, made, on: id, field.key,
      path.keepsOld ? others.union(.prior) : others)
    try KeyValueError.check(outcome, key: field.key, className: object.className)
    return made
  }

  private static let tellAfter: kvo_callback = { _, info in
    Unmanaged<SourceRegistration>.fromOpaque(info!)._withUnsafeGuaranteedRef {
      $0.path.didChange($0)
    }
  }

  private static let tellBoth: kvo_callback = { record, info in
    Unmanaged<SourceRegistration>.fromOpaque(info!)._withUnsafeGuaranteedRef {
      record!.pointee.is_prior ? $0.path.willChange($0) : $0.path.didChange($0)
    }
  }
}

/// A property at one point of an evaluation.
struct Source {
  let place: UInt
  var registration: Unmanaged<SourceRegistration>
  let holding: Holding
  /// Where in the list the observable objects are that the value is or holds.
  var held: Range<Int>
  /// Whether reading it again is no news if it still holds these.
  var isSettled = false
}

/// The properties that an evaluation has read, in order. It never changes, and looks at no object:
/// each may be gone.
final class SourceList: @unchecked Sendable {
  // Sendable because nothing changes once it has been made.
  let sources: UnsafeBufferPointer<Source>
  let held: UnsafeBufferPointer<UInt>
  /// The registrations by the places of their properties.
  let registrations: [UInt: SourceRegistration]
  /// The classes of the objects that were read of, by address.
  private let owners: [UInt: ClassRegistration]
  /// The object that was read of first, and whether it has no constants that lead to others.
  private let root: UInt
  private let isRootSettled: Bool
  /// The first property of an object of the main actor.
  let guarded: SourceRegistration?

  static let empty = SourceList([], [], [:])

  init(_ sources: [Source], _ held: [UInt], _ registrations: [UInt: SourceRegistration]) {
    self.registrations = registrations
    let owners = Dictionary(
      registrations.values.map { (UInt(bitPattern: $0.object), $0.owner) }
    ) { first, _ in first }
    self.owners = owners
    self.held = Self.copy(held)
    self.sources = Self.copy(
      sources.map { source in
        var source = source
        let registration = registrations[source.place]!
        source.registration = .passUnretained(registration)
        source.isSettled =
          !registration.owner.isOfMainActor
          && held[source.held].allSatisfy { $0 == 0 || owners[$0]?.constants.isEmpty == true }
        return source
      })
    let first = sources.first.flatMap { registrations[$0.place] }
    root = first.map { UInt(bitPattern: $0.object) } ?? 0
    isRootSettled = first?.owner.constants.isEmpty ?? false
    guarded = sources.lazy.compactMap { registrations[$0.place] }.first { $0.owner.isOfMainActor }
  }

  deinit {
    sources.deallocate()
    held.deallocate()
  }

  private static func copy<Element>(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
    let copy = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = copy.initialize(from: elements)
    return UnsafeBufferPointer(copy)
  }

  /// Whether an object, and all that it has in constants, needs no mark.
  func isSettled(_ object: KVObject) -> Bool {
    address(of: object) == root && isRootSettled && object.isWatched
  }

  /// Whether an object was read of.
  func has(_ object: KVObject) -> Bool { owners[address(of: object)] != nil }
  fileprivate func has(_ object: ObjectIdentifier) -> Bool {
    owners[UInt(bitPattern: object)] != nil
  }

  /// Whether this and another list begin with the same.
  func agrees(with other: SourceList, upTo count: Int) -> Bool {
    guard other.sources.count >= count else { return false }
    for index in 0..<count {
      let (source, another) = (sources[index], other.sources[index])
      guard source.place == another.place,
        source.registration.toOpaque() == another.registration.toOpaque(),
        source.held.isEmpty && another.held.isEmpty
          || held[source.held].elementsEqual(other.held[another.held])
      else { return false }
    }
    return true
  }
}

/// The address of an object, by which lists know it.
func address(of object: KVObject) -> UInt {
  UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
}

/// The object at an address, which somebody holds.
func heldObject(_ address: UInt) -> KVObject {
  Unmanaged<KVObject>.fromOpaque(UnsafeRawPointer(bitPattern: address)!).takeUnretainedValue()
}

/// The properties that an evaluated key path reads, and the changes of them which are under way.
final class Sources: Sendable {
  private struct State {
    var list = SourceList.empty
    /// The list of the evaluation before, when it had read something else: it often does so again.
    var previous = SourceList.empty
    var pending: [Pending] = []
    var isEnded = false
    /// The thread that evaluates for the first time; 0 before and after.
    var starting: UInt = 0
    /// Whether that thread itself has changed what it has read.
    var isOutdated = false
    var spare: Evaluation?
    // The root alone keeps it: that is how its end is noticed.
    weak var rootGuard: RootGuard?

    /// Takes a list over; answers the registrations to end then.
    mutating func exchange(
      _ made: SourceList, _ compared: SourceList
    ) -> ([SourceRegistration], Hearing) {
      if isEnded {
        return (Array(made.registrations.values), .nothing)
      }
      var superfluous: [SourceRegistration] = []
      for known in previous.registrations.values where known.standing == .kept {
        if made.registrations[known.place] !== known { superfluous.append(known) }
      }
      for known in list.registrations.values where made.registrations[known.place] !== known {
        let isKept = made.registrations[known.place] == nil && made.has(known.object)
        if isKept { known.standing = .kept } else { superfluous.append(known) }
      }
      var isCertain = list === compared && !takeOutdated()
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

    mutating func takeOutdated() -> Bool {
      defer { isOutdated = false }
      return isOutdated
    }
  }

  /// A change that has been announced and has not happened yet.
  private struct Pending {
    /// Where the property stands.
    let place: UInt
    let thread: UInt
    let old: ValuePlace?
  }

  private let state = Locked(State())

  // MARK: Evaluating

  /// The parts that an evaluation begins with; nil if the observation has ended.
  func take() -> (list: SourceList, previous: SourceList, spare: Evaluation?)? {
    state.withLock { state in
      if state.isEnded { return nil }
      let spare = state.spare
      state.spare = nil
      return (state.list, state.previous, spare)
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
    /// Perhaps not all of them: the properties have to be read again.
    case uncertain
    /// Nothing: the observation has been ended, perhaps by its handler on another thread.
    case nothing
  }

  /// Ends an evaluation that compared with `list` and read what is in `made`; nil: the same.
  func end(comparedWith list: SourceList, made: SourceList?) -> Hearing {
    guard let made else {
      return state.withLock { state in
        if state.isEnded { return .nothing }
        return state.takeOutdated() || state.list !== list ? .uncertain : .all
      }
    }
    let (superfluous, hearing) = state.withLock { $0.exchange(made, list) }
    superfluous.forEach { $0.handle.invalidate() }
    return hearing
  }

  /// Throws where what the latest evaluation read may not be read.
  func checkActor() throws(KeyValueError) {
    guard let source = state.withLock({ $0.list.guarded }) else { return }
    try source.owner.checkActor(source.property.key, of: source.object)
  }

  // MARK: Starting

  /// Runs `body`, which evaluates for the first time. A change that it makes itself of a property
  /// which it has read has it evaluate again, and is not told.
  func starting<Result>(_ body: () -> Result) -> Result {
    let thread = currentThread()
    state.withLock { $0.starting = thread }
    defer { state.withLock { $0.starting = 0 } }
    return body()
  }

  /// Whether a change comes of the first evaluation, which is then to be made again.
  func isOfStart() -> Bool {
    state.withLock { state in
      guard state.starting != 0, state.starting == currentThread() else { return false }
      state.isOutdated = true
      return true
    }
  }

  // MARK: Changes

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

  /// Whether the latest evaluation has read the property that stands at a place, whose changes are
  /// heard.
  func reads(_ place: UInt) -> Bool {
    state.withLock { state in
      guard let known = state.list.registrations[place] else { return false }
      return known.standing == .read && known.handle.isValid
    }
  }

  /// Notes that a change has been announced, unless the observation has ended meanwhile.
  func announce(at place: UInt, _ old: ValuePlace?) {
    let pending = Pending(place: place, thread: currentThread(), old: old)
    state.withLock { if !$0.isEnded { $0.pending.append(pending) } }
  }

  /// Ends a change; answers the note of the value before.
  func endChange(at place: UInt) -> ValuePlace? {
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
