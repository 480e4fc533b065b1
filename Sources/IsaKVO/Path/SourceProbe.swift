internal import CIsa
internal import IsaRuntime

/// The probe of an evaluated key path: each read is compared with that of the last time.
///
/// A property that is new is registered with before it is read, so that no change of it goes unheard.
final class SourceProbe: KeyPathProbe {
  /// The path whose probe it is, while it evaluates.
  @exclusivity(unchecked) private var path: EvaluatedPath?
  @exclusivity(unchecked) private var list = SourceList.empty
  /// The list of the evaluation before the latest.
  @exclusivity(unchecked) private var other = SourceList.empty
  @exclusivity(unchecked) private var hasSwitched = false
  /// How much of the list has been read again.
  @exclusivity(unchecked) private var next = 0
  /// The properties that have been read, once they are not those of the list.
  @exclusivity(unchecked) private var draft: Draft?
  /// Why something could not be registered with, or is not fit to be observed.
  @exclusivity(unchecked) private(set) var failure: BoxedError?
  /// The object that the last property's value is, of the first evaluation.
  @exclusivity(unchecked) private(set) var end: AnyObject?
  /// Whether the path has a tracking, which hears of all that the probe does not.
  @exclusivity(unchecked) private var hasTracking = false

  private struct Draft {
    var sources: [Source]
    var held: [UInt]
    var registrations: [UInt: SourceRegistration] = [:]
  }

  init() { super.init(wantsPaths: false) }

  // MARK: Evaluating

  func begin(
    _ path: EvaluatedPath, _ list: SourceList, _ previous: SourceList, _ root: KVObject,
    hasTracking: Bool
  ) {
    self.path = path
    self.hasTracking = hasTracking
    if self.list !== list { self.list = list }
    if other !== previous { other = previous }
    if !list.isSettled(root) { mark(root) }
  }

  func check(_ check: (SourceProbe) throws(KeyValueError) -> Void) {
    do throws(KeyValueError) { try check(self) } catch { failure = BoxedError(error) }
  }

  /// The list of the properties read, unless it is the one that was taken.
  func finish() -> SourceList? {
    if next < list.sources.count { differ() }
    defer { reset() }
    guard let draft else { return hasSwitched ? list : nil }
    var registrations: [UInt: SourceRegistration] = [:]
    for source in draft.sources {
      registrations[source.place] =
        draft.registrations[source.place] ?? list.registrations[source.place]
        ?? other.registrations[source.place]
    }
    list = SourceList(draft.sources, draft.held, registrations)
    return list
  }

  /// Ends what was registered with, for an evaluation that came to nothing.
  func abandon() {
    for made in draft?.registrations.values ?? [:].values where !isKnown(made) {
      made.handle.invalidate()
    }
    reset()
  }

  private func isKnown(_ registration: SourceRegistration) -> Bool {
    [list, other].contains { $0.registrations[registration.place] === registration }
  }

  /// The properties that were read, in order.
  var fields: [Field] {
    (draft?.sources ?? Array(list.sources[..<next])).map {
      $0.registration.takeUnretainedValue().property
    }
  }

  private func reset() {
    unmark()
    (path, next) = (nil, 0)
    hasSwitched = false
    if draft != nil { draft = nil }
    if end != nil { end = nil }
    if failure != nil { failure = nil }
  }

  // MARK: Reading

  override func isKnown(_ storage: UnsafeRawPointer) -> Bool {
    guard let source = nextSource(at: storage), source.pointee.isSettled else { return false }
    if source.pointee.holding != .nothing, !holdsSame(source, storage) { return false }
    if draft != nil { keep(source.pointee) }
    next += 1
    return true
  }

  /// The next source of the list, if it is the property that stands there; or the other list has
  /// it.
  private func nextSource(at storage: UnsafeRawPointer) -> UnsafePointer<Source>? {
    if let source = list.next(next, at: storage) { return source }
    guard draft == nil, !hasSwitched, let source = other.next(next, at: storage),
      list.agrees(with: other, upTo: next)
    else { return nil }
    swap(&list, &other)
    hasSwitched = true
    return source
  }

  /// Whether the property's value is or holds the objects that it did, and these report themselves.
  private func holdsSame(_ source: UnsafePointer<Source>, _ storage: UnsafeRawPointer) -> Bool {
    let held = UnsafeBufferPointer(rebasing: list.held[source.pointee.held])
    switch source.pointee.holding {
    case .nothing: return true
    case .object:
      let object = storage.load(as: UInt.self)
      return object == held[0] && (object == 0 || isWatched(object))
    case .elements:
      let field = source.pointee.registration._withUnsafeGuaranteedRef { $0.property }
      return field.withElements(at: storage) { elements in
        guard elements.count == held.count else { return false }
        for index in 0..<held.count {
          guard elements[index] == held[index], isWatched(held[index]) else { return false }
        }
        return true
      }
    case .anything: return false
    }
  }

  override func willRead(
    _ object: KVObject, _ field: Field?, _ storage: UnsafeRawPointer, _ keyPath: () -> AnyKeyPath
  ) -> Int? {
    guard let field, isMarked(object) else { return nil }
    checkActor(field, of: object)
    if let source = nextSource(at: storage) {
      if draft != nil { keep(source.pointee) }
      next += 1
      return (draft?.sources.count ?? next) - 1
    }
    differ()
    object.askCustomization(of: field.key, keyPath())
    guard let registration = registration(object, field, storage) else { return nil }
    draft!.registrations[registration.place] = registration
    draft!.sources.append(
      Source(
        place: registration.place, registration: .passUnretained(registration),
        holding: field.holding, held: 0..<0))
    return draft!.sources.count - 1
  }

  /// The registration with a property, made if there is none.
  private func registration(
    _ object: KVObject, _ field: Field, _ storage: UnsafeRawPointer
  ) -> SourceRegistration? {
    let place = UInt(bitPattern: storage)
    let known =
      draft!.registrations[place] ?? list.registrations[place] ?? other.registrations[place]
    if let known, known.handle.isValid { return known }
    guard failure == nil, let path else { return nil }
    do throws(KeyValueError) {
      // Registering asks the class, whose own code may read what it likes.
      return try DeliveryScope.pausingProbe { () throws(KeyValueError) in
        try SourceRegistration.make(object, field, at: storage, for: path)
      }
    } catch {
      failure = BoxedError(error)
      return nil
    }
  }

  override func didRead<Value>(
    _ index: Int?, _ object: KVObject, _ field: Field?, _ keyPath: () -> AnyKeyPath, _ value: Value
  ) {
    guard let index, let field else { return }
    if list.sources.isEmpty { end = instance(value) }
    let source = draft?.sources[index] ?? list.sources[index]
    var held: [UInt] = []
    switch source.holding {
    case .nothing: return
    case .object:
      withUnsafeBytes(of: value) { held.append($0.load(as: UInt.self)) }
    case .elements:
      _ = withUnsafeBytes(of: value) {
        field.withElements(at: $0.baseAddress!) { elements in
          held += elements
          return true
        }
      }
    case .anything: return forEachHeldObject(in: value, mark)
    }
    for object in held where object != 0 { mark(heldObject(object)) }
    if draft == nil, held.elementsEqual(list.held[source.held]) { return }
    differ()
    draft!.sources[index].held = draft!.held.count..<draft!.held.count + held.count
    draft!.held += held
  }

  /// Goes on with a list of its own, which begins with what was read so far.
  private func differ() {
    if draft != nil { return }
    draft = Draft(sources: [], held: [])
    for source in list.sources[..<next] { keep(source) }
  }

  /// Takes over a property that holds what it did.
  private func keep(_ source: Source) {
    var source = source
    let held = list.held[source.held]
    source.held = draft!.held.count..<draft!.held.count + held.count
    if !held.isEmpty { draft!.held += held }
    draft!.sources.append(source)
  }

  // MARK: Objects without a mark

  override func leavesToTracking(_ object: KVObject) -> Bool { hasTracking && !isMarked(object) }

  override func willTrack(_ field: Field, of object: KVObject) {
    checkActor(field, of: object)
    path?.foreign.noteActor(of: field, in: object)
  }

  // MARK: Marks

  override func knows(_ object: KVObject) -> Bool { list.has(object) || other.has(object) }
}

extension SourceList {
  /// The source at an index, if there is one of the property that stands there, and it is heard.
  @inline(__always)
  fileprivate func next(_ index: Int, at storage: UnsafeRawPointer) -> UnsafePointer<Source>? {
    guard index < sources.count else { return nil }
    let source = sources.baseAddress! + index
    guard source.pointee.place == UInt(bitPattern: storage),
      source.pointee.registration._withUnsafeGuaranteedRef({ $0.handle.isValid })
    else { return nil }
    return source
  }
}

/// Whether an object's properties report that they are read.
@inline(__always)
private func isWatched(_ object: UInt) -> Bool {
  Unmanaged<KVObject>.fromOpaque(UnsafeRawPointer(bitPattern: object)!)
    ._withUnsafeGuaranteedRef { $0.isWatched }
}
