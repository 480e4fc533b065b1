// The way of values to where a delivery leads, for code that is no handler of an observation.
//
// Owns:      a mailbox, and the code that reads it.
// Lives:     as long as values come, and until the last of them is read.
// Locks:     the mailbox's, and one for a count, each for a moment; values are read without.
// Invariant: nothing is read before ``begin()``, nor begun to be read once the route has ended.

package import IsaRuntime

/// A way to where a delivery leads: letters are read there in order and one at a time.
package final class DeliveryRoute<Letter: Sendable>: Sendable {
  private let mailbox = Mailbox<Letter>(isHeld: true)
  private let waiting: Locked<Int>
  private let deliver: @Sendable (Letter, Mailbox<Letter>) -> Void
  private let empty: @Sendable (Mailbox<Letter>) -> Void

  fileprivate init(
    _ waiting: Locked<Int>, deliver: @escaping @Sendable (Letter, Mailbox<Letter>) -> Void,
    empty: @escaping @Sendable (Mailbox<Letter>) -> Void
  ) {
    self.waiting = waiting
    self.deliver = deliver
    self.empty = empty
  }

  /// Sends a letter.
  package func send(_ letter: Letter) {
    waiting.withLock { $0 += 1 }
    deliver(letter, mailbox)
  }

  /// Has letters read from now on, those first that were sent before.
  package func begin() { if mailbox.release() { empty(mailbox) } }

  /// A registration that sends letters, as one that ends the route along with it.
  package func ending(_ source: any RegistrationControl) -> any RegistrationControl {
    mailbox.open(from: source)
    return mailbox
  }
}

extension KeyValueDelivery where Place == KeyValueQueue {
  /// A route to this place. `read` is told, too, whether no other letter is on its way.
  package func route<Letter>(
    _ read: @escaping @Sendable (Letter, Bool) -> Void
  ) -> DeliveryRoute<Letter> {
    let waiting = Locked(0)
    let readOne: @Sendable (Letter) -> Void = { read($0, arrives(waiting)) }
    return DeliveryRoute(waiting) { letter, mailbox in
      deliver(letter, through: mailbox, to: readOne)
    } empty: {
      empty($0, readOne)
    }
  }
}

extension KeyValueDelivery where Place == MainActor {
  /// A route to the main actor: a letter that is sent there is read at once, unless others wait.
  package func route<Letter>(
    _ read: @escaping @Sendable (Letter, Bool) -> Void
  ) -> DeliveryRoute<Letter> {
    let waiting = Locked(0)
    let readOne: @MainActor (Letter) -> Void = { read($0, arrives(waiting)) }
    return DeliveryRoute(waiting) { letter, mailbox in
      mailbox.deliverToMainActor(letter, readOne)
    } empty: {
      $0.emptyOnMainActor(readOne)
    }
  }
}

/// Counts a letter as read; whether it was the last.
private func arrives(_ waiting: Locked<Int>) -> Bool {
  waiting.withLock { count in
    count -= 1
    return count == 0
  }
}
