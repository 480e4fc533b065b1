// A change in the usual case, as the code that is compiled for its observer sees it: the observed
// object, and the values where they stand. That code is inlined into users of the library, so that
// it knows the types; what is unusual is read here, by code that serves all types.
//
// Owns:  nothing.
// Lives: during the observer's call.

/// A value that was set, or of which elements changed, with old and new in place.
@usableFromInline
struct ChangeInPlace {
  @usableFromInline let object: UnsafeRawPointer
  @usableFromInline let old: UnsafeRawPointer?
  @usableFromInline let new: UnsafeRawPointer?
  @usableFromInline let keyText: LastingText?
  @usableFromInline let cause: LastingText?
  @usableFromInline let mark: ChangeMark
  /// Of elements: where the change comes from. The caller holds it.
  @usableFromInline let source: Unmanaged<ChangeSource>?

  /// A value that was set, told to the registration of that number.
  init(
    object: UnsafeRawPointer, old: UnsafeRawPointer?, new: UnsafeRawPointer?,
    keyText: LastingText?, cause: LastingText?, registration: UInt64
  ) {
    self.object = object
    self.old = old
    self.new = new
    self.keyText = keyText
    self.cause = cause
    mark = ChangeMark(registration: registration)
    source = nil
  }

  /// A change of elements.
  init(
    object: UnsafeRawPointer, old: UnsafeRawPointer?, new: UnsafeRawPointer?,
    cause: LastingText?, kind: ChangeKind, source: ChangeSource
  ) {
    self.object = object
    self.old = old
    self.new = new
    keyText = nil
    self.cause = cause
    mark = ChangeMark(kind, isPrior: false, isInitial: false)
    self.source = .passUnretained(source)
  }

  /// Tells a handler. `Root` is the object's class, `Value` the type that the observer named when it
  /// registered.
  @inlinable @inline(__always)
  func tell<Root: KVObject, Value>(_ handler: (Root, ValueChange<Value>) -> Void) {
    // The caller of the setter holds the object.
    Unmanaged<KVObject>.fromOpaque(object)._withUnsafeGuaranteedRef { object in
      let object = unsafeDowncast(object, to: Root.self)
      // Apart, so that nothing is counted for a value that was set.
      if let source {
        source._withUnsafeGuaranteedRef { handler(object, change(of: Value.self, from: $0)) }
      } else {
        handler(object, change(of: Value.self, from: nil))
      }
    }
  }

  @inlinable @inline(__always)
  func change<Value>(of type: Value.Type, from source: ChangeSource?) -> ValueChange<Value> {
    ValueChange(
      from: source, keyText: keyText, mark: mark, cause: cause,
      old: old?.assumingMemoryBound(to: Value.self).pointee,
      new: new?.assumingMemoryBound(to: Value.self).pointee)
  }
}

/// What tells an observer in the usual case.
@usableFromInline typealias Teller = (ChangeInPlace) -> Void
