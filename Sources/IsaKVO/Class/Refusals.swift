// The state of a thread inside the code of a class that overrides KVObject's methods: the hook
// whose refusal it waits for, and the messages that it is sending.
//
// Owns:  a Swift object a thread and slot, held while its scope lasts.
// Locks: none; each slot is its thread's own.

internal import CIsa
package import IsaKeyValue

// MARK: - Refusals

/// The refusal of a hook, under Apple's names, that has no error to throw.
private final class Refusal {
  /// The object whose message the thread is in; nil for a hook.
  let object: isa_id?
  var error: KeyValueError?

  init(_ object: isa_id?) { self.object = object }
}

private let refusals = ThreadSlot<Refusal>(.refusal)

/// Runs a hook; the refusal at its end of the chain becomes the status.
///
/// - Parameter object: That of the message, if the hook is an override of one.
func withRefusals(of object: isa_id? = nil, _ hook: () -> isa_status) -> isa_status {
  let refusal = Refusal(object)
  let status = refusals.with(refusal, hook)
  return refusal.error?.fail() ?? status
}

/// Refuses: the call that led to the hook fails, or where there is none, it is a misuse.
package func refuse(_ error: KeyValueError) {
  guard let refusal = refusals.current else {
    return isa_report_misuse(error.code.status, error.exceptionName, error.reason)
  }
  refusal.error = error
}

/// Refuses, if the calling thread is in a message that the core sent to the object.
func refuseInMessage(to object: KVObject, _ error: KeyValueError) -> Bool {
  guard let refusal = refusals.current, let id = refusal.object, id == object.adoptedID else {
    return false
  }
  refusal.error = error
  return true
}

/// Runs an override of a message that the core sends to an object.
func statusOf(messageTo object: isa_id?, _ body: () throws -> Void) -> isa_status {
  withRefusals(of: object) { statusOf(body) }
}

// MARK: - Messages under way

/// A message to an object, as far as it tells one call from another.
struct Message: Hashable {
  let name: String
  let object: ObjectIdentifier
  let key: String
  let observer: ObjectIdentifier?
  let context: UInt
}

/// A message that a thread is sending, and the messages that it was sending already.
private final class Sending {
  let message: Message
  let outer: Sending?

  init(_ message: Message, _ outer: Sending?) {
    self.message = message
    self.outer = outer
  }

  func contains(_ message: Message) -> Bool {
    self.message == message || outer?.contains(message) ?? false
  }
}

private let sending = ThreadSlot<Sending>(.sending)

/// Runs `send`, during which the calling thread is sending the message; `end` if it is already.
func withMessage<Result, Failure>(
  _ message: Message, _ send: () throws(Failure) -> Result, end: () throws(Failure) -> Result
) throws(Failure) -> Result {
  let outer = sending.current
  if let outer, outer.contains(message) { return try end() }
  return try sending.with(Sending(message, outer), send)
}
