/// The registrations that are there, while one goes through the events of a trace in order.
struct LiveRegistrations {
  /// The object is 0, but of shared observers, which have one number on many objects.
  private struct Place: Hashable {
    let number: UInt64
    let object: UInt64
  }

  private var live: [Place: TraceRegistration] = [:]
  /// Those whose number is not known.
  private var unnumbered: [TraceRegistration] = []
  /// Those whose object is seen later: the one that is seen first is the last.
  private var unseen: [TraceRegistration]

  init(_ earlier: [TraceRegistration]) { unseen = earlier.sorted { $0.seen > $1.seen } }

  /// Goes on to the event of that id: those whose object is seen until then are there.
  mutating func reach(_ id: UInt64) {
    while let next = unseen.last, next.seen <= id { add(unseen.removeLast()) }
  }

  private static func place(
    _ number: UInt64, _ object: UInt64, _ flags: TraceFlags
  ) -> Place {
    Place(number: number, object: flags.contains(.shared) ? object : 0)
  }

  private mutating func add(_ registration: TraceRegistration) {
    if registration.number == 0 {
      unnumbered.append(registration)
      return
    }
    live[Self.place(registration.number, registration.object, registration.flags)] = registration
  }

  /// Goes on by an event of the kind `observerAdded`, which is the last of the course.
  mutating func begin(_ event: TraceEvent, in course: TraceCourse, of trace: Trace) {
    let registration = course.registration(event)
    // Forwarders have no place of their own.
    let isPlaced = registration.origin.hasLine || registration.isForwarder
    add(isPlaced ? registration : trace.placed(registration))
  }

  /// Goes on by an event of the kind `observerRemoved`. Returns the registration that has ended.
  mutating func end(_ event: TraceEvent) -> TraceRegistration {
    var registration =
      endNumbered(event) ?? endUnnumbered(event) ?? TraceRegistration(ending: event)
    registration.end = TraceRegistration.End(
      event: event.id, time: event.time, reason: event.reason)
    return registration
  }

  /// A forwarder that moves may begin on the next object before it ends on the last one.
  private mutating func endNumbered(_ event: TraceEvent) -> TraceRegistration? {
    let place = Self.place(event.registration, event.object, event.flags)
    guard let registration = live[place], registration.object == event.object else { return nil }
    live[place] = nil
    return registration
  }

  private mutating func endUnnumbered(_ event: TraceEvent) -> TraceRegistration? {
    unnumbered.firstIndex {
      $0.object == event.object && $0.keyPath == event.name && $0.observer == event.observer
    }.map { unnumbered.remove(at: $0) }
  }

  /// Goes on by an event of the kind `deallocated`.
  mutating func forget(object: UInt64) {
    if !unnumbered.isEmpty { unnumbered.removeAll { $0.object == object } }
  }

  /// The registration that the event is about.
  func registration(of event: TraceEvent) -> TraceRegistration? {
    live[Self.place(event.registration, event.object, event.flags)]
  }

  /// All, in the order in which they began.
  var all: [TraceRegistration] {
    (unnumbered + live.values).sorted { ($0.seen, $0.number) < ($1.seen, $1.number) }
  }
}

extension TraceRegistration {
  /// A registration of which only its end's event tells.
  fileprivate init(ending event: TraceEvent) {
    self.init(event)
    (began, beganTime, thread, cause) = (0, 0, 0, 0)
  }
}
