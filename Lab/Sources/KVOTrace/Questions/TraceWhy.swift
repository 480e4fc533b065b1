/// Why an event happened: the event, what it happened in or was led to by, and so on outwards.
package struct TraceWhy: Sendable {
  package struct Step: Sendable {
    package let event: TraceEvent
    /// The registration that the event is about, as it began.
    package let registration: TraceRegistration?
    /// Of a change: the values, if an observer asked for them.
    package let value: TraceValue?
    package let oldValue: TraceValue?

    /// Where the event happened, or else where its registration was made.
    package var origin: TraceOrigin {
      let own = TraceOrigin(event)
      return own.hasLine || own.stack != 0 ? own : registration?.origin ?? own
    }
  }

  /// Where the chain ends.
  package enum End: Hashable, Sendable {
    /// With what the program did by itself.
    case program
    /// The cause of that id is not in the trace: it was lost, or left out.
    case lost(UInt64)
    /// The chain is longer than what is shown.
    case cut
  }

  /// The event that was asked for first; each is the cause of the one before it.
  package let steps: [Step]
  package let end: End
}

extension Trace {
  /// The chain of causes of the event of that id, `limit` events at most. Nil: the trace does not
  /// have the event.
  package func why(_ id: UInt64, limit: Int = 1000) -> TraceWhy? {
    guard var event = event(id) else { return nil }
    var steps = [step(event)]
    while event.cause != 0 {
      guard steps.count < limit else { return TraceWhy(steps: steps, end: .cut) }
      // A damaged file can name a later event as cause: no chain leads to what comes after it.
      guard event.cause < event.id, let cause = self.event(event.cause) else {
        return TraceWhy(steps: steps, end: .lost(event.cause))
      }
      event = cause
      steps.append(step(event))
    }
    return TraceWhy(steps: steps, end: .program)
  }

  private func step(_ event: TraceEvent) -> TraceWhy.Step {
    let carrier = event.kind == .didChange ? values(ofChange: event) ?? event : event
    return TraceWhy.Step(
      event: event, registration: registration(event),
      value: carrier.value, oldValue: carrier.oldValue)
  }

  /// The first event that tells an observer of the change, and has its values.
  private func values(ofChange change: TraceEvent) -> TraceEvent? {
    for event in events(from: change.id &+ 1).prefix(1000) where event.thread == change.thread {
      if event.cause < change.id { return nil }
      let hasValues = event.value != nil || event.oldValue != nil
      if event.cause == change.id && event.name == change.name && hasValues { return event }
    }
    return nil
  }

  /// The events that the event of that id has led to directly, by id, `limit` at most. All later
  /// events are read, unless there are so many.
  package func effects(of id: UInt64, limit: Int = 1000) -> [TraceEvent] {
    Array(events(from: id).lazy.filter { $0.cause == id }.prefix(limit))
  }
}
