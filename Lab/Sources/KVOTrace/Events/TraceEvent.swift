/// The number of a text of the trace; 0 is the empty text. `Trace.text(_:)` has the text.
package typealias TextNumber = UInt32

/// One event. A field that its record leaves out is 0, or nil for a value.
///
/// Addresses are names: they are of the traced process, and several objects may have had one after
/// the other. `Trace.object(_:at:)` says which object it was.
package struct TraceEvent: Hashable, Sendable {
  /// In the order of the process, from 1 on.
  package var id: UInt64 = 0
  /// The id of the event that this one happened in, or that has led to it; 0: none. It need not be
  /// in the trace.
  package var cause: UInt64 = 0
  /// In nanoseconds of the clock of `TraceHeader.startTime`.
  package var time: UInt64 = 0
  /// 1, 2, 3, … in the order in which threads came to the runtime.
  package var thread: UInt64 = 0
  /// The address of the object that the event is about.
  package var object: UInt64 = 0
  /// The registration's number, never used again in the process.
  package var registration: UInt64 = 0
  /// Of a forwarder: the number of the registration that it serves.
  package var serves: UInt64 = 0
  /// The address of an observer object, or of a function observer's info.
  package var observer: UInt64 = 0
  /// The address of a function observer's code.
  package var callback: UInt64 = 0
  /// The address of a method's code.
  package var implementation: UInt64 = 0
  package var count: UInt64 = 0
  package var flags: TraceFlags = []
  package var kind = TraceEventKind(rawValue: 0)
  /// Why a registration ended, in `observerRemoved`.
  package var reason: TraceRemovalReason?
  /// `isa_status`, of a misuse or refusal.
  package var status: UInt32 = 0
  /// In `file`, from 1 on.
  package var line: UInt32 = 0
  /// The number of the calls that have led to the event; 0: not recorded.
  package var stack: UInt32 = 0
  /// Key, key path, name of an ivar, type encoding or sentence, as the kind has it.
  package var name: TextNumber = 0
  package var className: TextNumber = 0
  package var otherClass: TextNumber = 0
  package var selector: TextNumber = 0
  package var key: TextNumber = 0
  /// The source file as the compiler names it.
  package var file: TextNumber = 0
  /// The value, or the value after the change.
  package var value: TraceValue?
  /// The value before the change.
  package var oldValue: TraceValue?

  package init() {}
}

/// Facts about an event, and a registration's options.
package struct TraceFlags: OptionSet, Hashable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Of a notification: it comes before the change.
  package static let prior = TraceFlags(rawValue: 1)
  /// Of a notification: it comes while registering.
  package static let initial = TraceFlags(rawValue: 2)
  /// Of a registration: the change carries the value after it.
  package static let newOption = TraceFlags(rawValue: 1)
  /// Of a registration: the change carries the value before it.
  package static let oldOption = TraceFlags(rawValue: 2)
  /// Of a registration: one notification before the registering call returns.
  package static let initialOption = TraceFlags(rawValue: 4)
  /// Of a registration: one more notification, before each change.
  package static let priorOption = TraceFlags(rawValue: 8)
  /// The registration serves one of another object, or of another key.
  package static let forwarder = TraceFlags(rawValue: 256)
  /// The value is the old value.
  package static let old = TraceFlags(rawValue: 512)
  /// The wrapper is a libffi closure.
  package static let closure = TraceFlags(rawValue: 1024)
  /// The registration belongs to shared observers, and to many objects.
  package static let shared = TraceFlags(rawValue: 2048)
}

/// Why a registration ended.
package enum TraceRemovalReason: UInt8, Hashable, Sendable {
  /// A call removed it, or its token ended.
  case byCall = 1
  /// Its observer was deallocated.
  case observerDied = 2
  /// The observed object was deallocated.
  case objectDied = 3
}
