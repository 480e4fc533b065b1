// The way of values to where a delivery leads, for code that is no handler of an observation.
//
// Owns:      a queue, and the code that reads it.
// Lives:     as long as values come, and until the last value is read.
// Locks:     the queue's, and one for a count, each for a moment; values are read without a lock.
// Invariant: nothing is read before ``begin()``, and no reading begins once the route has ended.

package import IsaKeyValue

/// A way to where a delivery leads: elements are read there in order and one at a time.
package final class DeliveryRoute<Element: Sendable>: Sendable {
  private let place: any DeliveryPlace
  private let queue = DeliveryQueue<Element>(isHeld: true)
  private let waiting = Locked(0)
  private let read: @Sendable (Element, Bool) -> Void

  /// - Parameter read: Told, too, whether no other element is on its way.
  package init<Place>(
    to delivery: KeyValueDelivery<Place>, _ read: @escaping @Sendable (Element, Bool) -> Void
  ) {
    place = delivery.place
    self.read = read
  }

  /// Sends an element.
  package func send(_ element: Element) {
    waiting.withLock { $0 += 1 }
    place.deliver(element, through: queue, to: readOne)
  }

  /// Has elements read from now on, those first that were sent before.
  package func begin() { if queue.release() { place.empty(queue, readOne) } }

  /// A registration that sends elements, as a registration that ends the route along with it.
  package func ending(_ source: any RegistrationControl) -> any RegistrationControl {
    queue.open(from: source)
    return queue
  }

  private var readOne: @Sendable (Element) -> Void {
    { [read, waiting] in read($0, arrives(waiting)) }
  }
}

/// Counts an element as read; whether it was the last.
private func arrives(_ waiting: Locked<Int>) -> Bool {
  waiting.withLock { count in
    count -= 1
    return count == 0
  }
}
