// What becomes of a notification, as the event log is told it: that its change is held or muted, that
// its handler runs late or elsewhere, and where the program has registered.
//
// Owns:  what the core has copied of a notification, until its handler has run.
// Lives: as long as its change waits, or its handler is on its way; while nobody listens to the log
//        there is none.
// Locks: none; one thread has it at a time.
package import CIsa

/// A notification whose handler runs later, or elsewhere.
@usableFromInline
package final class LoggedNotification: @unchecked Sendable {
  // Sendable because the thread that hands it over is done with it.
  private let place = UnsafeMutablePointer<kvo_logged>.allocate(capacity: 1)

  private init(_ logged: kvo_logged) { place.initialize(to: logged) }

  deinit { place.deallocate() }

  /// Whether anybody listens to the log.
  package static var isLogOn: Bool { isa_event_kinds_wanted() != 0 }

  private static func made(_ fill: (inout kvo_logged) -> Void) -> LoggedNotification? {
    if !isLogOn { return nil }
    var logged = kvo_logged()
    fill(&logged)
    return logged.event.kind.rawValue == 0 ? nil : LoggedNotification(logged)
  }

  /// The handler of the notification that the calling thread sends runs now.
  package static func proceed() { kvo_logged_proceed() }

  /// It does not run, as it is muted.
  package static func mute() {
    if isLogOn { kvo_logged_withhold(ISA_EVENT_CHANGE_MUTED, nil) }
  }

  /// Its change is held; answers what to run the handler with then.
  package static func hold() -> LoggedNotification? {
    made { kvo_logged_withhold(ISA_EVENT_CHANGE_HELD, &$0) }
  }

  /// Its handler is to run elsewhere; answers what to run it with there.
  @usableFromInline
  package static func send() -> LoggedNotification? { made { kvo_logged_send(&$0) } }

  /// Runs a handler that was held or sent.
  package static func run(_ logged: LoggedNotification?, _ body: () -> Void) {
    guard let logged else { return body() }
    kvo_logged_begin(logged.place)
    body()
    kvo_logged_end(logged.place)
  }

  /// Tells that a value that was sent has arrived, where nobody knows when its use ends.
  @usableFromInline
  package func arrive() { kvo_logged_arrive(place) }
}

// MARK: - Which notifications may be withheld

extension LoggedNotification {
  /// Names a callback that says what becomes of its notifications, before a scope begins that may
  /// withhold them.
  package static func add(_ callback: @escaping kvo_callback) {
    withholding.withLock { _ = $0.insert(address(callback)) }
    kvo_set_withholds(mayWithhold)
  }

  /// Names those of closures, once.
  static let addClosures: Void = {
    add(receiveChange)
    add(receiveInPlace)
  }()
}

private let withholding = Locked<Set<UInt>>([])

/// Whether a notification may be held or muted on the calling thread: in a scope. An observer object
/// can be muted only.
private let mayWithhold: kvo_withholds = { callback in
  guard let scope = DeliveryScope.current else { return false }
  guard let callback else { return scope.isMuting }
  return withholding.withLock { $0.contains(address(callback)) }
}

private func address(_ callback: kvo_callback) -> UInt { unsafeBitCast(callback, to: UInt.self) }

/// Runs `body`, whose registrations the program makes at a place in its source.
@inline(__always)
package func registering<Result, Failure>(
  _ file: StaticString, _ line: UInt, _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  guard LoggedNotification.isLogOn else { return try body() }
  return try registeringLogged(file, line, body)
}

@inline(never)
private func registeringLogged<Result, Failure>(
  _ file: StaticString, _ line: UInt, _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  guard file.hasPointerRepresentation, file.utf8CodeUnitCount > 0 else { return try body() }
  let text = UnsafeRawPointer(file.utf8Start).assumingMemoryBound(to: CChar.self)
  let former = kvo_set_place(kvo_place(file: text, line: UInt32(clamping: line)))
  defer { _ = kvo_set_place(former) }
  return try body()
}

/// Runs `body` as a span of the event log, at the place where the program registers.
package func logging<Result, Failure>(
  span name: @autoclosure () -> String, _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  guard LoggedNotification.isLogOn else { return try body() }
  let name = name(), span = isa_event_begin_span(name, nil, 0)
  defer { isa_event_end_span(span, name) }
  return try body()
}
