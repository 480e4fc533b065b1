// The work that a thread is in: the key path that it follows, the hook whose refusal it waits for.
//
// Owns:  a Swift object a thread and slot, held while its scope lasts.
// Locks: none; each slot is its thread's own.
internal import CIsa

/// A variable of which each thread has its own.
@usableFromInline
package struct ThreadSlot<Value: AnyObject>: @unchecked Sendable {
  @usableFromInline let key: ThreadKey

  package init(_ purpose: ThreadKey.Purpose) { key = ThreadKey(purpose) }

  /// The calling thread's object.
  @inlinable
  package var current: Value? {
    key.pointer.map { Unmanaged<Value>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs `body` with `value` as the calling thread's object.
  @inlinable
  package func with<Result, Failure>(
    _ value: Value?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = key.pointer
    key.pointer = value.map { Unmanaged.passUnretained($0).toOpaque() }
    defer {
      key.pointer = outer
      withExtendedLifetime(value) {}
    }
    return try body()
  }
}

/// The number that tells the calling thread from all others that run.
package func currentThread() -> UInt {
  if let mark = threadMark.pointer { return UInt(bitPattern: mark) }
  let mark = Unmanaged.passRetained(ThreadMark()).toOpaque()
  threadMark.pointer = mark
  return UInt(bitPattern: mark)
}

/// A thread's own object, whose identity is the thread's.
private final class ThreadMark {}

private let threadMark = ThreadKey(.mark) { Unmanaged<ThreadMark>.fromOpaque($0!).release() }
