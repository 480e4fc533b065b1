/// What stands out in a trace. Lists are ordered with what matters most first, and are whole.
package struct TraceSummary: Sendable {
  /// The events that were read.
  package var eventCount = 0
  package var counts: [TraceEventKind: Int] = [:]
  /// Of the first and the last event, in nanoseconds of the header's clock.
  package var firstTime: UInt64 = 0
  package var lastTime: UInt64 = 0
  package var threads: Set<UInt64> = []
  /// Most often changed first.
  package var keys: [KeyUse] = []
  /// Those that took the most time first.
  package var handlers: [HandlerUse] = []
  /// Registrations that have not ended, forwarders left out, grouped by where they were made.
  package var open: [OpenRegistrations] = []
  /// Changes of a key in the course of its own notification, for the same object.
  package var rings: [Ring] = []
  package var refusals: [Refusal] = []
  package var misuses: [Misuse] = []
  /// Registrations that ended because an object died, grouped.
  package var deaths: [Death] = []
  /// Events that a ring has taken back, or for which there was no room.
  package var lostEvents: UInt64 = 0
  /// What could not be read.
  package var problems: [TraceProblem] = []

  /// How a key was changed and its observers were notified.
  package struct KeyUse: Sendable {
    package let key: TraceKey
    package var changes = 0
    package var notifications = 0
    package var held = 0
    package var muted = 0
    /// The last event about it.
    package var last: UInt64 = 0
  }

  /// The handlers of one place, and of one key path.
  package struct HandlerUse: Sendable {
    package let origin: TraceOrigin
    package let key: TraceKey
    package var runs = 0
    /// In nanoseconds; with the handlers that run inside it, and without.
    package var total: UInt64 = 0
    package var own: UInt64 = 0
    package var longest: UInt64 = 0
    /// The event by which the longest run began.
    package var longestEvent: UInt64 = 0
    package var sent = 0
    package var arrived = 0
    /// From sent to arrived, in nanoseconds: of all together, and of the slowest.
    package var latency: UInt64 = 0
    package var longestLatency: UInt64 = 0
    /// The event of the slowest arrival.
    package var longestLatencyEvent: UInt64 = 0
  }

  package struct OpenRegistrations: Sendable {
    package let key: TraceKey
    package let origin: TraceOrigin
    package var count: Int
    /// The one that began first.
    package let oldest: TraceRegistration
  }

  package struct Ring: Sendable {
    /// From a key to itself: what was changed in whose notification, in turn.
    package let keys: [TraceKey]
    package var count: Int
    /// The ids of the changes of the first time round.
    package let changes: [UInt64]
  }

  package struct Refusal: Sendable {
    /// `isa_status`.
    package let status: UInt32
    package let key: TraceKey
    package let origin: TraceOrigin
    package var count: Int
    package let first: UInt64
  }

  package struct Misuse: Sendable {
    /// `isa_status`; 0 if there is none.
    package let status: UInt32
    package let sentence: TextNumber
    package var count: Int
    package let first: UInt64
  }

  package struct Death: Sendable {
    package let key: TraceKey
    package let origin: TraceOrigin
    /// `objectDied` or `observerDied`.
    package let reason: TraceRemovalReason
    package var count: Int
    /// The event by which the first of them ended.
    package let first: UInt64
  }
}

extension Trace {
  /// Reads all events. Memory grows with the number of registrations that live at a time and of
  /// places, not with the number of events.
  package func summary() -> TraceSummary {
    var reading = SummaryReading(self)
    for event in events { reading.take(event) }
    return reading.finish()
  }
}

/// A summary that is being made.
private struct SummaryReading {
  private struct HandlerKey: Hashable {
    let origin: TraceOrigin
    let key: TraceKey
  }

  private struct RefusalKey: Hashable {
    let status: UInt32
    let key: TraceKey
    let origin: TraceOrigin
    let reason: TraceRemovalReason?
  }

  /// A handler that was sent and has not arrived.
  private struct Sent {
    let time: UInt64
    let handler: Int
    let changes: [ChangeOnTheWay]
  }

  /// A change whose notification has led to something.
  private struct ChangeOnTheWay {
    let event: UInt64
    let object: UInt64
    let key: TraceKey
  }

  private let trace: Trace
  private var summary = TraceSummary()
  private var course = TraceCourse()
  private var live: LiveRegistrations
  private var counts = [Int](repeating: 0, count: 64)
  private var lastThread: UInt64 = 0
  private var recent = RecentHandlers()
  private var keyPlaces: [TraceKey: Int] = [:]
  private var handlerPlaces: [HandlerKey: Int] = [:]
  private var ringPlaces: [[TraceKey]: Int] = [:]
  private var refusalPlaces: [RefusalKey: Int] = [:]
  private var misusePlaces: [TraceEvent: Int] = [:]
  private var deathPlaces: [RefusalKey: Int] = [:]
  private var sent: [UInt64: Sent] = [:]
  /// Of handlers that have arrived and run: the changes that have led to them.
  private var arrivals: [UInt64: [ChangeOnTheWay]] = [:]
  /// The registrations that have ended last, whose handlers may still be on their way.
  private var departed: [UInt64: TraceRegistration] = [:]

  init(_ trace: Trace) {
    self.trace = trace
    live = LiveRegistrations(trace.earlierRegistrations)
  }

  mutating func take(_ event: TraceEvent) {
    count(event)
    live.reach(event.id)
    course.take(event)
    for ended in course.ended where ended.frame.isHandler { add(ended) }
    switch event.kind {
    case .didChange: change(event)
    case .notification: use(event) { $0.notifications += 1 }
    case .changeHeld: use(event) { $0.held += 1 }
    case .changeMuted: use(event) { $0.muted += 1 }
    case .handlerSent: send(event)
    case .handlerArrived: arrive(event)
    case .observerAdded: begin(event)
    case .observerRemoved: end(event)
    case .deallocated: live.forget(object: event.object)
    case .observerRefused:
      if event.registration != 0 { _ = live.end(event) }
      refuse(event)
    case .misuse: misuse(event)
    default: break
    }
  }

  private mutating func count(_ event: TraceEvent) {
    if summary.eventCount == 0 { summary.firstTime = event.time }
    summary.eventCount += 1
    summary.firstTime = min(summary.firstTime, event.time)
    summary.lastTime = max(summary.lastTime, event.time)
    counts[Int(event.kind.rawValue & 63)] += 1
    if event.thread != lastThread { summary.threads.insert(event.thread) }
    lastThread = event.thread
  }

  mutating func finish() -> TraceSummary {
    live.reach(.max)
    course.finish()
    for ended in course.ended where ended.frame.isHandler { add(ended) }
    for kind in counts.indices where counts[kind] > 0 {
      summary.counts[TraceEventKind(rawValue: UInt8(kind))] = counts[kind]
    }
    collectOpen()
    summary.sort()
    summary.lostEvents = trace.header.lostEvents
    summary.problems = trace.problems
    return summary
  }
}

// ---- keys and handlers --------------------------------------------------------------------------

extension SummaryReading {
  private mutating func use(_ event: TraceEvent, _ change: (inout TraceSummary.KeyUse) -> Void) {
    if event.flags.contains(.forwarder) { return }
    let key = trace.key(of: event)
    let place = keyPlaces[key] ?? summary.keys.count
    if place == summary.keys.count {
      keyPlaces[key] = place
      summary.keys.append(TraceSummary.KeyUse(key: key))
    }
    change(&summary.keys[place])
    summary.keys[place].last = event.id
  }

  /// The place of the handlers that the event's registration has.
  private mutating func handler(of event: TraceEvent) -> Int {
    if let place = recent.find(event) { return place }
    let place = findHandler(of: event)
    recent.note(event, place)
    return place
  }

  private mutating func findHandler(of event: TraceEvent) -> Int {
    let registration = live.registration(of: event) ?? departed[event.registration]
    let origin = registration?.origin.shown ?? TraceOrigin()
    let key = HandlerKey(origin: origin, key: trace.key(of: event))
    if let place = handlerPlaces[key] { return place }
    handlerPlaces[key] = summary.handlers.count
    summary.handlers.append(TraceSummary.HandlerUse(origin: key.origin, key: key.key))
    return summary.handlers.count - 1
  }

  /// A notification whose handler was sent is no run of it. Nor has a value of a sequence one, unless
  /// something happened in its course: what its consumer does then has no end.
  private mutating func add(_ ended: TraceCourse.Ended) {
    let hasArrived = ended.frame.event.kind == .handlerArrived
    if hasArrived { arrivals[ended.frame.event.id] = nil }
    if ended.frame.isSent || (hasArrived && !ended.isSaid && ended.duration == 0) { return }
    let place = handler(of: ended.frame.event)
    summary.handlers[place].runs += 1
    summary.handlers[place].total &+= ended.duration
    summary.handlers[place].own &+= ended.ownDuration
    if ended.duration >= summary.handlers[place].longest {
      summary.handlers[place].longest = ended.duration
      summary.handlers[place].longestEvent = ended.frame.event.id
    }
  }

  private mutating func send(_ event: TraceEvent) {
    let place = handler(of: event)
    summary.handlers[place].sent += 1
    // What is dropped on its way stays here: the oldest are forgotten, though still counted.
    if sent.count >= 1 << 20 { forgetOldSent(before: event.id) }
    sent[event.id] = Sent(time: event.time, handler: place, changes: changesOnTheWay())
  }

  private mutating func forgetOldSent(before id: UInt64) {
    let middle = sent.keys.sorted()[sent.count / 2]
    sent = sent.filter { $0.key >= middle }
  }

  private mutating func arrive(_ event: TraceEvent) {
    guard let sent = sent.removeValue(forKey: event.cause) else { return }
    let latency = event.time > sent.time ? event.time - sent.time : 0
    summary.handlers[sent.handler].arrived += 1
    summary.handlers[sent.handler].latency &+= latency
    if latency >= summary.handlers[sent.handler].longestLatency {
      summary.handlers[sent.handler].longestLatency = latency
      summary.handlers[sent.handler].longestLatencyEvent = event.id
    }
    arrivals[event.id] = sent.changes
  }
}

// ---- rings --------------------------------------------------------------------------------------

extension SummaryReading {
  private mutating func change(_ event: TraceEvent) {
    use(event) { $0.changes += 1 }
    guard course.frames.count > 1 else { return }
    let before = changesOnTheWay()
    guard
      let start = before.dropLast().lastIndex(where: {
        $0.object == event.object && $0.key.key == event.name
      })
    else { return }
    add(ring: Array(before[start..<before.count - 1]))
  }

  /// The changes that this thread is in, the outermost first, with those that have led to the
  /// handlers which were sent to it. Of very many, the last.
  private func changesOnTheWay() -> [ChangeOnTheWay] {
    var changes: [ChangeOnTheWay] = []
    for frame in course.frames.suffix(64) {
      let event = frame.event
      if event.kind == .handlerArrived { changes = arrivals[event.id] ?? [] }
      if event.kind == .didChange {
        changes.append(
          ChangeOnTheWay(event: event.id, object: event.object, key: trace.key(of: event)))
      }
    }
    return changes.suffix(32)
  }

  /// The same ring is the same from whichever of its keys it was entered.
  private mutating func add(ring: [ChangeOnTheWay]) {
    let keys = ring.map(\.key)
    let order = { (key: TraceKey) in (key.className, key.key) }
    let least = keys.indices.min { order(keys[$0]) < order(keys[$1]) } ?? 0
    let turned = Array(keys[least...] + keys[..<least])
    if let place = ringPlaces[turned] {
      summary.rings[place].count += 1
    } else {
      ringPlaces[turned] = summary.rings.count
      summary.rings.append(TraceSummary.Ring(keys: keys, count: 1, changes: ring.map(\.event)))
    }
  }
}

// ---- registrations and mistakes -----------------------------------------------------------------

extension SummaryReading {
  private mutating func begin(_ event: TraceEvent) {
    live.begin(event, in: course, of: trace)
  }

  private mutating func end(_ event: TraceEvent) {
    let registration = live.end(event)
    if departed.count >= 1 << 16 { departed = [:] }
    departed[registration.number] = registration
    guard let reason = event.reason, reason != .byCall, !registration.isForwarder else { return }
    let key = RefusalKey(
      status: 0, key: trace.key(of: event), origin: registration.origin.shown, reason: reason)
    if let place = deathPlaces[key] {
      summary.deaths[place].count += 1
    } else {
      deathPlaces[key] = summary.deaths.count
      summary.deaths.append(
        TraceSummary.Death(
          key: key.key, origin: key.origin, reason: reason, count: 1, first: event.id))
    }
  }

  private mutating func refuse(_ event: TraceEvent) {
    let key = RefusalKey(
      status: event.status, key: trace.key(of: event), origin: TraceOrigin(event).shown, reason: nil
    )
    if let place = refusalPlaces[key] {
      summary.refusals[place].count += 1
    } else {
      refusalPlaces[key] = summary.refusals.count
      summary.refusals.append(
        TraceSummary.Refusal(
          status: key.status, key: key.key, origin: key.origin, count: 1, first: event.id))
    }
  }

  private mutating func misuse(_ event: TraceEvent) {
    var key = TraceEvent()
    (key.status, key.name) = (event.status, event.name)
    if let place = misusePlaces[key] {
      summary.misuses[place].count += 1
    } else {
      misusePlaces[key] = summary.misuses.count
      summary.misuses.append(
        TraceSummary.Misuse(status: key.status, sentence: key.name, count: 1, first: event.id))
    }
  }

  private mutating func collectOpen() {
    var places: [HandlerKey: Int] = [:]
    for registration in live.all where !registration.isForwarder {
      let className = trace.className(of: registration.object, at: registration.seen)
      let key = HandlerKey(
        origin: registration.origin.shown,
        key: TraceKey(className: className, key: registration.keyPath))
      if let place = places[key] {
        summary.open[place].count += 1
      } else {
        places[key] = summary.open.count
        summary.open.append(
          TraceSummary.OpenRegistrations(
            key: key.key, origin: key.origin, count: 1, oldest: registration))
      }
    }
  }
}

/// The handlers of the registrations that were notified last.
private struct RecentHandlers {
  private struct Entry {
    var registration: UInt64 = 0
    var object: UInt64 = 0
    var handler = 0
  }

  private var entries = [Entry](repeating: Entry(), count: 1024)

  /// A registration's number is not used again, but shared observers have one on many objects.
  private func place(_ event: TraceEvent) -> Int {
    Int(truncatingIfNeeded: event.registration ^ event.object >> 5) & 1023
  }

  func find(_ event: TraceEvent) -> Int? {
    let entry = entries[place(event)]
    let isThat = entry.registration == event.registration && entry.object == event.object
    return isThat && event.registration != 0 ? entry.handler : nil
  }

  mutating func note(_ event: TraceEvent, _ handler: Int) {
    entries[place(event)] = Entry(
      registration: event.registration, object: event.object, handler: handler)
  }
}
