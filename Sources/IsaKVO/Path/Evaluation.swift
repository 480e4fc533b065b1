internal import CIsa
internal import IsaKeyValue

/// One evaluation at a time of a key path, with the memory that it works with: each read is compared
/// with that of the last time.
///
/// A read that comes where it is expected is done by code that is compiled into the program. A new
/// property is registered with before it is read. If the runtime does not know its object yet, as it
/// knows no temporary, the property is noted, and registered with at the end if the object still
/// lives; the path is then evaluated once more, since the property may have changed in between.
final class Evaluation: KeyPathProbe, @unchecked Sendable {
  // Sendable because the thread that has begun it has it alone.
  // These stand first, and are reached by their addresses: code that reads sets the first,
  // Observation the second, and the getter the third.
  @exclusivity(unchecked) private var nextKey: UnsafePointer<SourceKey>
  @exclusivity(unchecked) private var trackedList: UnsafeMutableRawPointer?
  private var storage: ValueLayout.Room = (0, 0)
  /// Which holds it, or is held while it evaluates.
  private let path: Unmanaged<EvaluatedPath>
  /// Whether all evaluations of the path share it.
  let isShared: Bool
  /// Where the value is made.
  @exclusivity(unchecked) private(set) var place: UnsafeMutableRawPointer!
  private let exchangesWord = TrackingMode.exchangesWord
  /// Whether there is a value at the place.
  @exclusivity(unchecked) private(set) var hasValue = false
  /// Whether it has itself changed what it has read.
  @exclusivity(unchecked) var isOutdated = false
  @exclusivity(unchecked) private(set) var list: SourceList
  /// The list of the evaluation before the latest.
  @exclusivity(unchecked) private var other: SourceList
  /// Whether the list is another one than it began with, or what was read is no list's.
  @exclusivity(unchecked) private var hasDiffered = false
  @exclusivity(unchecked) private var hasSwitched = false
  /// The properties that have been read, once these are not the list's.
  @exclusivity(unchecked) private var draft: Draft?
  /// Why something could not be registered with, or is not fit to be observed.
  @exclusivity(unchecked) private var failure: BoxedError?
  private let scope: DeliveryScope
  private let scopeAddress: UnsafeMutableRawPointer

  private struct Draft {
    var keys: [SourceKey]
    /// How much of the list is among the keys, or was passed over.
    var taken: Int
    var noted = SourceTable()
  }

  init(_ path: EvaluatedPath, isShared: Bool, _ lists: (SourceList, SourceList)) {
    (list, other) = lists
    self.path = .passUnretained(path)
    self.isShared = isShared
    scope = DeliveryScope()
    scopeAddress = Unmanaged.passUnretained(scope).toOpaque()
    nextKey = list.keys.baseAddress.unsafelyUnwrapped
    super.init()
    place = path.layout.allocate() ?? room
    scope.serve(self, next)
  }

  deinit { if place != room { place.deallocate() } }

  private var next: ExpectedReads {
    _getUnsafePointerToStoredProperties(self)
      .assumingMemoryBound(to: UnsafePointer<SourceKey>.self)
  }
  private var tracked: UnsafeMutablePointer<UnsafeMutableRawPointer?> {
    UnsafeMutableRawPointer(next + 1).assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }

  private var room: UnsafeMutableRawPointer { UnsafeMutableRawPointer(tracked + 1) }

  override var progress: Int { (draft?.keys.count ?? 0) &+ index }

  /// Where the value is; nil if there is none.
  var address: UnsafeMutableRawPointer? { hasValue ? place : nil }

  // MARK: Evaluating

  /// Begins with the lists that it has; false if the number is not its list's.
  @inline(__always)
  func begin(with number: UInt64) -> Bool {
    begin()
    return list.number == number
  }

  @inline(__always)
  private func begin() {
    next.pointee = list.keys.baseAddress.unsafelyUnwrapped
    isOutdated = false
    hasValue = false
  }

  func begin(_ list: SourceList, _ previous: SourceList) {
    hasDiffered = false
    (self.list, other) = (list, previous)
    begin()
  }

  // A closure that stands here would count references to both objects, at each evaluation.
  /// Evaluates the path; whether that reads what Observation tracks.
  func run(_ root: KVObject) -> Bool {
    if DeliveryScope.isAny { return runWithin(root) }
    let outer = ThreadKey.exchange(.scope, scopeAddress)
    let isTracked = listen(root)
    _ = ThreadKey.exchange(.scope, outer)
    return isTracked
  }

  @inline(never)
  private func runWithin(_ root: KVObject) -> Bool {
    DeliveryScope.with(probe: self, next) { listen(root) }
  }

  @inline(__always)
  private func listen(_ root: KVObject) -> Bool {
    guard exchangesWord else { return runCalling(root) }
    let outer = TrackingMode.beginListening(at: tracked)
    read(root)
    return TrackingMode.endListening(outer, at: tracked)
  }

  @inline(never)
  private func runCalling(_ root: KVObject) -> Bool { TrackingMode.tracksReads { read(root) } }

  /// The same in a tracking, of the object that it answers.
  @available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *)
  func runTracked(_ root: KVObject) -> any TrackedSource {
    DeliveryScope.with(probe: self, next) {
      ForeignTracking.run(for: path.takeUnretainedValue()) { read(root) }
    }
  }

  @inline(__always)
  private func read(_ root: KVObject) {
    hasValue = path._withUnsafeGuaranteedRef { $0.evaluate(root, to: place) }
  }

  /// Whether it has read what the list has, in that order, all of which is registered with still.
  @inline(__always)
  var isAsBefore: Bool {
    next.pointee == list.end && !hasDiffered && kvo_clear_count() == list.clearCount
  }

  /// The outcome of an evaluation that is not as before.
  struct Outcome {
    /// The list that it began with.
    let compared: SourceList
    /// The list of what was read, unless it is that one.
    let made: SourceList?
    /// Whether something in it has been registered with after it was read.
    let hasNew: Bool
    /// Why it came to nothing, if it did.
    let failure: BoxedError?
  }

  /// Ends an evaluation that is not as before.
  ///
  /// - Parameter keepsMore: Whether a list of less than it began with is none of its own.
  func finish(keepsMore: Bool) -> Outcome {
    let compared = hasSwitched ? other : list
    let (made, hasNew) = read(keepsMore: keepsMore)
    defer {
      (draft, hasSwitched, hasDiffered, failure) = (nil, false, false, nil)
      // The next one begins with the lists that are then in force.
      if let made, made !== list { (list, other) = (.empty, .empty) }
    }
    return Outcome(compared: compared, made: made, hasNew: hasNew, failure: failure)
  }

  private func read(keepsMore: Bool) -> (made: SourceList?, hasNew: Bool) {
    // Before anything is seen to stand.
    let count = kvo_clear_count()
    if draft == nil, index == list.keys.count, list.registrations.isIntact {
      let isSame = !hasSwitched && count == list.clearCount
      return (isSame ? nil : list.seen(clearCount: count), false)
    }
    differ()
    takeOver(to: index)
    // All that is read has been registered with before.
    if list.keys.isEmpty, other.keys.isEmpty, draft!.noted.isIntact {
      return (SourceList(draft!.keys, draft!.noted, clearCount: count), false)
    }
    var hasNew = false
    let registrations = register(&hasNew)
    let keys = draft!.keys.filter { registrations.index(of: $0) != nil }
    if !hasNew, !hasSwitched, registrations.all.allSatisfy({ list.registrations.has($0) }),
      keepsMore || keys.elementsEqual(list.keys)
    {
      return (nil, false)
    }
    return (SourceList(keys, registrations, clearCount: count), hasNew)
  }

  /// The registrations with what was read, the new ones among them.
  private func register(_ hasNew: inout Bool) -> SourceTable {
    var registrations = SourceTable()
    for key in draft!.keys where registrations.index(of: key) == nil {
      guard let known = draft!.noted[key] ?? registration(key) else { continue }
      if known.token.isValid {
        registrations.add(known)
      } else if failure == nil, let made = register(known) {
        registrations.add(made)
        hasNew = true
      }
    }
    return registrations
  }

  /// Registers with a property that was noted; nil if its object has gone, or that fails.
  private func register(_ noted: SourceRegistration) -> SourceRegistration? {
    do throws(KeyValueError) {
      return try noted.register(for: path.takeUnretainedValue())
    } catch {
      failure = BoxedError(error)
      return nil
    }
  }

  // MARK: Reading

  override func note(
    _ object: KVObject, _ storage: UnsafeRawPointer, _ keyPath: () -> AnyKeyPath
  ) -> Bool {
    let key = SourceKey(object, storage)
    if !isKnown(key) {
      add(SourceRegistration(object, key, nil, Customization.isUsed ? keyPath() : nil), of: object)
    }
    return false
  }

  override func note(_ object: KVObject, _ field: Field) {
    let key = SourceKey(object, field)
    if !isKnown(key) { add(SourceRegistration(object, key, field, nil), of: object) }
  }

  private var index: Int { next.pointee - list.keys.baseAddress! }

  /// Whether the read of a property needs no more than a note that it is read again.
  private func isKnown(_ key: SourceKey) -> Bool {
    if isNext(key) { return true }
    // A property that is read again and again is noted once.
    let at = index
    if draft == nil, at > 0, list.keys[at - 1] == key { return true }
    differ()
    takeOver(to: at)
    if draft!.keys.last == key { return true }
    let isRegistered = registration(key)?.token.isValid == true
    guard isRegistered || draft!.noted.index(of: key) != nil else { return false }
    if draft!.keys.count < mostReads { draft!.keys.append(key) }
    if let at = list.firstIndex(of: key), at >= index { resume(at + 1) }
    return true
  }

  /// Whether a property is what the list has next, or the other one.
  private func isNext(_ key: SourceKey) -> Bool {
    let at = index
    if at < list.keys.count, list.keys[at] == key {
      next.pointee += 1
      return true
    }
    guard draft == nil, !hasSwitched, at < other.keys.count, other.keys[at] == key,
      list.keys[..<at].elementsEqual(other.keys[..<at])
    else { return false }
    swap(&list, &other)
    next.pointee = list.keys.baseAddress! + at + 1
    (hasSwitched, hasDiffered) = (true, true)
    return true
  }

  private func registration(_ key: SourceKey) -> SourceRegistration? {
    list.registrations[key] ?? other.registrations[key]
  }

  private func add(_ noted: SourceRegistration, of object: KVObject) {
    let isKnown = object.adoptedID != nil && failure == nil
    draft!.noted.add(isKnown ? register(noted) ?? noted : noted)
    draft!.keys.append(noted.place)
  }

  /// Goes on with keys of its own, which begin with what was read so far.
  private func differ() {
    hasDiffered = true
    if draft != nil { return }
    draft = Draft(keys: Array(list.keys[..<index]), taken: index)
    if index == 0 { draft!.keys.reserveCapacity(4) }
  }

  /// Takes over what came as the list has it.
  private func takeOver(to index: Int) {
    if draft!.taken < index { draft!.keys += list.keys[draft!.taken..<index] }
    draft!.taken = index
  }

  /// Goes on comparing with the list at an index.
  private func resume(_ index: Int) {
    next.pointee = list.keys.baseAddress! + index
    draft!.taken = index
  }
}

/// How many reads of properties that are known already a list has.
private let mostReads = 1 << 16
