// A tracking of what an evaluated key path reads and does not register with, by Observation: objects of
// other classes. It is deaf to `KVObject`s, of which the path's probe hears.
//
// Observation's public calls tell before a change and not after it. Its calls for user interfaces tell
// both; they are in the toolchains that this file names. Elsewhere such a key path is refused.
//
// Owns:      its tracking, until it ends.
// Lives:     as long as the objects have the tracking, or the path has this.
// Locks:     `state`, for a moment: nobody's code runs under it.
// Invariant: a path has one at a time, that of its latest evaluation, and ends the one before it.
internal import IsaRuntime

#if os(Linux) && compiler(<6.4)
  @_spi(SwiftUI) internal import Observation
#else
  internal import Observation
#endif

@available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *)
final class ForeignTracking: PathSource, Observable, @unchecked Sendable {
  // Sendable because what changes is reached under a lock.
  private weak var path: EvaluatedPath?
  private let registrar = ObservationRegistrar()
  /// The same for all trackings of a path: the next one tells the end of a change that began before.
  let place: SourceKey

  private init(_ path: EvaluatedPath) {
    self.path = path
    place = SourceKey(path.foreign)
  }

  // MARK: As a source

  var field: Field? { nil }
  var mark: ChangeMark? { nil }
  func isHeeded(by sources: Sources) -> Bool { path?.foreign.isLatest(self) == true }

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
      path.foreign.beginChange()
      if path.keepsOld { path.willChange(self) }
    }

    private func didSet(_ tracking: ObservationTracking) {
      guard isHeard(tracking), let path else { return }
      if path.foreign.endChange() { path.didChange(self) } else { path.didChangeUntold(self) }
    }

    /// False for a `KVObject`, which is known from a tracking that has run in this one.
    private func isHeard(_ tracking: ObservationTracking) -> Bool {
      !(tracking.changed is KeyPath<KVObject, UInt>)
    }

    /// Ends it; nothing is told any more.
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

/// The trackings of one path, by its evaluations.
final class ForeignReads: Sendable {
  private struct State {
    var isAny = false
    var isEnded = false
    var latest: (any PathSource)?
    /// How many changes are under way of which the path has heard.
    var changes = 0
  }

  private let state: Locked<State>
  /// The key path, of which observations that come later know what this one has found out.
  private let known: KnownPath?

  init(_ known: KnownPath?) {
    self.known = known
    state = Locked(State(isAny: known?.isTracked == true && Self.isSupported))
  }

  /// Whether paths can have trackings in this process.
  static var isSupported: Bool {
    guard #available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *) else { return false }
    return ForeignTracking.isSupported
  }

  /// Whether the path has read an object that Observation tracks.
  var isAny: Bool { state.withLock { $0.isAny } }

  /// An evaluation of a path.
  enum Reading {
    /// One that has read no such object, or the tracking of those that it has.
    case done((any PathSource)?)
    /// One that has to be made again, now that it is known to read such objects.
    case again
    /// One that reads such objects, which cannot be followed here.
    case refused
  }

  /// Runs `body`, an evaluation of the path.
  func read(for path: EvaluatedPath, _ body: () -> Void) -> Reading {
    if isAny, #available(macOS 14, iOS 17, watchOS 10, tvOS 17, visionOS 1, *) {
      return .done(ForeignTracking.run(for: path, body))
    }
    guard TrackingMode.tracksReads(body) else { return .done(nil) }
    guard Self.isSupported else { return .refused }
    state.withLock { $0.isAny = true }
    known?.noteTracked()
    return .again
  }

  /// Takes the tracking of the latest evaluation over, and ends the one before it.
  func exchange(_ made: (any PathSource)?) {
    let unneeded = state.withLock { state -> (any PathSource)? in
      if state.isEnded { return made }
      defer { state.latest = made }
      return state.latest
    }
    unneeded?.end()
  }

  func beginChange() { state.withLock { $0.changes += 1 } }

  /// Ends a change; false if the path has not heard that it began, so that it was not observed yet.
  func endChange() -> Bool {
    state.withLock { state in
      if state.changes == 0 { return false }
      state.changes -= 1
      return true
    }
  }

  func isLatest(_ tracking: any PathSource) -> Bool { state.withLock { $0.latest === tracking } }

  func end() {
    let latest = state.withLock { state in
      state.isEnded = true
      defer { state.latest = nil }
      return state.latest
    }
    latest?.end()
  }
}
