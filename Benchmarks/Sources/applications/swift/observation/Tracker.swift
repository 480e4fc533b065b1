import CScript
import Observation

/// The applications by Swift's Observation.
var observableApplications: [application] {
  [
    application("inventory") { handOver(InventoryProgram<ObservableInventory>()) },
    application("graph") { handOver(GraphProgram<ObservableEditor>()) },
    application("feed") { handOver(FeedProgram<ObservableReaders>()) },
  ]
}

/// The trackers that have been told that there will be a change, and not read again.
final class StaleTrackers {
  private var trackers: [Tracker] = []

  func add(_ tracker: Tracker) { trackers.append(tracker) }

  /// Has each read again, and those too that become stale by what others do.
  func catchUp() {
    while !trackers.isEmpty {
      let stale = trackers
      trackers = []
      for tracker in stale { tracker.catchUp() }
    }
  }
}

/// Reads something, and again after each change: Observation tells once, before the change.
///
/// Sendable because a tracker is used under the lock of what it reads, by one thread at a time.
final class Tracker: @unchecked Sendable {
  private let stale: StaleTrackers
  private var read: (Tracker) -> Void = { _ in }
  private var hasEnded = false

  /// - Parameter value: Reads; is called at once, and again by `StaleTrackers.catchUp`.
  /// - Parameter tell: Is told what was read before and what was read now.
  init<Value>(
    _ stale: StaleTrackers, _ value: @escaping () -> Value,
    tell: @escaping (_ old: Value, _ new: Value) -> Void
  ) {
    self.stale = stale
    var last = track(value)
    read = { tracker in
      let (old, new) = (last, tracker.track(value))
      last = new
      tell(old, new)
    }
  }

  /// There is no way to take back a tracking: it ends with the change that it is told of.
  func end() { hasEnded = true }

  func catchUp() { if !hasEnded { read(self) } }

  private func track<Value>(_ value: () -> Value) -> Value {
    withObservationTracking(value) { [weak self] in
      if let self, !hasEnded { stale.add(self) }
    }
  }
}
