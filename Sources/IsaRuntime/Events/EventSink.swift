// The listeners to the core's event log.
//
// Owns:      the closure of each log that records.
// Locks:     each listener has its own; neither anybody's code nor the C core's removal runs under
//            it, since the removal waits for the closure to be left.
// Invariant: a listener's closure goes once the core has ended the listener.
internal import CIsa

/// A listener, and the closure that events go to.
final class EventListener: Sendable {
  private let handler: @Sendable (RuntimeEvent) -> Void
  private let running = Locked<(number: isa_event_listener, context: Context?)>((0, nil))

  init(_ handler: @escaping @Sendable (RuntimeEvent) -> Void) { self.handler = handler }

  private static let receive: isa_event_sink = { event, context in
    guard let event, let context else { return }
    box(context, as: EventListener.self).handler(RuntimeEvent(event.pointee))
  }

  /// Sends events of these kinds from now on; once.
  func start(_ kinds: some Sequence<RuntimeEventKind>) throws(KeyValueError) {
    let mask = kinds.reduce(isa_event_kinds(0)) { $0 | 1 << $1.rawValue }
    var made: isa_event_listener = 0
    // Given back once the core has ended the listener.
    let context = retainedContext(self)
    let outcome = answered("") { isa_event_add_listener(mask, Self.receive, context, &made) }
    if outcome.status != ISA_OK { releaseContext(context) }
    try KeyValueError.check(outcome, key: "", className: "")
    nonisolated(unsafe) let kept = context
    running.withLock { $0 = (made, kept) }
  }

  /// Ends it; any number of times.
  func stop() {
    let ended = running.withLock { running in
      defer { running = (0, nil) }
      return running.number == 0 ? nil : running
    }
    guard let ended else { return }
    isa_event_remove_listener(ended.number)
    releaseContext(ended.context)
  }
}
