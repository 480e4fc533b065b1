// The way of values to where a delivery leads, for code that is no handler of an observation.
//
// Owns:      a mailbox, and the code that reads it.
// Lives:     as long as values come, and until the last value is read.
// Locks:     the mailbox's, and one for a count, each for a moment; values are read without a lock.
// Invariant: nothing is read before ``begin()``, and no reading begins once the route has ended.

package import IsaKeyValue

/// A way to where a delivery leads: letters are read there in order and one at a time.
package final class DeliveryRoute<Letter: Sendable>: Sendable {
  private let place: any DeliveryPlace
  private let mailbox = Mailbox<Letter>(isHeld: true)
  private let waiting = Locked(0)
  private let read: @Sendable (Letter, Bool) -> Void

  /// - Parameter read: Told, too, whether no other letter is on its way.
  package init<Place>(
    to delivery: KeyValueDelivery<Place>, _ read: @escaping @Sendable (Letter, Bool) -> Void
  ) {
    place = delivery.place
    self.read = read
  }

  /// Sends a letter.
  package func send(_ letter: Letter) {
    waiting.withLock { $0 += 1 }
    place.deliver(letter, through: mailbox, to: readOne)
  }

  /// Has letters read from now on, those first that were sent before.
  package func begin() { if mailbox.release() { place.empty(mailbox, readOne) } }

  /// A registration that sends letters, as one that ends the route along with it.
  package func ending(_ source: any RegistrationControl) -> any RegistrationControl {
    mailbox.open(from: source)
    return mailbox
  }

  private var readOne: @Sendable (Letter) -> Void {
    { [read, waiting] in read($0, arrives(waiting)) }
  }
}

/// Counts a letter as read; whether it was the last.
private func arrives(_ waiting: Locked<Int>) -> Bool {
  waiting.withLock { count in
    count -= 1
    return count == 0
  }
}
