// A change in the usual case, as the code that is compiled for its observer sees it: the observed
// object, and the values where they stand. That code is inlined into users of the library, so that
// it knows the types; what is unusual is read here, by code that serves all types.
//
// Owns:  nothing.
// Lives: during the observer's call.

/// A value that was set, with old and new in place.
@usableFromInline
struct ChangeInPlace {
  @usableFromInline let object: UnsafeRawPointer
  @usableFromInline let old: UnsafeRawPointer?
  @usableFromInline let new: UnsafeRawPointer?
  @usableFromInline let keyText: LastingText?
  @usableFromInline let cause: LastingText?
  @usableFromInline let registration: UInt64

  init(
    object: UnsafeRawPointer, old: UnsafeRawPointer?, new: UnsafeRawPointer?,
    keyText: LastingText?, cause: LastingText?, registration: UInt64
  ) {
    self.object = object
    self.old = old
    self.new = new
    self.keyText = keyText
    self.cause = cause
    self.registration = registration
  }

  /// Tells a handler. `Root` is the object's class, `Value` the type that the observer named when it
  /// registered.
  @inlinable @inline(__always)
  func tell<Root: KVObject, Value>(_ handler: (Root, ValueChange<Value>) -> Void) {
    // The caller of the setter holds the object.
    Unmanaged<KVObject>.fromOpaque(object)._withUnsafeGuaranteedRef { object in
      handler(
        unsafeDowncast(object, to: Root.self),
        ValueChange(
          keyText: keyText, registration: registration, cause: cause,
          old: old?.assumingMemoryBound(to: Value.self).pointee,
          new: new?.assumingMemoryBound(to: Value.self).pointee))
    }
  }
}

/// What tells an observer in the usual case.
@usableFromInline typealias Teller = (ChangeInPlace) -> Void
