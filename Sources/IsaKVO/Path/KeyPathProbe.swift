internal import IsaRuntime

/// Follows key paths by evaluating them, while the properties that are read report themselves.
///
/// A key path cannot be turned into names. But the objects that it leads through can be marked
/// before it is evaluated: then reading a wrapped property of one of them tells the probe which it
/// was, and marks the object that it leads to.
class KeyPathProbe {
  /// One property that was read.
  struct Read {
    let object: KVObject
    let field: Field
    /// The property's own key path, of the class that declares it; unless it was not asked for.
    let path: AnyKeyPath?
    /// The object that the value is, if it is an observable one.
    let value: KVObject?
    /// The object that the value is, if it is one of any class.
    let anyObject: AnyObject?

    var keyPath: AnyKeyPath { path! }
  }

  // Of one thread, whose accesses do not overlap: they run nobody's code.
  @exclusivity(unchecked) private(set) var reads: [Read] = []
  @exclusivity(unchecked) private var marked: [KVObject] = []
  /// The marked objects, where they are more than a few.
  @exclusivity(unchecked) private var many: Set<ObjectIdentifier> = []
  /// Those of the marked whose mark is the probe's own.
  @exclusivity(unchecked) private var watched: [KVObject] = []
  /// Why what was read may not be told here: some of it belongs to the main actor.
  @exclusivity(unchecked) private(set) final var refusal: BoxedError?
  private let wantsPaths: Bool
  /// The key path that is followed: objects in its last value need not report themselves.
  private let whole: AnyKeyPath?
  /// Whether the probe only wants to know which property a getter is of; see ``identify(_:on:_:)``.
  let identifies: Bool
  @exclusivity(unchecked) private var identity: (field: Field, path: AnyKeyPath)?

  init(wantsPaths: Bool, following whole: AnyKeyPath? = nil, identifies: Bool = false) {
    self.wantsPaths = wantsPaths
    self.whole = whole
    self.identifies = identifies
  }

  /// The probe that the calling thread evaluates for.
  static var current: KeyPathProbe? {
    DeliveryScope.probe.map { unsafeDowncast($0, to: KeyPathProbe.self) }
  }

  /// Runs `body`, which evaluates a key path of `root`.
  static func run(
    on root: KVObject, following keyPath: AnyKeyPath, _ body: () -> Void
  ) -> KeyPathProbe {
    let probe = KeyPathProbe(wantsPaths: true, following: keyPath)
    probe.mark(root)
    defer { probe.unmark() }
    TrackingMode.apart { DeliveryScope.with(probe: probe, body) }
    return probe
  }

  /// Runs `body`, which calls a getter of an unknown property, and gives the property's key path if
  /// it is that of `field`.
  static func identify(
    _ field: Field, on object: KVObject, _ body: () -> Void
  ) -> AnyKeyPath? {
    let probe = KeyPathProbe(wantsPaths: true, identifies: true)
    guard watch(object) else { return nil }
    defer { unwatch(object) }
    TrackingMode.apart { DeliveryScope.with(probe: probe, body) }
    return probe.identity.flatMap { $0.field === field ? $0.path : nil }
  }

  /// Notes which property a getter is of.
  func identify(_ field: Field?, _ keyPath: () -> AnyKeyPath) {
    identity = field.map { ($0, keyPath()) }
  }

  /// Runs `body`, whose reads are its own affair.
  static func pauseIfCurrent<Result>(_ body: () -> Result) -> Result {
    DeliveryScope.pausingProbe(body)
  }

  /// Follows a key path of any type.
  static func follow(_ keyPath: AnyKeyPath, from root: KVObject) -> [Read] {
    run(on: root, following: keyPath) { _ = (root as Any)[keyPath: keyPath] }.reads
  }

  // MARK: Reading

  /// Whether reading the property that stands there needs no note.
  func isKnown(_ storage: UnsafeRawPointer) -> Bool { false }

  /// Notes that a property is about to be read; the number of the read, for ``didRead``. Others may be
  /// read before that, by a getter.
  func willRead(
    _ object: KVObject, _ field: Field?, _ storage: UnsafeRawPointer, _ keyPath: () -> AnyKeyPath
  ) -> Int? { nil }

  /// Notes that it was read.
  func didRead<Value>(
    _ index: Int?, _ object: KVObject, _ field: Field?, _ keyPath: () -> AnyKeyPath, _ value: Value
  ) {
    guard let field, isMarked(object) else { return }
    let path = wantsPaths ? keyPath() : nil
    // Most values are numbers, which nothing is held by.
    let end = _isPOD(Value.self) ? nil : instance(value)
    let next = end.flatMap { $0 as? KVObject }
    reads.append(Read(object: object, field: field, path: path, value: next, anyObject: end))
    if isWhole(Value.self) { return }
    if let next { return mark(next) }
    if !_isPOD(Value.self) { forEachHeldObject(in: value, mark) }
  }

  /// Whether the properties that were read are the key path, and nothing follows the last one.
  private func isWhole<Value>(_ type: Value.Type) -> Bool {
    guard let whole, Swift.type(of: whole).valueType == type, let read = reads.keyPath else {
      return false
    }
    return isSamePath(read, whole)
  }

  final func checkActor(_ field: Field, of object: KVObject) {
    guard refusal == nil, let registration = object.registration else { return }
    do throws(KeyValueError) {
      try registration.checkActor(field.key, of: ObjectIdentifier(object))
    } catch {
      refusal = BoxedError(error)
    }
  }

  // MARK: Objects without a mark

  /// Whether an object was read of that has no mark, so that its properties do not report themselves.
  @exclusivity(unchecked) private(set) final var meetsOthers = false

  /// Whether the path's own tracking is to hear of an object's properties, since the probe does not.
  func leavesToTracking(_ object: KVObject) -> Bool {
    if !meetsOthers, !isMarked(object) { meetsOthers = true }
    return false
  }

  /// Notes that a tracking is to hear of a property which is about to be read.
  func willTrack(_ field: Field, of object: KVObject) {}

  // MARK: Marks

  /// Whether an object's properties are registered with, so that it needs no mark.
  func knows(_ object: KVObject) -> Bool { false }

  final func isMarked(_ object: KVObject) -> Bool { isMarkedHere(object) || knows(object) }

  private func isMarkedHere(_ object: KVObject) -> Bool {
    many.isEmpty
      ? marked.contains { $0 === object } : many.contains(ObjectIdentifier(object))
  }

  final func mark(_ object: KVObject) {
    let constants = object.registration?.constants
    let reports = object.isWatched && knows(object)
    if reports, constants?.isEmpty != false { return }
    guard !isMarkedHere(object) else { return }
    if !reports {
      guard watch(object) else { return }
      watched.append(object)
    }
    marked.append(object)
    if !many.isEmpty {
      many.insert(ObjectIdentifier(object))
    } else if marked.count == 8 {
      many = Set(marked.map { ObjectIdentifier($0) })
    }
    // A constant has no getter that could report it, so what it leads to is marked at once.
    for constant in object.registration?.constants ?? [] {
      forEachHeldObject(in: constantValue(of: object, constant), mark)
    }
  }

  final func unmark() {
    if refusal != nil { refusal = nil }
    if marked.isEmpty { return }
    watched.forEach(unwatch)
    (watched, marked, many) = ([], [], [])
  }
}

/// The object that a value, or what an optional holds, is; nil for what is no class instance.
func instance<Value>(_ value: Value) -> AnyObject? {
  if Value.self is AnyObject.Type { return value as AnyObject }
  guard Value.self is any AnyOptional.Type,
    let wrapped = Mirror(reflecting: value).children.first?.value
  else { return nil }
  return type(of: wrapped) is AnyObject.Type ? wrapped as AnyObject : nil
}

extension Array<KeyPathProbe.Read> {
  /// The properties' own key paths, one behind the other; nil unless each is of the object that the one
  /// before led to.
  var keyPath: AnyKeyPath? {
    guard let last, zip(dropFirst(), self).allSatisfy({ $0.object === $1.value }) else {
      return nil
    }
    // From the end: a key path appended to the outcome of an appending is not equal to the one
    // written as one.
    return dropLast().reversed().reduce(last.path) { path, read in
      path.flatMap { read.path?.followed(by: $0) }
    }
  }

  /// The key paths, as far as they begin at `root`, that lead to what was read.
  func paths(from root: KVObject) -> [String] {
    var prefixes: [ObjectIdentifier: String] = [ObjectIdentifier(root): ""]
    var paths: [String] = []
    for read in self {
      guard let prefix = prefixes[ObjectIdentifier(read.object)] else { continue }
      let path = prefix + read.field.key
      paths.removeAll { $0 + "." == prefix }
      paths.append(path)
      if let value = read.value, prefixes[ObjectIdentifier(value)] == nil {
        prefixes[ObjectIdentifier(value)] = path + "."
      }
    }
    return paths
  }
}

extension AnyKeyPath {
  /// Another key path behind this one, through an optional too that is unwrapped by force: once it is
  /// made of keys, nil on the way stops nobody.
  fileprivate func followed(by next: AnyKeyPath) -> AnyKeyPath? {
    if let longer = appending(path: next) { return longer }
    guard let optional = type(of: self).valueType as? any AnyOptional.Type else { return nil }
    return appending(path: optional.unwrapping)?.appending(path: next)
  }
}
