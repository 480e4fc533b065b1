internal import CIsa

/// Records what the runtime does, from its making to ``stop()`` or its end.
///
///     let log = try RuntimeEventLog()
///     try person.set("age", 41)
///     log.stop()
///     for event in log.events { print(event) }
///
/// There is one event log at a time, for the whole process and all its threads.
public final class RuntimeEventLog: Sendable {
  private let recorded = Locked<[RuntimeEvent]>([])
  private let number = nextNumber()

  /// Records events in ``events``.
  ///
  /// - Throws: `KeyValueError.Code.inUse` while another log records.
  public init() throws(KeyValueError) {
    let recorded = recorded
    try startEvents(number) { event in recorded.withLock { $0.append(event) } }
  }

  /// Passes each event to `handler`, and records none.
  ///
  /// - Parameter handler: Runs on the thread on which the event happens, in the middle of what the
  ///   runtime does; it should note what it needs and leave the runtime alone.
  /// - Throws: `KeyValueError.Code.inUse` while another log records.
  public init(handler: @escaping @Sendable (RuntimeEvent) -> Void) throws(KeyValueError) {
    try startEvents(number, handler)
  }

  deinit { stopEvents(number) }

  /// The events recorded so far, in the order in which they came in; ``RuntimeEvent/id`` tells the
  /// order in which they happened.
  public var events: [RuntimeEvent] { recorded.withLock { $0 } }

  /// Forgets what was recorded so far.
  public func clear() { recorded.withLock { $0.removeAll() } }

  /// Ends recording; any number of times. No event comes in afterwards.
  public func stop() { stopEvents(number) }
}
