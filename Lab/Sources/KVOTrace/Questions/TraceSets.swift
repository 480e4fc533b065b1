/// Who has changed a key.
package struct TraceSets: Sendable {
  package struct Change: Sendable {
    package let event: TraceEvent
    package let key: TraceKey
    /// The values, if an observer asked for them.
    package var value: TraceValue?
    package var oldValue: TraceValue?
    /// The handler, span or transaction that the change was made in; nil: in none that is traced.
    package let within: TraceEvent?
  }

  /// The changes that were made at one place.
  package struct Group: Sendable {
    /// Where: the calls of the change, if they were recorded.
    package let origin: TraceOrigin
    /// The registration in whose handler it was made; 0: in none.
    package let registration: UInt64
    package var count = 0
    package var threads: Set<UInt64> = []
    package var first: UInt64 = 0
    package var last: UInt64 = 0
  }

  package var count = 0
  package var threads: Set<UInt64> = []
  /// Most changes first.
  package var groups: [Group] = []
  /// The last of them.
  package var changes: [Change] = []
}

extension Trace {
  /// The changes of a property, by id: all are counted, and the last `limit` are there.
  package func sets(of property: TraceProperty, limit: Int = 1000) -> TraceSets {
    var reading = SetsReading(self, property, limit: max(1, limit))
    for event in events { reading.take(event) }
    return reading.finish()
  }
}

private struct SetsReading {
  private struct GroupKey: Hashable {
    let origin: TraceOrigin
    let registration: UInt64
  }

  private let trace: Trace
  private let limit: Int
  private var filter: KeyFilter
  private var course = TraceCourse()
  private var sets = TraceSets()
  private var places: [GroupKey: Int] = [:]
  /// The places in `sets.changes` of changes whose observers are being notified.
  private var current: [UInt64: Int] = [:]

  init(_ trace: Trace, _ property: TraceProperty, limit: Int) {
    self.trace = trace
    self.limit = limit
    filter = KeyFilter(property)
  }

  mutating func take(_ event: TraceEvent) {
    course.take(event)
    for ended in course.ended { current[ended.frame.event.id] = nil }
    if event.kind == .didChange {
      change(event)
    } else if let place = current[event.cause], event.value != nil || event.oldValue != nil {
      guard event.name == sets.changes[place].event.name else { return }
      sets.changes[place].value = sets.changes[place].value ?? event.value
      sets.changes[place].oldValue = sets.changes[place].oldValue ?? event.oldValue
    }
  }

  private mutating func change(_ event: TraceEvent) {
    let key = trace.key(of: event)
    guard filter.contains(key, in: trace) else { return }
    let within = course.frames.dropLast().last {
      $0.isHandler || $0.event.kind == .spanBegan || $0.event.kind == .transactionBegan
    }?.event
    sets.count += 1
    sets.threads.insert(event.thread)
    count(event, within)
    if sets.changes.count >= 2 * limit { dropOldest() }
    current[event.id] = sets.changes.count
    sets.changes.append(TraceSets.Change(event: event, key: key, within: within))
  }

  private mutating func dropOldest() {
    let dropped = sets.changes.count - limit
    sets.changes.removeFirst(dropped)
    current = current.compactMapValues { $0 < dropped ? nil : $0 - dropped }
  }

  private mutating func count(_ event: TraceEvent, _ within: TraceEvent?) {
    let key = GroupKey(
      origin: TraceOrigin(event).shown, registration: within?.registration ?? 0)
    let place = places[key] ?? sets.groups.count
    if place == sets.groups.count {
      places[key] = place
      sets.groups.append(TraceSets.Group(origin: key.origin, registration: key.registration))
      sets.groups[place].first = event.id
    }
    sets.groups[place].count += 1
    sets.groups[place].threads.insert(event.thread)
    sets.groups[place].last = event.id
  }

  mutating func finish() -> TraceSets {
    sets.changes = sets.changes.suffix(limit)
    sets.groups.sort { $1.count < $0.count }
    return sets
  }
}
