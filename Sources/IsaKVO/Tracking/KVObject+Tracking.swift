internal import IsaKeyValue
public import Observation

// Each object, so that `withObservationTracking`, `Observations` and what is built on them work as they
// do with classes that the macro `@Observable` has written.
@available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *)
extension KVObject: Observable {}

extension KeyValueObservable {
  /// Has the tracking that runs, and the key path that is being evaluated, know that a property is read
  /// which has no wrapper and announces its changes by hand.
  ///
  ///     var color: Color {
  ///       get {
  ///         access(\.color)
  ///         return storedColor
  ///       }
  ///       set { withChange(of: \.color) { storedColor = newValue } }
  ///     }
  ///
  /// Wrapped properties, and properties that are computed from them, need no such call.
  ///
  /// - Parameters:
  ///   - keyPath: A property that ``KVObject/keys`` declares, or a wrapped one. Any other is a misuse,
  ///     and nothing is tracked.
  ///   - file: The call's file, for the report of a misuse.
  ///   - line: The call's line.
  /// - Note: Source `ObservationRegistrar.access(_:keyPath:)`.
  public func access<Value>(
    _ keyPath: KeyPath<Self, Value>, file: StaticString = #fileID, line: UInt = #line
  ) {
    // To look for the key evaluates the key path, whose getter may come here.
    guard mayBeTracked(), accesses.current == nil else { return }
    endingMisuse((), file, line) { () throws(KeyValueError) in
      let (object, key) = try accesses.with(self) { () throws(KeyValueError) in
        try codedEnd(of: keyPath)
      }
      object.noteRead(of: key)
    }
  }
}

/// Runs `body`, of whose reads neither an evaluated key path nor a tracking that began before takes
/// note: they are none that the value depends on.
///
///     var title: String { unobserved { log.level } > 1 ? "\(name) (\(count))" : name }
///
/// Key paths and trackings that begin in `body` hear what they read as elsewhere. Other threads' reads
/// are none of its concern. May be called anywhere, also where nothing is evaluated.
///
/// - Parameter body: Runs once, on the calling thread, before this returns.
/// - Returns: The result of `body`.
/// - Throws: The error of `body`.
/// - Note: With `ISAKVO_TRACKING=slow`, and where the Swift runtime is none that is known, a tracking
///   does hear of objects of other classes.
public func unobserved<Result, Failure>(
  _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  if !mayBeTracked() { return try body() }
  var outcome: Swift.Result<Result, Failure>?
  DeliveryScope.pausingProbe {
    TrackingMode.apart {
      outcome = .init { () throws(Failure) in try body() }
    }
  }
  return try outcome!.get()
}

/// Has those who want to know note that a wrapped property is about to be read where it stands: the
/// key path that is being evaluated, and the tracking that runs.
///
/// - Returns: Whether the reader is to be given nobody's bits.
@usableFromInline @inline(never)
func noteRead(
  _ object: KVObject, _ storage: UnsafeRawPointer, _ keyPath: () -> AnyKeyPath
) -> Bool {
  if TrackingMode.seesOthersTracking(reading: object) { object.track { $0.field(at: storage) } }
  return KeyPathProbe.current?.note(object, storage, keyPath) ?? false
}

extension KVObject {
  /// Has them note that a property is read by its key.
  final func noteRead(of key: String) {
    guard mayBeTracked() else { return }
    // The first use of the object may run code that reads on its own account.
    let isKnown = DeliveryScope.pausingProbe { (try? runtimeID()) != nil }
    if isKnown, let field = registration?.fieldsByKey[key] { noteRead(of: field) }
  }

  final func noteRead(of field: Field) {
    if TrackingMode.seesOthersTracking(reading: self) { track { _ in field } }
    KeyPathProbe.current?.note(self, field)
  }

  /// Answers what `body` does, the value of a property which has no wrapper and is told of by hand,
  /// such as a property of the library's own classes; trackings and probes hear of the read.
  @inline(__always)
  package final func reading<Value>(_ key: String, _ body: () -> Value) -> Value {
    noteRead(of: key)
    return body()
  }

  /// Runs `body`, a read by the core, of whose accessors those who want to know hear.
  @inline(__always)
  final func readingByName<Result>(_ body: () -> Result) -> Result {
    mayBeTracked() ? namedReads.with(self, body) : body()
  }

  /// Runs `body`, in which the core reads a property, and has them note that if it is for code that
  /// reads by name. Of a key whose getter reads what a key path hears of that is enough.
  @inline(__always)
  final func noteRead<Result>(byName field: Field, _ body: () -> Result) -> Result {
    guard mayBeTracked(), namedReads.current != nil else { return body() }
    return field.offset > 0 ? noteRead(of: field, before: body) : noteRead(of: field, after: body)
  }

  private final func noteRead<Result>(of field: Field, before body: () -> Result) -> Result {
    noteRead(of: field)
    return body()
  }

  private final func noteRead<Result>(of field: Field, after body: () -> Result) -> Result {
    let progress = KeyPathProbe.current?.progress
    let result = body()
    if progress == nil || progress == KeyPathProbe.current?.progress { noteRead(of: field) }
    return result
  }

  /// Has the tracking that runs know of the property that `find` gives, if there is one.
  fileprivate final func track(_ find: (KVObject) -> Field?) {
    guard #available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *) else { return }
    do throws(KeyValueError) {
      let tracker = try kept { PropertyTracker() }
      guard let field = find(self) else { return }
      try tracker.noteRead(of: field, in: self)
    } catch {
      reportUntracked(error)
    }
  }

  /// Reports, once for a class, that what is read of its objects cannot be tracked.
  private func reportUntracked(_ error: KeyValueError) {
    let type = ObjectIdentifier(Swift.type(of: self))
    if untrackedTypes.withLock({ $0.insert(type).inserted }) { Misuse.report(error) }
  }
}

private let namedReads = ThreadSlot<KVObject>(.naming)
private let accesses = ThreadSlot<KVObject>(.accessing)
private let untrackedTypes = Locked<Set<ObjectIdentifier>>([])
