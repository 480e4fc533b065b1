internal import CIsa

extension RuntimeObject {
  /// Whether anything is registered on the object.
  public var isObserved: Bool { kvo_is_observed(id) }

  /// The registrations on the object, in the order in which they were made.
  public var registrations: [RuntimeRegistration] {
    copiedList({ kvo_copy_registrations(id, $0, $1) }) { RuntimeRegistration($0) }
  }

  /// The registrations that a change of `key` would tell, in the order in which they are told after
  /// it: this object's, the registrations of keys that `key` affects, and the registrations of
  /// other objects whose key paths lead through this one.
  public func affected(by key: String) -> [RuntimeRegistration] {
    if key.hasZero { return [] }
    return copiedList({ kvo_copy_affected(id, key, $0, $1) }) { RuntimeRegistration($0) }
  }

  /// The changes that were announced by hand and have not ended yet, latest first.
  public var pendingChanges: [RuntimePendingChange] {
    copiedList({ kvo_copy_pending(id, $0, $1) }) { RuntimePendingChange($0) }
  }
}
