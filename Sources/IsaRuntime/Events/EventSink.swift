// The process's event sink: one closure at a time.
//
// Owns:      the closure of the log that records.
// Locks:     `sink` has its own; neither anybody's code nor the C core's switch runs under it,
//            since the switch waits for the closure to be left.
// Invariant: only the log that started the sink ends it.
internal import CIsa

/// The log that records; 0 while the former log is stopping.
private let sink = Locked<UInt?>(nil)

/// A closure that events go to: a closure that generic code hands on in place is wrapped anew each
/// time.
private final class EventBox: Sendable {
  let handler: @Sendable (RuntimeEvent) -> Void
  init(_ handler: @escaping @Sendable (RuntimeEvent) -> Void) { self.handler = handler }
}

private let receiver = Locked<EventBox?>(nil)

private let receive: isa_event_sink = { event, _ in
  guard let event, let receiver = receiver.withLock({ $0 }) else { return }
  receiver.handler(RuntimeEvent(event.pointee))
}

/// Sends events to `handler` on behalf of log `number`.
func startEvents(
  _ number: UInt, _ handler: @escaping @Sendable (RuntimeEvent) -> Void
) throws(KeyValueError) {
  let isFree = sink.withLock { sink in
    guard sink == nil else { return false }
    sink = number
    return true
  }
  guard isFree else { throw KeyValueError(.inUse, reason: "another event log is recording") }
  let new = EventBox(handler)
  receiver.withLock { $0 = new }
  isa_event_set_sink(receive, nil)
}

/// Ends what log `number` started.
func stopEvents(_ number: UInt) {
  let isOurs = sink.withLock { sink in
    guard sink == number else { return false }
    sink = 0
    return true
  }
  guard isOurs else { return }
  isa_event_set_sink(nil, nil)
  // The closure may end something when it goes, hence outside of the lock.
  let old = receiver.withLock { receiver in
    defer { receiver = nil }
    return receiver
  }
  sink.withLock { $0 = nil }
  withExtendedLifetime(old) {}
}
