internal import IsaKeyValue

/// A registration that ends when an object does.
///
/// At once if the object is observable itself; otherwise it is not valid any more from then on, and
/// goes where the next change would be told.
final class TiedRegistration: RegistrationControl, @unchecked Sendable {
  // Sendable because a weak reference may be read on any thread, and the rest never changes.
  private let inner: any RegistrationControl
  // The owner alone keeps it: that is how its end is noticed.
  private weak var end: End?
  private weak var owner: KVObject?
  private weak var target: AnyObject?

  /// Ties a registration to an object.
  init(_ inner: any RegistrationControl, to owner: AnyObject) throws(KeyValueError) {
    self.inner = inner
    target = owner
    guard let owner = owner as? KVObject else { return }
    _ = try owner.observedID()
    let end = End(inner)
    owner.keep(end, by: end.key)
    self.end = end
    self.owner = owner
  }

  var isValid: Bool { inner.isValid && target != nil }

  func invalidate() {
    inner.invalidate()
    untie()
  }

  func invalidateAndWait() {
    inner.invalidateAndWait()
    untie()
  }

  private func untie() {
    guard let owner, let end else { return }
    owner.release(by: end.key)
  }

  var identities: [UInt] { inner.identities }
}

/// A registration that ends with `owner`.
package func tied(
  _ control: any RegistrationControl, to owner: AnyObject
) throws(KeyValueError) -> any RegistrationControl {
  do {
    return try TiedRegistration(control, to: owner)
  } catch {
    control.invalidate()
    throw error
  }
}

/// Ends a registration when the object that keeps this one goes.
private final class End: BoxedValue {
  private let control: any RegistrationControl

  init(_ control: any RegistrationControl) { self.control = control }

  deinit { control.invalidate() }

  var any: Any { self }
  var key: UInt { identity(of: self) }
}

/// An object that is not kept; nil once it is being deallocated.
package final class Weak<Object: AnyObject>: @unchecked Sendable {
  // Sendable because a weak reference may be read on any thread and is never set anew.
  package private(set) weak var object: Object?

  package init(_ object: Object) { self.object = object }
}
