// The C library's thread-local storage: one pointer a thread.
//
// Owns:  a key, for the life of the process; what a pointer leads to is its user's.
// Locks: none; each thread reaches its own pointer only.
#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  internal import Darwin
#endif

/// A pointer of which each thread has its own, NULL at first.
struct ThreadKey: Sendable {
  private let key: pthread_key_t

  /// - Parameter end: Called with a thread's pointer, unless it is NULL, when the thread ends.
  init(end: (@convention(c) (UnsafeMutableRawPointer?) -> Void)? = nil) {
    var key = pthread_key_t()
    #if canImport(Darwin)
      let end = end.map {
        unsafeBitCast($0, to: (@convention(c) (UnsafeMutableRawPointer) -> Void).self)
      }
    #endif
    guard pthread_key_create(&key, end) == 0 else {
      fatalError("IsaKVO: the system has no thread-local storage left")
    }
    self.key = key
  }

  /// The calling thread's pointer.
  var pointer: UnsafeMutableRawPointer? {
    get { pthread_getspecific(key) }
    nonmutating set { pthread_setspecific(key, newValue) }
  }
}
