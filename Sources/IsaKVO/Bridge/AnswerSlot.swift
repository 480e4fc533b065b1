// Objects that methods written as closures return, between their return and the caller's retain.
//
// An answer is lent, but one that a closure has just made has no owner to lend it: its thread keeps
// it instead, until the Swift call during which it was made is over, or the thread's next such
// answer. An answer that somebody owns is left alone, so that nothing lives longer for having been
// returned.
//
// Owns:  at most one object a thread, with a +1.
// Lives: as said; the thread's end lets go too.
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

private let slot: pthread_key_t = {
  var key = pthread_key_t()
  let status = pthread_key_create(&key) { isa_object_release(OpaquePointer($0)) }
  guard status == 0 else { fatalError("IsaKVO: the system has no thread-local storage left") }
  return key
}()

/// Keeps an object that a closure returns, if nobody else does.
func keepAnswer(_ object: RuntimeObject) {
  guard isa_object_retain_count(object.id) == 1 else { return }
  let old = pthread_getspecific(slot)
  pthread_setspecific(slot, UnsafeMutableRawPointer(isa_object_retain(object.id)))
  isa_object_release(OpaquePointer(old))
}

/// Keeps an object that a function returns, and takes over its +1.
func keepAnswer(taking id: isa_id) {
  guard isa_object_retain_count(id) == 1 else { return isa_object_release(id) }
  let old = pthread_getspecific(slot)
  pthread_setspecific(slot, UnsafeMutableRawPointer(id))
  isa_object_release(OpaquePointer(old))
}

/// Runs `body`, which takes hold of the answers that it wants, and lets go of those kept meanwhile.
func withAnswers<Result>(_ body: () -> Result) -> Result {
  let outer = pthread_getspecific(slot)
  if outer != nil { pthread_setspecific(slot, nil) }
  let result = body()
  let inner = pthread_getspecific(slot)
  if inner != outer { pthread_setspecific(slot, outer) }
  isa_object_release(OpaquePointer(inner))
  return result
}
