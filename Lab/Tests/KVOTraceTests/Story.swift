import KVOTrace

/// A trace that a test tells event by event, as the recorder would write it. Ids and times are given
/// in turn; what is structure goes into structure.
struct Story {
  var builder = TraceBuilder()
  var lastID: UInt64 = 0
  var time: UInt64 = 1_000_000
  var thread: UInt64 = 1
  private var alive: Set<UInt64> = []
  private static let structure: Set<TraceEventKind> = [
    .observerAdded, .observerRemoved, .isaSwapped, .deallocated,
  ]

  /// Nanoseconds go by.
  mutating func wait(_ nanoseconds: UInt64) { time += nanoseconds }

  @discardableResult
  mutating func tell(_ kind: TraceEventKind, _ change: (inout BuiltEvent) -> Void) -> UInt64 {
    lastID += 1
    time += 1
    var event = BuiltEvent(kind: kind, id: lastID, time: time, thread: thread)
    change(&event)
    let isStructure = Self.structure.contains(kind) || (kind == .spanBegan && !event.file.isEmpty)
    builder.event(event, stream: isStructure ? 0 : UInt32(thread))
    return lastID
  }

  /// An object that is first seen at the next event.
  mutating func object(_ address: UInt64, _ className: String) {
    builder.object(address, className, first: lastID + 1)
  }

  @discardableResult
  mutating func observe(
    _ object: UInt64, _ keyPath: String, _ number: UInt64, line: UInt64? = nil,
    stack: UInt64? = nil,
    cause: UInt64 = 0
  ) -> UInt64 {
    tell(.observerAdded) {
      ($0.object, $0.name, $0.registration, $0.cause) = (object, keyPath, number, cause)
      ($0.observer, $0.callback, $0.line, $0.stack) = (0x9000 + number * 16, 0x5000, line, stack)
      $0.file = line == nil ? "" : "App/Cart.swift"
    }
  }

  mutating func end(
    _ object: UInt64, _ keyPath: String, _ number: UInt64, _ reason: TraceRemovalReason = .byCall
  ) {
    tell(.observerRemoved) {
      ($0.object, $0.name, $0.registration, $0.reason) = (object, keyPath, number, reason)
    }
  }

  @discardableResult
  mutating func change(_ object: UInt64, _ key: String, cause: UInt64 = 0) -> UInt64 {
    tell(.didChange) { ($0.object, $0.name, $0.cause) = (object, key, cause) }
  }

  /// An event about a registration, such as a notification.
  @discardableResult
  mutating func about(
    _ kind: TraceEventKind, _ object: UInt64, _ keyPath: String, _ number: UInt64, cause: UInt64,
    _ value: Int64? = nil, old: Int64? = nil
  ) -> UInt64 {
    tell(kind) {
      ($0.object, $0.name, $0.registration, $0.cause) = (object, keyPath, number, cause)
      ($0.value, $0.oldValue) = (value.map { .integer($0) }, old.map { .integer($0) })
    }
  }

  /// A notification whose handler takes so many nanoseconds.
  @discardableResult
  mutating func notify(
    _ object: UInt64, _ keyPath: String, _ number: UInt64, cause: UInt64, takes: UInt64 = 0,
    _ value: Int64? = nil, old: Int64? = nil
  ) -> UInt64 {
    let id = about(.notification, object, keyPath, number, cause: cause, value, old: old)
    wait(takes)
    about(.notificationEnded, object, keyPath, number, cause: id)
    return id
  }

  func trace() throws -> Trace { try builder.trace() }
}
