// Pointers of which each thread has its own.
//
// Owns:  nothing; what a pointer leads to is its user's.
// Locks: none; each thread reaches its own pointers only.
internal import CSwiftMemory

/// A pointer of which each thread has its own, nil at first.
struct ThreadKey: Sendable {
  /// What there are pointers for.
  enum Purpose: Int, Sendable {
    case scope, answer, refusal, sending, mark, asking
  }

  private let number: Int

  /// - Parameter end: Called with a thread's pointer, unless it is nil, when the thread ends.
  init(_ purpose: Purpose, end: (@convention(c) (UnsafeMutableRawPointer?) -> Void)? = nil) {
    number = purpose.rawValue
    swift_memory_end_slot(number, end)
  }

  /// The calling thread's pointer.
  var pointer: UnsafeMutableRawPointer? {
    get { swift_memory_slot(number) }
    nonmutating set { _ = swift_memory_set_slot(number, newValue) }
  }

  /// The calling thread's pointer for a purpose, whoever sets it.
  @inline(__always)
  static func pointer(for purpose: Purpose) -> UnsafeMutableRawPointer? {
    swift_memory_slot(purpose.rawValue)
  }
}
