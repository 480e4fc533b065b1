internal import CIsa

extension RuntimeObject {
  /// Associates `value` with the object under `key`; nil removes what is there.
  ///
  /// - Throws: ``RuntimeError/outOfMemory``;
  ///   ``RuntimeError/unrecognizedSelector(_:className:details:)`` if a value cannot be copied.
  ///   What was there before stays then.
  public func setAssociated(
    _ value: RuntimeObject?, forKey key: AssociationKey, policy: AssociationPolicy = .retain
  ) throws(RuntimeError) {
    try RuntimeError.check(
      setAssociation(of: id, key.number, value?.id, policy.constant),
      Subject(name: "copy", className: value?.isa.name ?? "nil"))
  }

  /// The object associated under `key`.
  public func associated(forKey key: AssociationKey) -> RuntimeObject? {
    copyAssociation(of: id, key.number).map { RuntimeObject(adopting: $0) }
  }

  /// Removes all that is associated with the object.
  public func removeAssociated() { isa_object_remove_associated(id) }
}
