import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct EventTests {
  @Test("every kind has a name of its own")
  func names() {
    let names = (1...34).map { String(cString: isa_event_kind_name(isa_event_kind(UInt32($0)))) }
    #expect(!names.contains("unknown"))
    #expect(Set(names).count == names.count)
    #expect(String(cString: isa_event_kind_name(isa_event_kind(0))) == "unknown")
  }

  @Test("without a sink nothing is reported")
  func noSink() {
    #expect(!isa__event_on())
    #expect(report(ISA_EVENT_MESSAGE) == 0)
  }

  @Test("ids go on from one sink to the next")
  func numbering() {
    var last: UInt64 = 0
    for _ in 0..<2 {
      let log = EventLog()
      report(ISA_EVENT_MESSAGE)
      report(ISA_EVENT_DEALLOCATED)
      log.end()
      #expect(log.events.map(\.kind) == [ISA_EVENT_MESSAGE, ISA_EVENT_DEALLOCATED])
      #expect(log.events[0].id > last)
      #expect(log.events[1].id == log.events[0].id + 1)
      last = log.events[1].id
    }
  }

  @Test("what happens between begin and end has the event as its cause")
  func causes() {
    let log = EventLog()
    report(ISA_EVENT_MESSAGE)
    let outside = begin(ISA_EVENT_WILL_CHANGE)
    let between = begin(ISA_EVENT_NOTIFICATION)
    report(ISA_EVENT_MESSAGE)
    isa__event_end(between)
    report(ISA_EVENT_MESSAGE)
    isa__event_end(outside)
    report(ISA_EVENT_MESSAGE)
    log.end()
    let first = log.events[0].id
    #expect(log.events.map { $0.cause == 0 ? 0 : $0.cause - first } == [0, 0, 1, 2, 1, 0])
  }

  @Test("an event names its thread")
  func threads() {
    let log = EventLog()
    report(ISA_EVENT_MESSAGE)
    onThreads(1) { _ in report(ISA_EVENT_MESSAGE) }
    report(ISA_EVENT_MESSAGE)
    log.end()
    let threads = log.events.map(\.thread)
    #expect(threads[0] == threads[2])
    #expect(threads[0] != threads[1])
    #expect(threads.allSatisfy { $0 > 0 })
  }

  @Test("events that a thread holds back are reported when it flushes them, in their order")
  func holding() {
    let log = EventLog(), queue = UnsafeMutablePointer<isa__event_queue>.allocate(capacity: 1)
    defer { queue.deallocate() }
    isa__event_hold(queue)
    #expect(report(ISA_EVENT_MESSAGE) == 0)
    report(ISA_EVENT_DEALLOCATED)
    #expect(log.events.isEmpty)
    isa__event_flush(queue)
    report(ISA_EVENT_MISUSE)
    log.end()
    let kinds = [ISA_EVENT_MESSAGE, ISA_EVENT_DEALLOCATED, ISA_EVENT_MISUSE]
    #expect(log.events.map(\.kind) == kinds)
    #expect(zip(log.events, log.events.dropFirst()).allSatisfy { $0.id < $1.id })
  }

  @Test("what the listener itself does is not reported")
  func recursion() {
    let log = EventLog { _ in #expect(report(ISA_EVENT_MESSAGE) == 0) }
    report(ISA_EVENT_MESSAGE)
    log.end()
    #expect(log.events.count == 1)
  }

  @Test("a listener may end itself")
  func clearing() {
    let log = EventLog { $0.end() }
    report(ISA_EVENT_MESSAGE)
    report(ISA_EVENT_MESSAGE)
    #expect(log.events.count == 1)
    #expect(!isa__event_on())
    log.end()
  }

  @Test("making, changing and disposing of a class is reported")
  func classEvents() throws {
    let log = EventLog()
    var pair: ClassPair? = try ClassPair("Reported")
    try pair!.add("answer", answering: 1)
    try check(
      isa_class_replace_method(pair!.cls, selector("answer"), imp(answering: 2), "q@:", nil))
    pair = nil
    log.end()
    #expect(
      log.events.map(\.kind) == [
        ISA_EVENT_CLASS_ALLOCATED, ISA_EVENT_CLASS_REGISTERED, ISA_EVENT_METHOD_ADDED,
        ISA_EVENT_METHOD_REPLACED, ISA_EVENT_CLASS_DISPOSED,
      ])
    #expect(log.events.last?.name == "Reported")
  }
}

/// Collects events until `end`.
private final class EventLog {
  struct Event {
    let id, cause, thread: UInt64
    let kind: isa_event_kind
    let name: String?
  }

  private(set) var events: [Event] = []
  private let react: (EventLog) -> Void
  private var listener: isa_event_listener = 0

  init(react: @escaping (EventLog) -> Void = { _ in }) {
    self.react = react
    let sink: isa_event_sink = { event, context in
      Unmanaged<EventLog>.fromOpaque(context!).takeUnretainedValue().receive(event!.pointee)
    }
    listener = listen(sink, Unmanaged.passUnretained(self).toOpaque())
  }

  private func receive(_ event: isa_event) {
    let name = event.name.map { String(cString: $0) }
    events.append(
      Event(id: event.id, cause: event.cause, thread: event.thread, kind: event.kind, name: name))
    react(self)
  }

  func end() { isa_event_remove_listener(listener) }
}

@discardableResult
private func report(_ kind: isa_event_kind) -> UInt64 {
  var event = isa_event()
  event.kind = kind
  return isa__event_report(&event)
}

private func begin(_ kind: isa_event_kind) -> UInt64 {
  var event = isa_event()
  event.kind = kind
  return isa__event_begin(&event)
}
