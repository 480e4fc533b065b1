/// What an event tells, by the number that `isa_event_kind` in `isa_event.h` has for it.
///
/// A number without a constant here belongs to a later recorder; its event has the same fields.
package struct TraceEventKind: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let classAllocated = TraceEventKind(rawValue: 1)
  package static let classRegistered = TraceEventKind(rawValue: 2)
  package static let classDisposed = TraceEventKind(rawValue: 3)
  package static let methodAdded = TraceEventKind(rawValue: 4)
  package static let methodReplaced = TraceEventKind(rawValue: 5)
  package static let objectAllocated = TraceEventKind(rawValue: 6)
  package static let isaSwapped = TraceEventKind(rawValue: 7)
  package static let message = TraceEventKind(rawValue: 8)
  package static let wrapperEntered = TraceEventKind(rawValue: 9)
  package static let wrapperLeft = TraceEventKind(rawValue: 10)
  package static let willChange = TraceEventKind(rawValue: 11)
  package static let didChange = TraceEventKind(rawValue: 12)
  package static let notification = TraceEventKind(rawValue: 13)
  package static let observerAdded = TraceEventKind(rawValue: 14)
  package static let observerRemoved = TraceEventKind(rawValue: 15)
  package static let weakCleared = TraceEventKind(rawValue: 16)
  package static let deallocated = TraceEventKind(rawValue: 17)
  package static let misuse = TraceEventKind(rawValue: 18)
  package static let originalCalled = TraceEventKind(rawValue: 19)
  package static let originalReturned = TraceEventKind(rawValue: 20)
  package static let ivarWritten = TraceEventKind(rawValue: 21)
  package static let valueRead = TraceEventKind(rawValue: 22)
  package static let dependentReached = TraceEventKind(rawValue: 23)
  package static let notificationEnded = TraceEventKind(rawValue: 24)
  package static let changeHeld = TraceEventKind(rawValue: 25)
  package static let changeMuted = TraceEventKind(rawValue: 26)
  package static let handlerSent = TraceEventKind(rawValue: 27)
  package static let handlerArrived = TraceEventKind(rawValue: 28)
  package static let handlerEnded = TraceEventKind(rawValue: 29)
  package static let spanBegan = TraceEventKind(rawValue: 30)
  package static let spanEnded = TraceEventKind(rawValue: 31)
  package static let observerRefused = TraceEventKind(rawValue: 32)
  package static let transactionBegan = TraceEventKind(rawValue: 33)
  package static let transactionEnded = TraceEventKind(rawValue: 34)
  package static let mark = TraceEventKind(rawValue: 35)

  /// The recorder's names, by number; the first is of no event.
  private static let names = [
    "", "class-allocated", "class-registered", "class-disposed", "method-added",
    "method-replaced", "object-allocated", "isa-swapped", "message", "wrapper-entered",
    "wrapper-left", "will-change", "did-change", "notification", "observer-added",
    "observer-removed", "weak-cleared", "deallocated", "misuse", "original-called",
    "original-returned", "ivar-written", "value-read", "dependent-reached",
    "notification-ended", "change-held", "change-muted", "handler-sent", "handler-arrived",
    "handler-ended", "span-began", "span-ended", "observer-refused", "transaction-began",
    "transaction-ended", "mark",
  ]

  /// Whether this version of the reader knows the kind.
  package var isKnown: Bool { rawValue > 0 && Int(rawValue) < Self.names.count }

  /// All known kinds, by number.
  package static var known: [TraceEventKind] {
    (1..<names.count).map { TraceEventKind(rawValue: UInt8($0)) }
  }
}

extension TraceEventKind: CustomStringConvertible {
  /// The recorder's name, such as `did-change`; of an unknown kind `kind-` and its number.
  package var description: String { isKnown ? Self.names[Int(rawValue)] : "kind-\(rawValue)" }
}
