import CIsa
import Foundation
import Testing

/// An event of the log, its texts copied.
struct LoggedEvent: Sendable {
  let id, cause: UInt64
  let kind: String
  let flags: UInt32
  let count: UInt64
  let reason: isa_removal_reason
  let name: String
}

/// Has `sink` called for all events from here on.
func listen(
  _ sink: @escaping isa_event_sink, _ context: UnsafeMutableRawPointer? = nil
) -> isa_event_listener {
  var listener: isa_event_listener = 0
  #expect(isa_event_add_listener(.max, sink, context, &listener) == ISA_OK)
  return listener
}

/// Runs `body` and answers with the events that were reported meanwhile.
func recordEvents(_ body: () throws -> Void) rethrows -> [LoggedEvent] {
  let log = EventCollector()
  let sink: isa_event_sink = { event, context in
    Unmanaged<EventCollector>.fromOpaque(context!).takeUnretainedValue().add(event!.pointee)
  }
  let listener = listen(sink, Unmanaged.passUnretained(log).toOpaque())
  defer { isa_event_remove_listener(listener) }
  try body()
  return log.events
}

extension [LoggedEvent] {
  /// The events' kinds, each with the kind of its cause: `notification < did-change`.
  var story: [String] {
    let kinds = Dictionary(uniqueKeysWithValues: map { ($0.id, $0.kind) })
    return map { event in kinds[event.cause].map { "\(event.kind) < \($0)" } ?? event.kind }
  }
}

private final class EventCollector: @unchecked Sendable {
  private let lock = NSLock()
  private var collected: [LoggedEvent] = []

  var events: [LoggedEvent] { lock.withLock { collected } }

  func add(_ event: isa_event) {
    let logged = LoggedEvent(
      id: event.id, cause: event.cause, kind: String(cString: isa_event_kind_name(event.kind)),
      flags: event.flags, count: event.count, reason: event.reason,
      name: event.name.map { String(cString: $0) } ?? "")
    lock.withLock { collected.append(logged) }
  }
}
