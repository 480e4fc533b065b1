// The work that a thread is in: the key path that it follows, the hook whose refusal it waits for.
//
// Owns:  a Swift object a thread and slot, held while its scope lasts.
// Locks: none; each slot is its thread's own.

/// A variable of which each thread has its own.
@usableFromInline
package struct ThreadSlot<Value: AnyObject>: @unchecked Sendable {
  @usableFromInline let purpose: ThreadKey.Purpose

  package init(_ purpose: ThreadKey.Purpose) { self.purpose = purpose }

  /// The calling thread's object.
  @inlinable
  package var current: Value? {
    ThreadKey.pointer(for: purpose).map { Unmanaged<Value>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Runs `body` with `value` as the calling thread's object.
  @inlinable
  package func with<Result, Failure>(
    _ value: Value?, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = ThreadKey.exchange(purpose, value.map { Unmanaged.passUnretained($0).toOpaque() })
    defer {
      _ = ThreadKey.exchange(purpose, outer)
      withExtendedLifetime(value) {}
    }
    return try body()
  }
}
