// Things that Swift has no call for: words that threads share, and a reference to an object that
// may be in its deinit.
//
// Owns:  nothing.
// Locks: none; each call is one atomic access.
public import CSwiftRuntime

/// A word as another thread may have stored it; that thread's earlier writes are seen then.
@inlinable @inline(__always)
package func loadWord(_ word: UnsafePointer<UInt64>) -> UInt64 { swift_runtime_load(word) }

/// Stores a word for other threads to load.
@inlinable @inline(__always)
package func storeWord(_ word: UnsafeMutablePointer<UInt64>, _ value: UInt64) {
  swift_runtime_store(word, value)
}

/// Sets a word that is 0 to 1; true for the thread that has done so. No read that comes later is
/// done before.
@inlinable @inline(__always)
package func claimWord(_ word: UnsafeMutablePointer<UInt64>) -> Bool { swift_runtime_claim(word) }

/// Sets a claimed word to 0. No read that comes later is done before.
@inlinable @inline(__always)
package func giveBackWord(_ word: UnsafeMutablePointer<UInt64>) { swift_runtime_give_back(word) }

/// Stores a word; answers what it had.
@inlinable @inline(__always)
package func exchangeWord(_ word: UnsafeMutablePointer<UInt64>, _ value: UInt64) -> UInt64 {
  swift_runtime_exchange(word, value)
}

/// Has the processor fetch memory that is used soon, also where there is none.
@inlinable @inline(__always)
package func fetch(_ address: UnsafeRawPointer, _ size: Int) { swift_runtime_fetch(address, size) }

/// Calls a function that tells a change, where it stands in memory that the caller holds. To call it
/// as Swift does counts a reference to what it has captured.
@inline(__always)
func callInPlace(
  _ function: UnsafePointer<Sink>, _ object: UnsafeRawPointer, _ old: UnsafeRawPointer?,
  _ new: UnsafeRawPointer?, _ tag: ChangeTag
) {
  // The only field of the structure, and as it is: two words.
  let words = UnsafeRawPointer(function).assumingMemoryBound(to: UnsafeRawPointer?.self)
  swift_runtime_tell(words, object, old, new, tag.number)
}

/// The object, unless its deinit has begun. Its memory must be there.
@inlinable @inline(__always)
package func livingObject<Object: AnyObject>(_ object: Unmanaged<Object>) -> Object? {
  swift_runtime_try_retain(object.toOpaque()) ? object.takeRetainedValue() : nil
}

/// Keeps an object's memory, alive or dead, until ``dropMemory(of:)``.
package func keepMemory<Object: AnyObject>(of object: Object) -> Unmanaged<Object> {
  let object = Unmanaged.passUnretained(object)
  swift_runtime_keep(object.toOpaque())
  return object
}

package func dropMemory<Object: AnyObject>(of object: Unmanaged<Object>) {
  swift_runtime_drop(object.toOpaque())
}
