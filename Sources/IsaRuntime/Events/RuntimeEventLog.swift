internal import CIsa

/// Records what the runtime does, from its making to ``stop()`` or its end.
///
///     let log = try RuntimeEventLog()
///     try person.set("age", 41)
///     log.stop()
///     for event in log.events { print(event) }
///
/// Several logs may record at once, for the whole process and all its threads. The core makes no event
/// of a kind that no log wants, and steps that a set is made of cost more than the others: a log
/// of the kinds that it looks at leaves the program closer to what it is without.
public final class RuntimeEventLog: Sendable {
  private let recorded: Locked<[RuntimeEvent]>
  private let listener: EventListener

  /// Records events in ``events``.
  ///
  /// - Parameter kinds: The kinds of events to record.
  /// - Throws: `KeyValueError.Code.inUse` while as many logs record as may.
  public init(
    _ kinds: some Sequence<RuntimeEventKind> = RuntimeEventKind.allCases
  ) throws(KeyValueError) {
    let recorded = Locked<[RuntimeEvent]>([])
    self.recorded = recorded
    listener = EventListener { event in recorded.withLock { $0.append(event) } }
    try listener.start(kinds)
  }

  /// Passes each event to `handler`, and records none.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of events to pass.
  ///   - handler: Runs on the thread on which the event happens, in the middle of what the
  ///     runtime does; it should note what it needs and leave the runtime alone.
  /// - Throws: `KeyValueError.Code.inUse` while as many logs record as may.
  public init(
    _ kinds: some Sequence<RuntimeEventKind> = RuntimeEventKind.allCases,
    handler: @escaping @Sendable (RuntimeEvent) -> Void
  ) throws(KeyValueError) {
    recorded = Locked([])
    listener = EventListener(handler)
    try listener.start(kinds)
  }

  deinit { listener.stop() }

  /// The events recorded so far, in the order in which they came in; ``RuntimeEvent/id`` tells the
  /// order in which they happened.
  public var events: [RuntimeEvent] { recorded.withLock { $0 } }

  /// Forgets what was recorded so far.
  public func clear() { recorded.withLock { $0.removeAll() } }

  /// Ends recording; any number of times. No event comes in afterwards.
  public func stop() { listener.stop() }
}
