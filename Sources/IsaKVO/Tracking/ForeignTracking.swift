// A tracking, by Observation, of the objects that an evaluated key path reads and does not register
// with: objects of other classes. It is deaf to `KVObject`s, of which the path's probe hears.
//
// Observation's public calls notify before a change and not after it. Its calls for user interfaces
// notify both before and after; the toolchains that this file names have them. Elsewhere such a key
// path is refused.
//
// Owns:      its tracking, until it ends.
// Lives:     as long as the objects have the tracking, or the path has this.
// Locks:     `state`, for a moment: nobody's code runs under it.
// Invariant: a path has one tracking at a time, of its latest evaluation, and ends the tracking
//            before.
internal import IsaKeyValue

#if os(Linux) && compiler(<6.4)
  @_spi(SwiftUI) internal import Observation
#else
  internal import Observation
#endif

@available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *)
final class ForeignTracking: TrackedSource, Observable, @unchecked Sendable {
  // Sendable because what changes is reached under a lock.
  private let unownedPath: Unmanaged<EvaluatedPath>
  private let registrar = ObservationRegistrar()
  /// The same for all trackings of a path: the next one tells the end of a change that began before.
  let place: SourceKey

  private init(_ path: EvaluatedPath) {
    unownedPath = keepMemory(of: path)
    place = SourceKey(path.sources)
  }

  deinit { dropMemory(of: unownedPath) }

  private var path: EvaluatedPath? { livingObject(unownedPath) }

  // MARK: As a source

  var field: Field? { nil }
  var tag: ChangeTag? { nil }
  func isHeeded(by path: EvaluatedPath) -> Bool { path.sources.isLatest(self) }

  #if os(Linux) && compiler(<6.4)
    static let isSupported = true

    private struct State {
      var tracking: ObservationTracking?
      /// The thread on which the tracking is asked for; 0 before and after.
      var starting: UInt = 0
    }

    private let state = Locked(State())
    private var handle: Void { () }

    /// Runs `body`, and tells the path of changes of what it reads.
    static func run(for path: EvaluatedPath, _ body: () -> Void) -> ForeignTracking {
      let made = ForeignTracking(path)
      TrackingMode.apart {
        withObservationTracking {
          made.registrar.access(made, keyPath: \.handle)
          TrackingMode.listen(to: body)
        } willSet: {
          made.willSet($0)
        } didSet: {
          made.didSet($0)
        }
      }
      // The tracking is handed over with a change only.
      made.state.withLock { $0.starting = currentThread() }
      made.registrar.willSet(made, keyPath: \.handle)
      return made
    }

    private func willSet(_ tracking: ObservationTracking) {
      let isStart = state.withLock { state in
        state.tracking = tracking
        defer { if state.starting == currentThread() { state.starting = 0 } }
        return state.starting == currentThread()
      }
      guard !isStart, isHeard(tracking), let path else { return }
      path.sources.beginTrackedChange()
      if path.keepsOld { path.willChange(self) }
    }

    private func didSet(_ tracking: ObservationTracking) {
      guard isHeard(tracking), let path else { return }
      if path.sources.endTrackedChange() {
        path.didChange(self)
      } else {
        path.didChangeUnnoticed(self)
      }
    }

    /// False for a `KVObject`, which is known from a tracking that has run in this one.
    private func isHeard(_ tracking: ObservationTracking) -> Bool {
      !(tracking.changed is KeyPath<KVObject, UInt>)
    }

    func end() {
      let tracking = state.withLock { state in
        defer { state = State() }
        return state.tracking
      }
      tracking?.cancel()
    }
  #else
    static let isSupported = false

    static func run(for path: EvaluatedPath, _ body: () -> Void) -> ForeignTracking {
      body()
      return ForeignTracking(path)
    }

    func end() {}
  #endif
}
