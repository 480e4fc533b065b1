internal import IsaRuntime
public import Observation

// Each object, so that `withObservationTracking`, `Observations` and what is built on them work as they
// do with classes that the macro `@Observable` has written.
@available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *)
extension KVObject: Observable {}

extension KeyValueObservable {
  /// Has the tracking that runs, if one does, know that a property is read which has no wrapper and
  /// announces its changes by hand.
  ///
  ///     var color: Color {
  ///       get {
  ///         access(\.color)
  ///         return storedColor
  ///       }
  ///       set { withChange(of: \.color) { storedColor = newValue } }
  ///     }
  ///
  /// Wrapped properties, and those that are computed from them, need no such call.
  ///
  /// - Parameters:
  ///   - keyPath: A property that ``KVObject/keys`` declares, or a wrapped one. Any other is a misuse,
  ///     and nothing is tracked.
  ///   - file: Where the call is, for the report of a misuse; `line` likewise.
  /// - Note: Source `ObservationRegistrar.access(_:keyPath:)`.
  public func access<Value>(
    _ keyPath: KeyPath<Self, Value>, file: StaticString = #fileID, line: UInt = #line
  ) {
    guard mayBeTracked(), isTracked else { return }
    endingMisuse((), file, line) { () throws(KeyValueError) in
      let (object, key) = try codedEnd(of: keyPath)
      object.noteTrackedRead(of: key)
    }
  }
}

/// Runs `body`, whose reads are the library's own, which no tracking hears of.
@inlinable @inline(__always)
func untracked<Result>(_ body: () -> Result) -> Result {
  _slowPath(mayBeTracked()) ? readApart(body) : body()
}

@usableFromInline @inline(never)
func readApart<Result>(_ body: () -> Result) -> Result { TrackingMode.apart(body) }

/// Has the tracking that runs, if one does, know that a wrapped property of an object is read.
@usableFromInline @inline(never)
func noteTrackedRead(_ object: KVObject, _ storage: UnsafeRawPointer) {
  if object.isTracked { object.track { $0.field(at: storage) } }
}

extension KVObject {
  /// Whether a tracking takes note of what the calling thread reads of the object. Reads that find the
  /// sources of a key path are for trackings that began among them, and for the path's own as far as the
  /// probe does not hear of them.
  fileprivate final var isTracked: Bool {
    TrackingMode.seesOthersTracking(reading: self)
      || KeyPathProbe.current?.leavesToTracking(self) == true
  }

  /// Has the tracking that runs, if one does, know that a property is read by its key.
  final func noteTrackedRead(of key: String) {
    if mayBeTracked(), isTracked { track { $0.registration?.fieldsByKey[key] } }
  }

  /// Answers what `body` does, the value of a property which has no wrapper and is told of by hand, as
  /// those of the library's own classes are; the tracking that runs knows of that.
  @inline(__always)
  package final func reading<Value>(_ key: String, _ body: () -> Value) -> Value {
    noteTrackedRead(of: key)
    return body()
  }

  /// The same of each key of a key path, as far as it leads through objects and collections of them.
  final func noteTrackedReads(along keyPath: String) {
    if mayBeTracked(), isTracked { noteReads(along: keyPath.split(separator: ".")[...]) }
  }

  private func noteReads(along keys: ArraySlice<Substring>) {
    guard let key = keys.first.map(String.init) else { return }
    track { $0.registration?.fieldsByKey[key] }
    // Operators are no keys of elements.
    let rest = keys.dropFirst().drop { $0.hasPrefix("@") }
    guard !rest.isEmpty, let value = try? value(forKey: key) else { return }
    forEachHeldObject(in: value) { $0.noteReads(along: rest) }
  }

  /// Has the tracking that runs know of the property that `find` gives, if there is one.
  fileprivate final func track(_ find: (KVObject) -> Field?) {
    guard #available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *) else { return }
    do throws(KeyValueError) {
      let tracker = try kept { PropertyTracker() }
      guard let field = find(self) else { return }
      KeyPathProbe.current?.willTrack(field, of: self)
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

private let untrackedTypes = Locked<Set<ObjectIdentifier>>([])
