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
  @usableFromInline let cause: LastingText?

  init(
    object: UnsafeRawPointer, old: UnsafeRawPointer?, new: UnsafeRawPointer?, cause: LastingText?
  ) {
    self.object = object
    self.old = old
    self.new = new
    self.cause = cause
  }

  /// Tells a handler. `Root` is the object's class, `Value` the type that the observer named when it
  /// registered.
  @inlinable @inline(__always)
  func tell<Root: KVObject, Value>(
    _ handler: (Root, ValueChange<Value>) -> Void, from source: ChangeSource
  ) {
    // The caller of the setter holds the object.
    Unmanaged<KVObject>.fromOpaque(object)._withUnsafeGuaranteedRef { object in
      handler(
        unsafeDowncast(object, to: Root.self),
        ValueChange(
          source: source, cause: cause, old: old?.assumingMemoryBound(to: Value.self).pointee,
          new: new?.assumingMemoryBound(to: Value.self).pointee))
    }
  }
}

/// What tells an observer in the usual case.
@usableFromInline typealias Teller = (ChangeInPlace, ChangeSource) -> Void
