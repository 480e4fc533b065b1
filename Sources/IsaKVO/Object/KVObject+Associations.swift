public import IsaRuntime

extension KVObject {
  /// Has this object keep another, of any class, until the key has another or this object goes.
  ///
  ///     extension RuntimeAssociationKey { static let badge = RuntimeAssociationKey() }
  ///     try view.setAssociated(Badge(), forKey: .badge)
  ///
  /// Any thread may call this.
  ///
  /// - Parameters:
  ///   - object: Nil lets go of the one that is there.
  ///   - key: It tells the object from all others that are kept.
  /// - Throws: `KeyValueError.Code.unsupported` if the class cannot be registered;
  ///   `KeyValueError.Code.outOfMemory`. The object that was there before stays then.
  /// - Note: Source `objc_setAssociatedObject`, objc/runtime.h.
  public final func setAssociated(
    _ object: AnyObject?, forKey key: RuntimeAssociationKey
  ) throws(KeyValueError) {
    let owner = RuntimeObject(retaining: try runtimeID())
    let value = object.map { object in
      (object as? KVObject).flatMap { try? RuntimeObject($0) } ?? .boxing(object)
    }
    try owner.setAssociated(value, forKey: key)
  }

  /// The object that is kept under a key.
  ///
  /// - Note: Source `objc_getAssociatedObject`, objc/runtime.h.
  public final func associated(forKey key: RuntimeAssociationKey) -> AnyObject? {
    guard let id = adoptedID,
      let value = RuntimeObject(retaining: id).associated(forKey: key)
    else { return nil }
    return value.boxed() ?? KVObject.find(value.id)
  }
}

extension RuntimeObject {
  fileprivate static func boxing(_ object: AnyObject) -> RuntimeObject {
    RuntimeObject(adopting: SwiftBox.make(BoxedOpaque(object), SwiftBox.valueClass))
  }

  fileprivate func boxed() -> AnyObject? {
    (SwiftBox.find(id) as? BoxedOpaque<AnyObject>)?.value
  }
}
