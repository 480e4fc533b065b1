// Objects that methods written as closures return, between their return and the caller's retain.
//
// An answer is lent, but an answer that a closure has just made has no owner to lend it: its thread
// keeps it instead, until the Swift call during which it was made is over, or the thread's next
// such answer. An answer that somebody owns is left alone, so that nothing lives longer for having
// been returned.
//
// Owns:  at most one object a thread, with a +1.
// Lives: as said; the thread's end lets go too.
package import CIsa

private let slot = ThreadKey(.answer) { isa_object_release(OpaquePointer($0)) }

/// Keeps an object that a closure returns, if nobody else does.
package func keepAnswer(_ id: isa_id) {
  if isa_object_retain_count(id) == 1 { keep(isa_object_retain(id)!) }
}

/// Keeps an object that a function returns, and takes over its +1.
package func keepAnswer(taking id: isa_id) {
  if isa_object_retain_count(id) == 1 { keep(id) } else { isa_object_release(id) }
}

private func keep(_ id: isa_id) {
  let old = slot.pointer
  slot.pointer = UnsafeMutableRawPointer(id)
  isa_object_release(OpaquePointer(old))
}

/// Runs `body`, which takes hold of the answers that it wants, and lets go of those kept meanwhile.
@inlinable @inline(__always)
package func withAnswers<Result>(_ body: () -> Result) -> Result {
  let outer = ThreadKey.pointer(for: .answer)
  if outer != nil { setAnswer(nil) }
  let result = body()
  let inner = ThreadKey.pointer(for: .answer)
  if outer != nil || inner != nil { endAnswers(outer, inner) }
  return result
}

@usableFromInline
func setAnswer(_ answer: UnsafeMutableRawPointer?) { slot.pointer = answer }

/// Lets go of the answer that was kept meanwhile.
@usableFromInline
func endAnswers(_ outer: UnsafeMutableRawPointer?, _ inner: UnsafeMutableRawPointer?) {
  if inner != outer { slot.pointer = outer }
  isa_object_release(OpaquePointer(inner))
}
