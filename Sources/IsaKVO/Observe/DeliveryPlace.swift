// The places where deliveries lead: the main actor, an actor, a queue.
//
// Owns:  an actor's place a weak reference to the actor, a queue's place the code that runs a
//        closure.
// Lives: as long as the deliveries that lead there.
// Locks: none but the mailboxes'.

/// A place where letters are read.
protocol DeliveryPlace: Sendable {
  /// Has a letter read, behind those that are in the mailbox.
  func deliver<Letter>(
    _ letter: Letter, through mailbox: Mailbox<Letter>,
    to read: @escaping @Sendable (Letter) -> Void)

  /// Has each letter read that is in a mailbox.
  func empty<Letter>(
    _ mailbox: Mailbox<Letter>, _ read: @escaping @Sendable (Letter) -> Void)
}

extension DeliveryPlace {
  func deliver<Letter>(
    _ letter: Letter, through mailbox: Mailbox<Letter>,
    to read: @escaping @Sendable (Letter) -> Void
  ) {
    if mailbox.post(letter) { empty(mailbox, read) }
  }
}

/// A queue, or an executor.
struct QueuePlace: DeliveryPlace {
  let enqueue: @Sendable (@escaping @Sendable () -> Void) -> Void

  func empty<Letter>(
    _ mailbox: Mailbox<Letter>, _ read: @escaping @Sendable (Letter) -> Void
  ) {
    enqueue { if mailbox.empty(read) { self.empty(mailbox, read) } }
  }
}

/// The main actor: a letter that is sent there is read at once, unless others wait.
struct MainPlace: DeliveryPlace {
  func deliver<Letter>(
    _ letter: Letter, through mailbox: Mailbox<Letter>,
    to read: @escaping @Sendable (Letter) -> Void
  ) {
    mailbox.deliverToMainActor(letter, read)
  }

  func empty<Letter>(
    _ mailbox: Mailbox<Letter>, _ read: @escaping @Sendable (Letter) -> Void
  ) {
    mailbox.emptyOnMainActor(read)
  }
}

/// An actor, with which the mailboxes end.
struct ActorPlace<Isolation: Actor>: DeliveryPlace {
  private let actor: any Sendable

  init(_ actor: Isolation) {
    // The main actor never goes; a weak reference to it would be one more thing that never does.
    self.actor = actor is MainActor ? actor as any Sendable : Weak(actor)
  }

  /// The actor; nil once it has gone.
  var living: Isolation? { (actor as? Weak<Isolation>)?.object ?? actor as? Isolation }

  func empty<Letter>(
    _ mailbox: Mailbox<Letter>, _ read: @escaping @Sendable (Letter) -> Void
  ) {
    empty(mailbox, there: { _, letter in read(letter) })
  }

  /// Has each letter read by code of the actor.
  func empty<Letter>(
    _ mailbox: Mailbox<Letter>,
    there read: @escaping @Sendable (isolated Isolation, Letter) -> Void
  ) {
    Task {
      guard let actor = living else { return mailbox.invalidate() }
      await empty(mailbox, on: actor, read)
    }
  }

  private func empty<Letter>(
    _ mailbox: Mailbox<Letter>, on actor: isolated Isolation,
    _ read: @Sendable (isolated Isolation, Letter) -> Void
  ) async {
    while mailbox.empty({ read(actor, $0) }) { await Task.yield() }
  }
}
