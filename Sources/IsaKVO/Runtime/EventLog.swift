internal import CIsa

/// Records what the runtime does, from its making to ``stop()`` or its end.
///
///     let log = try EventLog()
///     try person.set("age", 41)
///     log.stop()
///     for event in log.events { print(event) }
///
/// There is one event log at a time, for the whole process and all its threads.
public final class EventLog: Sendable {
  private let recorded = Locked<[Event]>([])
  private let number = nextNumber()

  /// Records events in ``events``.
  ///
  /// - Throws: ``RuntimeError/eventLogInUse`` while another log records.
  public init() throws(RuntimeError) {
    let recorded = recorded
    try startEvents(number) { event in recorded.withLock { $0.append(event) } }
  }

  /// Passes each event to `handler`, and records none.
  ///
  /// - Parameter handler: Runs on the thread on which the event happens, in the middle of what the
  ///   runtime does; it should note what it needs and leave the runtime alone.
  /// - Throws: ``RuntimeError/eventLogInUse`` while another log records.
  public init(handler: @escaping @Sendable (Event) -> Void) throws(RuntimeError) {
    try startEvents(number, handler)
  }

  deinit { stopEvents(number) }

  /// What was recorded so far, in the order in which it came in; ``Event/id`` tells the order in
  /// which it happened.
  public var events: [Event] { recorded.withLock { $0 } }

  /// Forgets what was recorded so far.
  public func clear() { recorded.withLock { $0.removeAll() } }

  /// Ends recording; any number of times. No event comes in afterwards.
  public func stop() { stopEvents(number) }
}
