import CScript
import IsaKVO

final class KeyValueEntry: KVObject, FeedEntry {
  @Dynamic var score: Int64 = 0
}

/// The feed by this library: each observation of the ranking is an entry's own.
final class KeyValueReaders: FeedReaders {
  private let ranking: [KeyValueObservation]

  init(_ entries: [KeyValueEntry], _ shard: (Int) -> UnsafeMutablePointer<shard>) {
    ranking = entries.indices.map { place in
      let shard = shard(place)
      return entries[place].observe(\.score, options: .new) { _, change in
        shard_rank(shard, Int64(place), change.newValue ?? 0)
      }
    }
  }

  func subscribe(
    _ subscriber: UnsafeMutablePointer<subscriber>, to place: Int, of entries: [KeyValueEntry]
  ) -> KeyValueObservation {
    entries[place].observe(\.score, options: .new) { _, change in
      subscriber_hear(subscriber, change.newValue ?? 0)
    }
  }

  func end(_ subscription: KeyValueObservation) { subscription.invalidate() }
}
