// Pointers of which each thread has its own.
//
// Owns:  nothing; the memory at a pointer is its user's.
// Locks: none; each thread reaches its own pointers only.
// A pointer that each change needs is reached by code inlined into the modules above, hence the
// public import.
public import CSwiftRuntime

/// A pointer of which each thread has its own, nil at first.
@usableFromInline
package struct ThreadKey: Sendable {
  /// The uses of such pointers.
  @usableFromInline
  package enum Purpose: Int, Sendable {
    case scope, answer, refusal, sending, asking, setting, binding, tracking
    case listening, naming, accessing
  }

  @usableFromInline let number: Int

  /// - Parameter end: Called with a thread's pointer, unless it is nil, when the thread ends.
  package init(_ purpose: Purpose, end: (@convention(c) (UnsafeMutableRawPointer?) -> Void)? = nil)
  {
    number = purpose.rawValue
    swift_runtime_end_slot(number, end)
  }

  /// The calling thread's pointer.
  @inlinable
  package var pointer: UnsafeMutableRawPointer? {
    get { swift_runtime_slot(number) }
    nonmutating set { _ = swift_runtime_set_slot(number, newValue) }
  }

  /// Replaces the calling thread's pointer for a purpose, with which nothing is to happen when the
  /// thread ends; answers the former pointer.
  @inlinable @inline(__always)
  package static func exchange(
    _ purpose: Purpose, _ pointer: UnsafeMutableRawPointer?
  ) -> UnsafeMutableRawPointer? {
    swift_runtime_exchange_slot(purpose.rawValue, pointer)
  }

  /// The calling thread's pointer for a purpose, set by anybody.
  @inlinable @inline(__always)
  package static func pointer(for purpose: Purpose) -> UnsafeMutableRawPointer? {
    swift_runtime_slot(purpose.rawValue)
  }
}

/// Whether no tracking but the library's own has begun since this listens to what the thread reads.
@inlinable @inline(__always)
package func listensItself() -> Bool {
  swift_runtime_looked_at_word() == ThreadKey.pointer(for: .listening)
}

/// False where Swift's Observation tracks nothing that the calling thread reads; true where it may.
@inlinable @inline(__always)
package func mayBeTracked() -> Bool { swift_runtime_may_track() }

/// The number that tells the calling thread from all others that run.
@inlinable @inline(__always)
package func currentThread() -> UInt { UInt(bitPattern: swift_runtime_this_thread()) }
