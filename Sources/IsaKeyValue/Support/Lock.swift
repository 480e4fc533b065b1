// A mutex of the C library around one value.
//
// Foundation's locks would bring Foundation, and the standard library's need newer systems than the
// package supports.
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

/// A mutex in the memory of an object, which makes it and destroys it.
package struct Lock {
  /// The memory of one.
  package struct Storage {
    private var mutex = pthread_mutex_t()

    package init() {}
  }

  private let place: UnsafeMutablePointer<pthread_mutex_t>

  package init(at place: UnsafeMutableRawPointer) {
    self.place = place.assumingMemoryBound(to: pthread_mutex_t.self)
  }

  package func make() { pthread_mutex_init(place, nil) }
  package func destroy() { pthread_mutex_destroy(place) }
  /// Takes it, unless another thread forks: a child would find it taken by nobody.
  package func lock() {
    isa_fork_guard_begin()
    pthread_mutex_lock(place)
  }

  package func unlock() {
    pthread_mutex_unlock(place)
    isa_fork_guard_end()
  }
}

/// A value that one thread at a time may touch.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
  // Sendable because `value` is reached under `mutex` only; which is why no access need be checked.
  // The mutex stands first, where it is reached by its address.
  private var storage = Lock.Storage()
  @exclusivity(unchecked) @usableFromInline var value: Value

  package init(_ value: consuming Value) {
    self.value = value
    mutex.make()
  }

  deinit { mutex.destroy() }

  private var mutex: Lock { Lock(at: _getUnsafePointerToStoredProperties(self)) }

  /// Runs `body` on the value; `body` calls nobody's code.
  @inlinable
  package func withLock<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body(&value)
  }

  @usableFromInline
  func lock() { mutex.lock() }

  @usableFromInline
  func unlock() { mutex.unlock() }
}

/// Lets another thread run; a thread that has waited for many rounds sleeps between them.
func yieldThread(_ round: Int) {
  if round < 100 { sched_yield() } else { usleep(200) }
}

/// Prints one line to standard error.
func printError(_ line: String) {
  // The C library's `stderr` is a variable that Swift 6 does not let a function touch.
  _ = Array((line + "\n").utf8).withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}
