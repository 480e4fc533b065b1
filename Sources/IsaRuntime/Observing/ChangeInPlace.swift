// A change in the usual case, as the code that is compiled for its observer sees it: the observed
// object, and the values where they stand. That code is inlined into users of the library, so that
// it knows the types; what is unusual is read here, by code that serves all types.
//
// Owns:  nothing.
// Lives: during the observer's call.

/// A value that was set, or of which elements changed, with old and new in place.
@frozen @usableFromInline
package struct ChangeInPlace {
  @usableFromInline package let object: UnsafeRawPointer
  @usableFromInline package let old: UnsafeRawPointer?
  @usableFromInline package let new: UnsafeRawPointer?
  @usableFromInline package let keyText: LastingText?
  @usableFromInline package let cause: LastingText?
  @usableFromInline package let mark: ChangeMark
  /// Of elements: where the change comes from. The caller holds it.
  @usableFromInline package let source: Unmanaged<ChangeSource>?

  /// A value that was set, told to the registration of that number.
  package init(
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
  package init(
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
}

/// What tells an observer in the usual case.
@usableFromInline package typealias Teller = (ChangeInPlace) -> Void
