// A change as the code that is compiled for its observer sees it: the observed object, and the values
// where they stand. That code is inlined into users of the library, so that it knows the types; what
// is unusual is read here, by code that serves all types.
//
// Owns:  nothing.
// Lives: during the observer's call.
package import CIsa

/// A change, in one of the forms that its mark tells.
@frozen @usableFromInline
package struct ChangeInPlace {
  /// The header of the observed object.
  @usableFromInline package let object: UnsafeRawPointer
  @usableFromInline package let old: UnsafeRawPointer?
  @usableFromInline package let new: UnsafeRawPointer?
  @usableFromInline let origin: UnsafeRawPointer
  @usableFromInline package let cause: LastingText?
  @usableFromInline package let mark: ChangeMark

  /// The arguments of a ``Teller``.
  @inlinable @inline(__always)
  package init(
    _ object: UnsafeRawPointer, _ old: UnsafeRawPointer?, _ new: UnsafeRawPointer?,
    _ origin: UnsafeRawPointer, _ cause: LastingText?, _ mark: ChangeMark
  ) {
    self.object = object
    self.old = old
    self.new = new
    self.origin = origin
    self.cause = cause
    self.mark = mark
  }

  /// A value that was set, told to the registration of that number.
  @inline(__always)
  package init(
    object: UnsafeRawPointer, old: UnsafeRawPointer?, new: UnsafeRawPointer?,
    keyText: LastingText, cause: LastingText?, registration: UInt64
  ) {
    self.init(
      object, old, new, UnsafeRawPointer(keyText.address), cause,
      ChangeMark(registration: registration))
  }

  /// A change of elements. The caller holds `source`.
  init(
    object: UnsafeRawPointer, old: UnsafeRawPointer?, new: UnsafeRawPointer?,
    cause: LastingText?, kind: ChangeKind, source: ChangeSource
  ) {
    self.init(
      object, old, new, address(source), cause,
      ChangeMark(kind, isPrior: false, isInitial: false))
  }

  /// Any change that the C core has to tell. The caller holds `registration`.
  init(_ record: UnsafePointer<kvo_change>, of registration: ClosureRegistration) {
    self.init(
      UnsafeRawPointer(record.pointee.object!), UnsafeRawPointer(record), nil,
      address(registration), nil, .record)
  }

  /// A change that has been made, at its address.
  package init(made change: UnsafeRawPointer, object: UnsafeRawPointer) {
    self.init(object, change, nil, change, nil, .made)
  }
}

private func address(_ source: ChangeSource) -> UnsafeRawPointer {
  UnsafeRawPointer(Unmanaged.passUnretained(source).toOpaque())
}

extension ChangeInPlace {
  /// Of a value that was set: the key path.
  @inlinable
  package var keyText: LastingText {
    LastingText(interned: origin.assumingMemoryBound(to: CChar.self))
  }

  /// Of elements: where the change comes from.
  @inlinable
  package var source: Unmanaged<ChangeSource> { .fromOpaque(origin) }

  /// Of a change that has been made: it.
  package func made<Value>(_ type: Value.Type) -> ValueChange<Value> {
    origin.assumingMemoryBound(to: ValueChange<Value>.self).pointee
  }

  /// Of any other: the change that the C core has to tell, and its registration.
  package var record: (change: UnsafePointer<kvo_change>, registration: ClosureRegistration) {
    (
      old!.assumingMemoryBound(to: kvo_change.self),
      Unmanaged<ClosureRegistration>.fromOpaque(origin).takeUnretainedValue()
    )
  }
}

/// The code that tells a closure: code that is compiled for its types, where these are known.
@frozen @usableFromInline
package struct Teller: @unchecked Sendable {
  // Sendable because it runs where the object is changed.
  /// Takes the parts of a ``ChangeInPlace`` one by one, because they stay in registers then. Stored
  /// as what it is: a closure in a generic type is called by way of another.
  @usableFromInline package typealias Function = (
    UnsafeRawPointer, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer, LastingText?,
    ChangeMark
  ) -> Void

  @usableFromInline let tell: Function

  @inlinable @inline(__always)
  package init(_ tell: @escaping Function) { self.tell = tell }

  /// One that is told all as the C core has it.
  package init(_ handler: @escaping @Sendable (kvo_change, ChangeSource) -> Void) {
    tell = { object, old, new, origin, cause, mark in
      let record = ChangeInPlace(object, old, new, origin, cause, mark).record
      handler(record.change.pointee, record.registration)
    }
  }

  @inline(__always)
  package func callAsFunction(_ change: ChangeInPlace) {
    tell(change.object, change.old, change.new, change.origin, change.cause, change.mark)
  }
}
