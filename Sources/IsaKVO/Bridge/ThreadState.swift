// What a thread is about: the key path that it follows, the hook whose refusal it waits for.
//
// Owns:  a Swift object a thread and slot, held while its scope lasts.
// Locks: none; each slot is its thread's own.
internal import CIsa

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Darwin
#endif

/// A variable of which each thread has its own.
struct ThreadSlot<Value: AnyObject>: @unchecked Sendable {
  private let key: pthread_key_t

  init() {
    var key = pthread_key_t()
    guard pthread_key_create(&key, nil) == 0 else {
      fatalError("IsaKVO: the system has no thread-local storage left")
    }
    self.key = key
  }

  /// The calling thread's object.
  var current: Value? {
    pthread_getspecific(key).map { Unmanaged<Value>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs `body` with `value` as the calling thread's object.
  func with<Result, Failure>(
    _ value: Value?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, value.map { Unmanaged.passUnretained($0).toOpaque() })
    defer {
      pthread_setspecific(key, outer)
      withExtendedLifetime(value) {}
    }
    return try body()
  }
}

// MARK: - Refusals

/// What a hook that has no error to throw refused.
private final class Refusal {
  var status = ISA_OK
  var reason = ""
}

private let refusals = ThreadSlot<Refusal>()

/// Runs a hook; what its end of the chain refused becomes the status.
func withRefusals(_ hook: () -> isa_status) -> isa_status {
  let refusal = Refusal()
  let status = refusals.with(refusal, hook)
  return refusal.status == ISA_OK ? status : isa_fail(refusal.status, nil, refusal.reason)
}

/// Refuses: the call that led to the hook fails, or where there is none, it is a misuse.
func refuse(_ status: isa_status, _ reason: String) {
  guard let refusal = refusals.current else { return isa_report_misuse(status, nil, reason) }
  refusal.status = status
  refusal.reason = reason
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

/// A message that a thread is sending, and those that it was sending already.
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

private let sending = ThreadSlot<Sending>()

/// Runs `send`, during which the calling thread is sending the message; `end` if it is already.
func withMessage<Result, Failure>(
  _ message: Message, _ send: () throws(Failure) -> Result, end: () throws(Failure) -> Result
) throws(Failure) -> Result {
  let outer = sending.current
  if let outer, outer.contains(message) { return try end() }
  return try sending.with(Sending(message, outer), send)
}

/// What tells the calling thread from all others that run.
func currentThread() -> UInt { UInt(bitPattern: ObjectIdentifier(threadMark.get())) }

/// A thread's own object, whose identity is the thread's.
private final class ThreadMark {}

private let threadMark = ThreadMarks()

private struct ThreadMarks: @unchecked Sendable {
  private let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { Unmanaged<ThreadMark>.fromOpaque($0!).release() }
    return key
  }()

  func get() -> ThreadMark {
    if let mark = pthread_getspecific(key) {
      return Unmanaged<ThreadMark>.fromOpaque(mark).takeUnretainedValue()
    }
    let mark = ThreadMark()
    pthread_setspecific(key, Unmanaged.passRetained(mark).toOpaque())
    return mark
  }
}
