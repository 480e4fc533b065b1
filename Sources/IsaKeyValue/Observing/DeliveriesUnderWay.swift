// The deliveries that threads are making at the ends of transactions and where a queue is emptied,
// which the core knows nothing of.
//
// Owns:      nothing but numbers.
// Locks:     its own, for a look into the list; handlers run, and threads wait, without it.
// Invariant: a delivery is in the list before it is asked whether its registration still stands: a
//            delivery whose registration has been ended is found here, or does not start.
package enum DeliveriesUnderWay {
  private struct Delivery: Equatable {
    let control: UInt
    let thread: UInt
  }

  private static let all = Locked<[Delivery]>([])

  /// Runs `body`, a delivery by a registration.
  package static func with(_ control: any RegistrationControl, _ body: () -> Void) {
    let delivery = Delivery(control: identity(of: control), thread: currentThread())
    all.withLock { $0.append(delivery) }
    body()
    all.withLock { all in
      if let index = all.lastIndex(of: delivery) { all.remove(at: index) }
    }
  }

  /// Waits until no other thread is making a delivery by one of these registrations.
  package static func wait(for controls: [UInt]) {
    let thread = currentThread()
    var rounds = 0
    while all.withLock({ all in
      all.contains { $0.thread != thread && controls.contains($0.control) }
    }) {
      rounds += 1
      yieldThread(rounds)
    }
  }
}
