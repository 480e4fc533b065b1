// Swift's exclusivity checking, for accesses that the compiler does not see: accesses by name and
// by proxy.
//
// Owns:      nothing; the Swift runtime's notes of an access are the caller's.
// Locks:     none; each thread has open accesses of its own.
// Invariant: a place is the address of the stored property, as for an access that is compiled. No
//            foreign code runs between a check and the load or store that it is for.
internal import CSwiftRuntime

/// Stops the process with Swift's report if the calling thread is modifying the property at `place`.
@usableFromInline
func checkReading(_ place: UnsafeRawPointer) {
  swift_runtime_check_access(UnsafeMutableRawPointer(mutating: place), false)
}

/// Stops the process with Swift's report if the calling thread is reading or modifying the property
/// at `place`.
@usableFromInline
func checkModifying(_ place: UnsafeMutableRawPointer) { swift_runtime_check_access(place, true) }

/// Runs `body`, which modifies the property at `place` and may run code of others meanwhile: what
/// they do to the property stops the process with Swift's report.
@inlinable
func modifying<Result>(
  _ place: UnsafeMutableRawPointer, _ body: () throws -> Result
) rethrows -> Result {
  var access = OpenAccess()
  return try withUnsafeMutablePointer(to: &access) { access in
    beginModifying(place, access)
    defer { endModifying(access) }
    return try body()
  }
}

/// Room for what the Swift runtime notes of an access while it is open.
@frozen @usableFromInline
struct OpenAccess {
  @usableFromInline var words: (UInt, UInt, UInt) = (0, 0, 0)

  @usableFromInline init() {}
}

@usableFromInline
func beginModifying(_ place: UnsafeMutableRawPointer, _ access: UnsafeMutablePointer<OpenAccess>) {
  swift_runtime_begin_modifying(place, noted(by: access))
}

@usableFromInline
func endModifying(_ access: UnsafeMutablePointer<OpenAccess>) {
  swift_runtime_end_modifying(noted(by: access))
}

private func noted(
  by access: UnsafeMutablePointer<OpenAccess>
) -> UnsafeMutablePointer<swift_runtime_access> {
  UnsafeMutableRawPointer(access).assumingMemoryBound(to: swift_runtime_access.self)
}

extension UnsafeMutablePointer {
  /// Sets what stands here. The old value ends afterwards: its end may run code, which finds the new
  /// one here.
  func replace(with value: Pointee) {
    let old = move()
    initialize(to: value)
    withExtendedLifetime(old) {}
  }
}
