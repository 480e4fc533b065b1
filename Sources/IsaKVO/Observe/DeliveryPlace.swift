// The places where deliveries lead: the main actor, an actor, a queue.
//
// Owns:  an actor's place a weak reference to the actor, a queue's place the code that runs a
//        closure.
// Lives: as long as the deliveries that lead there.
// Locks: none but the queues'.
internal import IsaKeyValue

/// A place where elements are read.
protocol DeliveryPlace: Sendable {
  /// Has an element read, behind the elements that are in the queue.
  func deliver<Element>(
    _ element: Element, through queue: DeliveryQueue<Element>,
    to read: @escaping @Sendable (Element) -> Void)

  /// Has each element read that is in a queue.
  func empty<Element>(
    _ queue: DeliveryQueue<Element>, _ read: @escaping @Sendable (Element) -> Void)
}

extension DeliveryPlace {
  func deliver<Element>(
    _ element: Element, through queue: DeliveryQueue<Element>,
    to read: @escaping @Sendable (Element) -> Void
  ) {
    if queue.post(element) { empty(queue, read) }
  }
}

/// A queue, or an executor.
struct QueuePlace: DeliveryPlace {
  let enqueue: @Sendable (@escaping @Sendable () -> Void) -> Void

  func empty<Element>(
    _ queue: DeliveryQueue<Element>, _ read: @escaping @Sendable (Element) -> Void
  ) {
    var turns = 0
    while takeTurn(queue, read) {
      turns += 1
      if turns < KeyValueSettings.depthLimit { continue }
      queue.refuse(turns)
      return
    }
  }

  /// Has the elements read that are there; whether that was done at once, and others have come since.
  private func takeTurn<Element>(
    _ queue: DeliveryQueue<Element>, _ read: @escaping @Sendable (Element) -> Void
  ) -> Bool {
    let turn = Locked(Turn.asked)
    enqueue {
      guard queue.empty(read) else { return }
      let isAtOnce = turn.withLock { turn in
        defer { turn = .hasMore }
        return turn == .asked
      }
      if !isAtOnce { self.empty(queue, read) }
    }
    return turn.withLock { turn in
      defer { turn = .isLeft }
      return turn == .hasMore
    }
  }

  /// Who goes on: the caller, if the closure has run before the enqueuing call returned, else the
  /// closure. A caller that did not loop would be called by its own handler, change by change.
  private enum Turn {
    case asked, hasMore, isLeft
  }
}

/// The main actor: an element that is sent there is read at once, unless others wait.
struct MainPlace: DeliveryPlace {
  func deliver<Element>(
    _ element: Element, through queue: DeliveryQueue<Element>,
    to read: @escaping @Sendable (Element) -> Void
  ) {
    queue.deliverToMainActor(element, read)
  }

  func empty<Element>(
    _ queue: DeliveryQueue<Element>, _ read: @escaping @Sendable (Element) -> Void
  ) {
    queue.emptyOnMainActor(read)
  }
}

/// An actor, with which the queues end.
struct ActorPlace<Isolation: Actor>: DeliveryPlace {
  private let actor: any Sendable

  init(_ actor: Isolation) {
    // The main actor never goes; a weak reference to it would be one more thing that never does.
    self.actor = actor is MainActor ? actor as any Sendable : Weak(actor)
  }

  /// The actor; nil once it has gone.
  var living: Isolation? { (actor as? Weak<Isolation>)?.object ?? actor as? Isolation }

  func empty<Element>(
    _ queue: DeliveryQueue<Element>, _ read: @escaping @Sendable (Element) -> Void
  ) {
    empty(queue, there: { _, element in read(element) })
  }

  /// Has each element read by code of the actor.
  func empty<Element>(
    _ queue: DeliveryQueue<Element>,
    there read: @escaping @Sendable (isolated Isolation, Element) -> Void
  ) {
    Task {
      guard let actor = living else { return queue.invalidate() }
      await empty(queue, on: actor, read)
    }
  }

  private func empty<Element>(
    _ queue: DeliveryQueue<Element>, on actor: isolated Isolation,
    _ read: @Sendable (isolated Isolation, Element) -> Void
  ) async {
    while queue.empty({ read(actor, $0) }) { await Task.yield() }
  }
}
