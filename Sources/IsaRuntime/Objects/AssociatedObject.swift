internal import CIsa

extension RuntimeObject {
  /// Associates `value` with the object under `key`; nil removes what is there.
  ///
  /// - Throws: `KeyValueError.Code.outOfMemory`;
  ///   `KeyValueError.Code.unrecognizedSelector` if a value cannot be copied.
  ///   The value that was there before stays then.
  public func setAssociated(
    _ value: RuntimeObject?, forKey key: RuntimeAssociationKey,
    policy: RuntimeAssociationPolicy = .retain
  ) throws(KeyValueError) {
    try KeyValueError.check(
      setAssociation(of: id, key.number, value?.id, policy.constant), key: "copy",
      className: value?.isa.name ?? "nil")
  }

  /// The object associated under `key`.
  public func associated(forKey key: RuntimeAssociationKey) -> RuntimeObject? {
    copyAssociation(of: id, key.number).map { RuntimeObject(adopting: $0) }
  }

  /// Removes all that is associated with the object.
  public func removeAssociated() { isa_object_remove_associated(id) }
}
