import CScript
import Observation

@Observable
final class ObservableEntry: FeedEntry {
  var score: Int64 = 0
}

/// The feed by Swift's Observation: trackers become stale and catch up under the lock of their entry.
final class ObservableReaders: FeedReaders {
  private let stale = (0..<FEED_LOCKS).map { _ in StaleTrackers() }
  private let ranking: [Tracker]

  init(_ entries: [ObservableEntry], _ shard: (Int) -> UnsafeMutablePointer<shard>) {
    let stale = stale
    ranking = entries.enumerated().map { place, entry in
      let shard = shard(place)
      return Tracker(stale[place % FEED_LOCKS], { entry.score }) {
        shard_rank(shard, Int64(place), $1)
      }
    }
  }

  func subscribe(
    _ subscriber: UnsafeMutablePointer<subscriber>, to place: Int, of entries: [ObservableEntry]
  ) -> Tracker {
    let entry = entries[place]
    return Tracker(stale[place % FEED_LOCKS], { entry.score }) { subscriber_hear(subscriber, $1) }
  }

  func end(_ subscription: Tracker) { subscription.end() }

  func settle(_ place: Int) { stale[place % FEED_LOCKS].catchUp() }
}
