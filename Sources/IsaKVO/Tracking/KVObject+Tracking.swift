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
    guard mayBeTracked(), isTracked() else { return }
    endingMisuse((), file, line) { () throws(KeyValueError) in
      let (object, key) = try codedEnd(of: keyPath)
      object.noteTrackedRead(of: key)
    }
  }
}

/// Whether a tracking takes note of what the calling thread reads; what is read in order to find the
/// sources of a key path is none of its business.
private func isTracked() -> Bool {
  KeyPathProbe.current == nil && TrackingMode.seesOthersTracking
}

/// Has the tracking that runs, if one does, know that a wrapped property of an object is read.
@usableFromInline @inline(never)
func noteTrackedRead(_ object: KVObject, _ storage: UnsafeRawPointer) {
  if isTracked() { object.track { $0.field(at: storage) } }
}

extension KVObject {
  /// Has the tracking that runs, if one does, know that a property is read by its key.
  final func noteTrackedRead(of key: String) {
    if mayBeTracked(), isTracked() { track { $0.registration?.fieldsByKey[key] } }
  }

  /// The same of each key of a key path, as far as it leads through objects.
  final func noteTrackedReads(along keyPath: String) {
    guard mayBeTracked(), isTracked() else { return }
    var object: KVObject? = self
    for key in keyPath.split(separator: ".").map(String.init) {
      guard let owner = object else { return }
      owner.track { $0.registration?.fieldsByKey[key] }
      object = (try? owner.value(forKey: key)) as? KVObject
    }
  }

  /// Has the tracking that runs know of the property that `find` gives, if there is one.
  fileprivate final func track(_ find: (KVObject) -> Field?) {
    guard #available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *) else { return }
    do throws(KeyValueError) {
      let tracker = try kept { PropertyTracker() }
      if let field = find(self) { try tracker.noteRead(of: field, in: self) }
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
