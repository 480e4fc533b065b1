internal import CIsa
internal import IsaRuntime

/// The probe of an evaluated key path: each read is compared with that of the last time.
///
/// A read that comes where it is expected is done by code that is compiled into the program. A new
/// property is registered with before it is read. If the runtime does not know its object yet, as it
/// knows no temporary, the property is noted, and registered with at the end if the object still
/// lives; the path is then evaluated once more, since the property may have changed in between.
final class SourceProbe: KeyPathProbe {
  /// The path whose probe it is, while it evaluates.
  @exclusivity(unchecked) private var path: EvaluatedPath?
  @exclusivity(unchecked) private(set) var list = SourceList.empty
  /// The list of the evaluation before the latest.
  @exclusivity(unchecked) private var other = SourceList.empty
  @exclusivity(unchecked) private var hasSwitched = false
  private let next: ExpectedReads
  /// The properties that have been read, once these are not the list's.
  @exclusivity(unchecked) private var draft: Draft?
  /// Why something could not be registered with, or is not fit to be observed.
  @exclusivity(unchecked) private(set) var failure: BoxedError?

  private struct Draft {
    var keys: [SourceKey]
    /// How much of the list is among the keys, or was passed over.
    var taken: Int
    var noted: [SourceKey: SourceRegistration] = [:]
  }

  override init() {
    next = .allocate(capacity: 1)
    next.initialize(to: list.places)
  }

  deinit { next.deallocate() }

  override var expected: ExpectedReads? { next }
  override var progress: Int { (draft?.keys.count ?? 0) &+ index }

  // MARK: Evaluating

  func begin(_ path: EvaluatedPath, _ list: SourceList, _ previous: SourceList) {
    self.path = path
    if self.list !== list { self.list = list }
    if other !== previous { other = previous }
    next.pointee = list.places
  }

  /// The outcome of an evaluation: the list of what was read, unless it is the one that was taken,
  /// and whether something in it has been registered with after it was read.
  ///
  /// - Parameter keepsMore: Whether a list of less than was taken is none of its own.
  func finish(keepsMore: Bool) -> (made: SourceList?, hasNew: Bool) {
    if draft == nil, index == list.keys.count, list.isIntact {
      return (hasSwitched ? list : nil, false)
    }
    differ()
    takeOver(to: index)
    var hasNew = false
    let registrations = register(&hasNew)
    let keys = draft!.keys.filter { registrations[$0] != nil }
    if !hasNew, !hasSwitched {
      if keys == list.keys { return (nil, false) }
      let isLess = registrations.keys.allSatisfy { list.indexes[$0] != nil }
      if keepsMore, isLess { return (nil, false) }
    }
    return (SourceList(keys, registrations), hasNew)
  }

  /// The registrations with what was read, those that are new among them.
  private func register(_ hasNew: inout Bool) -> [SourceKey: SourceRegistration] {
    var registrations: [SourceKey: SourceRegistration] = [:]
    for key in draft!.keys where registrations[key] == nil {
      guard let known = draft!.noted[key] ?? registration(key) else { continue }
      if known.handle.isValid {
        registrations[key] = known
      } else if failure == nil, let made = register(known) {
        registrations[key] = made
        hasNew = true
      }
    }
    return registrations
  }

  /// Registers with a property that was noted; nil if its object has gone, or that fails.
  private func register(_ noted: SourceRegistration) -> SourceRegistration? {
    guard let path else { return nil }
    do throws(KeyValueError) {
      return try noted.register(for: path)
    } catch {
      failure = BoxedError(error)
      return nil
    }
  }

  /// Ends an evaluation, of which nothing is kept.
  func end() {
    if path != nil { path = nil }
    if draft != nil { draft = nil }
    if failure != nil { failure = nil }
    hasSwitched = false
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

  private var index: Int { next.pointee - list.places }

  /// Whether the read of a property needs no more than a note that it is read again.
  private func isKnown(_ key: SourceKey) -> Bool {
    if isNext(key) { return true }
    differ()
    takeOver(to: index)
    // A property that is read again and again is noted once.
    if draft!.keys.last == key { return true }
    let isRegistered = registration(key)?.handle.isValid == true
    guard isRegistered || draft!.noted[key] != nil else { return false }
    if draft!.keys.count < mostReads { draft!.keys.append(key) }
    if let at = list.indexes[key], at >= index { resume(at + 1) }
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
      list.keys[..<at] == other.keys[..<at]
    else { return false }
    swap(&list, &other)
    next.pointee = list.places + at + 1
    hasSwitched = true
    return true
  }

  private func registration(_ key: SourceKey) -> SourceRegistration? {
    list.registrations[key] ?? other.registrations[key]
  }

  private func add(_ noted: SourceRegistration, of object: KVObject) {
    let isKnown = object.adoptedID != nil && failure == nil
    draft!.noted[noted.place] = isKnown ? register(noted) ?? noted : noted
    draft!.keys.append(noted.place)
  }

  /// Goes on with keys of its own, which begin with what was read so far.
  private func differ() {
    if draft == nil { draft = Draft(keys: Array(list.keys[..<index]), taken: index) }
  }

  /// Takes over what came as the list has it.
  private func takeOver(to index: Int) {
    if draft!.taken < index { draft!.keys += list.keys[draft!.taken..<index] }
    draft!.taken = index
  }

  /// Goes on comparing with the list at an index.
  private func resume(_ index: Int) {
    next.pointee = list.places + index
    draft!.taken = index
  }
}

/// How many reads of properties that are known already a list has.
private let mostReads = 1 << 16
