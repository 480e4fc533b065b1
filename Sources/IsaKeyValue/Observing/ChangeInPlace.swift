// A change as the code that is compiled for its observer sees it: the observed object, and the values
// where they stand. That code is inlined into users of the library, so that it knows the types; what
// is unusual is read here, by code that serves all types.
//
// Owns:  nothing.
// Lives: during the observer's call.
package import CIsa

/// A change, in one of the forms that its tag tells.
@frozen @usableFromInline
package struct ChangeInPlace {
  /// The header of the observed object.
  @usableFromInline package let object: UnsafeRawPointer
  @usableFromInline package let old: UnsafeRawPointer?
  @usableFromInline package let new: UnsafeRawPointer?
  @usableFromInline package let tag: ChangeTag

  /// The arguments of an ``Sink``; of a value that was set, which is told to the registration that
  /// the tag tells.
  @inlinable @inline(__always)
  package init(
    _ object: UnsafeRawPointer, _ old: UnsafeRawPointer?, _ new: UnsafeRawPointer?,
    _ tag: ChangeTag
  ) {
    self.object = object
    self.old = old
    self.new = new
    self.tag = tag
  }

  /// A change whose source stands at an address, with the values.
  init(_ sourced: UnsafePointer<SourcedChange>, object: UnsafeRawPointer) {
    self.init(object, sourced, nil, .sourced)
  }

  /// Any change that the C core has to tell. The caller holds `registration`.
  init(_ record: UnsafePointer<kvo_change>, of registration: ClosureRegistration) {
    self.init(
      UnsafeRawPointer(record.pointee.object!), record,
      Unmanaged.passUnretained(registration).toOpaque(), .record)
  }

  /// A change that has been made, at its address.
  package init(made change: UnsafeRawPointer, object: UnsafeRawPointer) {
    self.init(object, change, nil, .made)
  }
}

/// A change of elements, or another that is told with a source of its own.
@frozen @usableFromInline
package struct SourcedChange {
  @usableFromInline package let source: Unmanaged<ChangeSource>
  @usableFromInline package let old: UnsafeRawPointer?
  @usableFromInline package let new: UnsafeRawPointer?
  @usableFromInline package let tag: ChangeTag
}

extension ChangeInPlace {
  /// Of a change that is told in place: where its values stand.
  package var values: (old: UnsafeRawPointer?, new: UnsafeRawPointer?) {
    tag.isSourced ? (sourced.pointee.old, sourced.pointee.new) : (old, new)
  }

  /// Calls `body` with the same change of values that stand elsewhere.
  package func with(
    _ old: UnsafeRawPointer?, _ new: UnsafeRawPointer?, _ body: (ChangeInPlace) -> Void
  ) {
    guard tag.isSourced else { return body(ChangeInPlace(object, old, new, tag)) }
    let source = sourced.pointee
    let moved = SourcedChange(source: source.source, old: old, new: new, tag: source.tag)
    withUnsafePointer(to: moved) { body(ChangeInPlace($0, object: object)) }
  }

  /// Of one with a source of its own: that and the values.
  @inlinable
  package var sourced: UnsafePointer<SourcedChange> {
    old.unsafelyUnwrapped.assumingMemoryBound(to: SourcedChange.self)
  }

  /// Of a change that has been made: it.
  package func made<Value>(_ type: Value.Type) -> ValueChange<Value> {
    old!.assumingMemoryBound(to: ValueChange<Value>.self).pointee
  }

  /// Of any other: the change that the C core has to tell, and its registration.
  package var record: (change: UnsafePointer<kvo_change>, registration: ClosureRegistration) {
    (
      old!.assumingMemoryBound(to: kvo_change.self),
      Unmanaged<ClosureRegistration>.fromOpaque(new!).takeUnretainedValue()
    )
  }
}

/// The code that tells a closure: code that is compiled for its types, where these are known.
@frozen @usableFromInline
package struct Sink: @unchecked Sendable {
  // Sendable because it runs where the object is changed.
  /// Takes the parts of a ``ChangeInPlace`` one by one, because they stay in registers then. Stored
  /// as what it is: a closure in a generic type is called by way of another.
  @usableFromInline package typealias Function = (
    UnsafeRawPointer, UnsafeRawPointer?, UnsafeRawPointer?, ChangeTag
  ) -> Void

  @usableFromInline let notify: Function

  @inlinable @inline(__always)
  package init(_ notify: @escaping Function) { self.notify = notify }

  /// A handler that is told all as the C core has it.
  package init(_ handler: @escaping @Sendable (kvo_change, ChangeSource) -> Void) {
    notify = { object, old, new, tag in
      let record = ChangeInPlace(object, old, new, tag).record
      handler(record.change.pointee, record.registration)
    }
  }

  @inline(__always)
  package func callAsFunction(_ change: ChangeInPlace) {
    notify(change.object, change.old, change.new, change.tag)
  }
}
