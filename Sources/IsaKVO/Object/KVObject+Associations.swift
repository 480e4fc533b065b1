internal import CIsa
public import IsaKeyValue

extension KVObject {
  /// Has this object keep another, of any class, until the key has another or this object goes.
  ///
  ///     extension RuntimeAssociationKey { static let badge = RuntimeAssociationKey() }
  ///     try view.setAssociated(Badge(), forKey: .badge)
  ///
  /// Any thread may call this.
  ///
  /// - Parameters:
  ///   - object: Nil lets go of the object that is there.
  ///   - key: It tells the object from all others that are kept.
  /// - Throws: `KeyValueError.Code.unsupported` if the class cannot be registered;
  ///   `KeyValueError.Code.outOfMemory`. The object that was there before stays then.
  /// - Note: Source `objc_setAssociatedObject`, objc/runtime.h.
  public final func setAssociated(
    _ object: AnyObject?, forKey key: RuntimeAssociationKey
  ) throws(KeyValueError) {
    let id = try runtimeID()
    let value = object.flatMap { copy($0) }
    defer { isa_object_release(value) }
    try KeyValueError.check(
      setAssociation(of: id, key.number, value, ISA_ASSOCIATION_RETAIN), key: "copy",
      className: value.map { IsaKeyValue.className(of: $0) } ?? "nil")
  }

  /// The object that is kept under a key.
  ///
  /// - Note: Source `objc_getAssociatedObject`, objc/runtime.h.
  public final func associated(forKey key: RuntimeAssociationKey) -> AnyObject? {
    guard let id = adoptedID, let value = copyAssociation(of: id, key.number) else { return nil }
    defer { isa_object_release(value) }
    return (SwiftBox.find(value) as? BoxedOpaque<AnyObject>)?.value ?? KVObject.find(value)
  }

  private func copy(_ object: AnyObject) -> isa_id? {
    (object as? KVObject)?.copyID() ?? SwiftBox.make(BoxedOpaque(object), SwiftBox.valueClass)
  }
}
