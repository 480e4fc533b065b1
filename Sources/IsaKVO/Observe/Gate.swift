// A gate that one thread at a time goes through, and another may close and wait at.
//
// Owns:      a mutex and a condition of the C library.
// Locks:     the mutex, for a moment; code inside the gate runs without it.
// Invariant: once `close` has returned, nobody enters.

internal import IsaKeyValue

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Darwin
#endif

/// A gate.
final class Gate: @unchecked Sendable {
  // Sendable because `isClosed` and `visitor` are reached under `mutex` only.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let left: UnsafeMutablePointer<pthread_cond_t>
  private var closed = false
  private var visitor: UInt?

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    left = .allocate(capacity: 1)
    left.initialize(to: pthread_cond_t())
    pthread_cond_init(left, nil)
  }

  deinit {
    pthread_cond_destroy(left)
    left.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Whether the gate was closed.
  var isClosed: Bool { withLock { closed } }

  /// Goes in, unless the gate is closed.
  func enter() -> Bool {
    let thread = currentThread()
    return withLock {
      if closed { return false }
      visitor = thread
      return true
    }
  }

  /// Goes out.
  func leave() {
    withLock {
      visitor = nil
      pthread_cond_broadcast(left)
    }
  }

  /// Lets nobody in any more.
  func close() { withLock { closed = true } }

  /// The same, and waits until nobody is inside but the calling thread.
  func closeAndWait() {
    let thread = currentThread()
    withLock {
      closed = true
      while let visitor, visitor != thread { pthread_cond_wait(left, mutex) }
    }
  }
}
