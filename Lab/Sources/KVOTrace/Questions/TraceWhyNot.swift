/// Why the observations that were made at a place were not told of a change.
package struct TraceWhyNot: Sendable {
  /// What is known of one observation that was made there.
  package struct Answer: Sendable {
    /// One, or the parts of an observation that has several, in the order in which they began.
    package let registrations: [TraceRegistration]
    /// What was found, in the order of the cases; empty: each change was told.
    package let findings: [Finding]
    /// How often it was told of a change.
    package let told: Int
    package let lastTold: UInt64
  }

  /// How often something was so, and the first event that shows it.
  package struct Finding: Hashable, Sendable {
    package let reason: Reason
    package let count: Int
    /// The first event that shows it; 0: there is none.
    package let event: UInt64
  }

  package enum Reason: Int, CaseIterable, Hashable, Sendable {
    /// The key of the object changed before the registration began.
    case beforeItBegan
    /// The key changed after the registration had ended.
    case afterItEnded
    /// A change was muted.
    case muted
    /// A transaction held a change, and no notification came of it.
    case heldAndNotReleased
    /// The key changed, and the observer was not told: the values were equal, or a filter said no.
    case suppressed
    /// The handler was sent to run elsewhere and has not arrived.
    case neverArrived
    /// The ivar was written with no change announced.
    case setInIvar
    /// The key of another object of the class changed.
    case otherObject
    /// Another key of the object changed.
    case otherKey
    /// No change of the object is in the trace: the ivar was set, or nothing was.
    case noChange
  }

  /// One for each observation that was made at the place, in the order in which they began.
  package let answers: [Answer]
  /// Registrations that were refused there, by the ids of their events.
  package let refused: [UInt64]
}

extension Trace {
  /// Says of each observation that was made at the place of what it was not told.
  ///
  /// `file` is the end of a path, such as `Cart.swift`; `key` is the last key of the key path that
  /// is meant, or nil. The place of a registration without file and line is asked of `places`.
  package func whyNot(
    file: String, line: UInt32, key: String? = nil, places: TracePlaces? = nil
  ) -> TraceWhyNot {
    let asked = AskedPlace(file: file, line: line, trace: self, places: places)
    let registrations = observers().filter { registration in
      asked.contains(registration.origin)
        && (key == nil || AskedPlace.isPath(text(registration.keyPath), of: key ?? ""))
    }
    var reading = WhyNotReading(self, Watch.observations(registrations, self))
    for event in events { reading.take(event, isRefusalHere: asked.contains(TraceOrigin(event))) }
    return reading.finish()
  }
}

/// A place that a question names.
private struct AskedPlace {
  let file: String
  let line: UInt32
  let trace: Trace
  let places: TracePlaces?

  func contains(_ origin: TraceOrigin) -> Bool {
    if origin.hasLine {
      return origin.line == line && Self.isEnd(file, of: trace.text(origin.file))
    }
    guard let places, !origin.isEmpty, case .source(let source) = places.place(of: origin) else {
      return false
    }
    return source.line == line && Self.isEnd(file, of: source.file)
  }

  static func isEnd(_ end: String, of path: String) -> Bool {
    path == end || path.hasSuffix("/" + end) || end.hasSuffix("/" + path)
  }

  static func isPath(_ path: String, of key: String) -> Bool {
    path == key || path.hasSuffix("." + key)
  }
}

/// An observation that is asked about, and what was found of it so far.
private struct Watch {
  /// Its parts.
  var registrations: [TraceRegistration]
  var found: [TraceWhyNot.Reason: (count: Int, event: UInt64)] = [:]
  var told = 0
  var lastTold: UInt64 = 0
  /// Changes of its key that it has not been told of, as long as their observers are being told.
  var untold: Set<UInt64> = []
  /// Changes that a transaction holds, and handlers that are on their way.
  var held: Set<UInt64> = []
  var sent: Set<UInt64> = []

  /// Parts of one observation are watched as one.
  static func observations(_ registrations: [TraceRegistration], _ trace: Trace) -> [Watch] {
    var watches: [Watch] = []
    var places: [UInt64: Int] = [:]
    for registration in registrations {
      if let place = places[registration.observation] {
        watches[place].registrations.append(registration)
      } else {
        if registration.observation != 0 { places[registration.observation] = watches.count }
        watches.append(Watch(registrations: [registration]))
      }
    }
    return watches
  }

  mutating func find(_ reason: TraceWhyNot.Reason, _ event: UInt64) {
    let known = found[reason] ?? (0, event)
    found[reason] = (known.count + 1, known.event)
  }
}

private struct WhyNotReading {
  private let trace: Trace
  private var watches: [Watch]
  private var course = TraceCourse()
  private var refused: [UInt64] = []

  init(_ trace: Trace, _ watches: [Watch]) {
    self.trace = trace
    self.watches = watches
  }

  mutating func take(_ event: TraceEvent, isRefusalHere: Bool) {
    course.take(event)
    settleEnded()
    switch event.kind {
    case .didChange: for place in watches.indices { change(event, place) }
    case .ivarWritten: for place in watches.indices { write(event, place) }
    case .observerRefused: if isRefusalHere { refused.append(event.id) }
    case .notification, .changeHeld, .changeMuted, .handlerSent, .handlerArrived:
      for place in watches.indices where isAbout(event, watches[place]) { tell(event, place) }
    default: break
    }
  }

  private func isAbout(_ event: TraceEvent, _ watch: Watch) -> Bool {
    watch.registrations.contains {
      $0.number == event.registration && $0.object == event.object
    }
  }

  /// The first key of a path is the object's own.
  private func isOwnKey(_ event: TraceEvent, _ registration: TraceRegistration) -> Bool {
    event.name == registration.keyPath
      || trace.text(registration.keyPath).hasPrefix(trace.text(event.name) + ".")
  }

  private mutating func change(_ event: TraceEvent, _ place: Int) {
    let parts = watches[place].registrations.filter { $0.object == event.object }
    guard !parts.isEmpty else {
      if isOfSameClass(event, watches[place]) { watches[place].find(.otherObject, event.id) }
      return
    }
    let observing = parts.filter { isOwnKey(event, $0) }
    if observing.isEmpty {
      watches[place].find(.otherKey, event.id)
    } else if observing.contains(where: { $0.isThere(at: event.id) }) {
      watches[place].untold.insert(event.id)
    } else {
      let isEarly = observing.contains { event.id < $0.began }
      watches[place].find(isEarly ? .beforeItBegan : .afterItEnded, event.id)
    }
  }

  /// Whether the same key of another object of the class has changed.
  private func isOfSameClass(_ event: TraceEvent, _ watch: Watch) -> Bool {
    watch.registrations.contains {
      $0.keyPath == event.name && trace.key(of: $0).className == trace.key(of: event).className
    }
  }

  private mutating func write(_ event: TraceEvent, _ place: Int) {
    if course.frames.contains(where: { $0.event.object == event.object }) { return }
    let name = trace.text(event.name).drop { $0 == "_" }
    let isOfKey = watches[place].registrations.contains {
      $0.object == event.object && trace.text($0.keyPath) == name
    }
    if isOfKey { watches[place].find(.setInIvar, event.id) }
  }

  private mutating func tell(_ event: TraceEvent, _ place: Int) {
    // What comes while registering or before a change tells of none.
    if event.kind == .notification && !event.flags.isDisjoint(with: [.prior, .initial]) { return }
    for frame in course.frames { watches[place].untold.remove(frame.event.id) }
    switch event.kind {
    case .notification:
      watches[place].told += 1
      watches[place].lastTold = event.id
      // One notification tells of all that the transaction held.
      watches[place].held = []
    case .changeHeld: watches[place].held.insert(event.id)
    case .changeMuted: watches[place].find(.muted, event.id)
    case .handlerSent: watches[place].sent.insert(event.id)
    default: watches[place].sent.remove(event.cause)
    }
  }

  /// A change whose observers have been told, but for one, is not told to that one any more.
  private mutating func settleEnded() {
    for ended in course.ended where ended.frame.event.kind == .didChange {
      let id = ended.frame.event.id
      for place in watches.indices where watches[place].untold.remove(id) != nil {
        watches[place].find(.suppressed, id)
      }
    }
  }

  mutating func finish() -> TraceWhyNot {
    course.finish()
    settleEnded()
    for place in watches.indices {
      for id in watches[place].held.sorted() { watches[place].find(.heldAndNotReleased, id) }
      for id in watches[place].sent.sorted() { watches[place].find(.neverArrived, id) }
      let isSilent = watches[place].found.keys.allSatisfy { $0 == .otherObject || $0 == .otherKey }
      if watches[place].told == 0 && isSilent { watches[place].find(.noChange, 0) }
    }
    return TraceWhyNot(answers: watches.map(\.answer), refused: refused)
  }
}

extension Watch {
  var answer: TraceWhyNot.Answer {
    let findings = TraceWhyNot.Reason.allCases.compactMap { reason in
      found[reason].map {
        TraceWhyNot.Finding(reason: reason, count: $0.count, event: $0.event)
      }
    }
    return TraceWhyNot.Answer(
      registrations: registrations, findings: findings, told: told, lastTold: lastTold)
  }
}

extension TraceRegistration {
  fileprivate func isThere(at event: UInt64) -> Bool {
    began <= event && event <= end?.event ?? .max
  }
}
