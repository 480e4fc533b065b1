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
    // What runs at once is asked again here: by itself it would be within itself, change by change.
    var turns = 0
    while true {
      queue.beginAsking()
      enqueue { if queue.empty(read), !queue.isAskedByThisThread() { self.empty(queue, read) } }
      guard let isFedByItself = queue.endAsking() else { return }
      turns = isFedByItself ? turns + 1 : 0
      if turns > 0, turns >= KeyValueSettings.depthLimit { return queue.refuse(turns) }
    }
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
