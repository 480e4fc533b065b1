import CScript

final class HandWrittenEntry: FeedEntry {
  var score: Int64 = 0 { didSet { handlers(score) } }
  var handlers = Handlers<Int64>()
}

/// The feed by hand.
final class HandWrittenReaders: FeedReaders {
  init(_ entries: [HandWrittenEntry], _ shard: (Int) -> UnsafeMutablePointer<shard>) {
    for (place, entry) in entries.enumerated() {
      let shard = shard(place)
      _ = entry.handlers.add { shard_rank(shard, Int64(place), $0) }
    }
  }

  func subscribe(
    _ subscriber: UnsafeMutablePointer<subscriber>, to place: Int, of entries: [HandWrittenEntry]
  ) -> (entry: HandWrittenEntry, id: Int) {
    let entry = entries[place]
    return (entry, entry.handlers.add { subscriber_hear(subscriber, $0) })
  }

  func end(_ subscription: (entry: HandWrittenEntry, id: Int)) {
    subscription.entry.handlers.remove(subscription.id)
  }
}
