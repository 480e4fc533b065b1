import CScript

/// An entry, by one subject's means.
protocol FeedEntry: AnyObject {
  init()
  var score: Int64 { get set }
}

/// Those who observe entries: the ranking all of them, and subscribers.
protocol FeedReaders: AnyObject {
  associatedtype Entry: FeedEntry
  associatedtype Subscription
  /// Observes each entry, which has a shard of the ranking.
  init(_ entries: [Entry], _ shard: (Int) -> UnsafeMutablePointer<shard>)
  /// Has a subscriber hear the scores of an entry.
  func subscribe(
    _ subscriber: UnsafeMutablePointer<subscriber>, to place: Int, of entries: [Entry]
  ) -> Subscription
  func end(_ subscription: Subscription)
  /// Has observers of an entry catch up that are not told at once.
  func settle(_ place: Int)
}

extension FeedReaders {
  func settle(_ place: Int) {}
}

/// Raises scores from several threads, while subscriptions begin and end.
final class FeedProgram<Readers: FeedReaders>: Program {
  /// The place of one of a thread's subscriptions; no other thread uses it.
  private final class Slot {
    var subscription: Readers.Subscription?
    var place = 0
  }

  private let audience = makeZeroed(CScript.audience())
  private let entries: [Readers.Entry]
  private let readers: Readers
  private let slots: [Slot]

  init() {
    let audience = audience
    entries = (0..<FEED_ENTRIES).map { _ in Readers.Entry() }
    readers = Readers(entries) { audience_shard(audience, $0) }
    slots = (0..<FEED_THREADS * FEED_SLOTS).map { _ in Slot() }
  }

  deinit { audience.deallocate() }

  func perform(_ operation: operation, on thread: Int) {
    let place = Int(operation.place)
    switch feed_operation(operation.kind) {
    case FEED_RAISE:
      entries[place].score += 1
      readers.settle(place)
    case FEED_SUBSCRIBE: subscribe(thread, Int(operation.other), to: place)
    default: end(thread, Int(operation.other))
    }
  }

  private func subscribe(_ thread: Int, _ number: Int, to place: Int) {
    let slot = slots[thread * FEED_SLOTS + number]
    audience_begin(audience, UInt32(thread), UInt32(number), entries[place].score)
    slot.place = place
    slot.subscription = readers.subscribe(
      audience_subscriber(audience, UInt32(thread), UInt32(number)), to: place, of: entries)
  }

  private func end(_ thread: Int, _ number: Int) {
    let slot = slots[thread * FEED_SLOTS + number]
    guard let subscription = slot.subscription else { return }
    readers.end(subscription)
    slot.subscription = nil
    audience_end(audience, UInt32(thread), UInt32(number), entries[slot.place].score)
  }

  func write(to answer: UnsafeMutablePointer<answer>) {
    for thread in 0..<FEED_THREADS {
      for number in 0..<FEED_SLOTS { end(thread, number) }
    }
    audience_answer(audience, answer)
    for entry in entries { answer_add_score(answer, entry.score) }
  }
}
