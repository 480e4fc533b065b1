internal import CIsa

extension RuntimeObject {
  /// Whether anything is registered on the object.
  public var isObserved: Bool { kvo_is_observed(id) }

  /// The registrations on the object, in the order in which they were made.
  public var registrations: [RuntimeRegistration] { copyRegistrations(of: id) }

  /// The registrations that a change of `key` would tell, in the order in which they are told after
  /// it: this object's, those of keys that `key` affects, and those of other objects whose key
  /// paths lead through this one.
  public func affected(by key: String) -> [RuntimeRegistration] { copyAffected(by: key, of: id) }

  /// The changes that were announced by hand and have not ended yet, latest first.
  public var pendingChanges: [RuntimePendingChange] { copyPending(of: id) }
}
