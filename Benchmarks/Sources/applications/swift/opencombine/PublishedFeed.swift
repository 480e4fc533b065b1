import CScript
import OpenCombine

final class PublishedEntry: FeedEntry {
  @OpenCombine.Published var score: Int64 = 0
}

/// The feed by OpenCombine.
final class PublishedReaders: FeedReaders {
  private let ranking: [AnyCancellable]

  init(_ entries: [PublishedEntry], _ shard: (Int) -> UnsafeMutablePointer<shard>) {
    ranking = entries.enumerated().map { place, entry in
      let shard = shard(place)
      return entry.$score.dropFirst().sink { shard_rank(shard, Int64(place), $0) }
    }
  }

  func subscribe(
    _ subscriber: UnsafeMutablePointer<subscriber>, to place: Int, of entries: [PublishedEntry]
  ) -> AnyCancellable {
    entries[place].$score.dropFirst().sink { subscriber_hear(subscriber, $0) }
  }

  func end(_ subscription: AnyCancellable) { subscription.cancel() }
}
