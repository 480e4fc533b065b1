internal import CIsa
public import IsaRuntime

extension RuntimeObject {
  /// A Swift object as the runtime's object that it is.
  ///
  /// - Throws: `KeyValueError.Code.unsupported` if its class cannot be registered.
  public convenience init(_ object: KVObject) throws(KeyValueError) {
    self.init(retaining: try object.runtimeID())
  }

  /// The Swift object that this one is, if it is one of a class that may be used anywhere.
  public func swiftObject<Object: KVObject & Sendable>(as type: Object.Type) -> Object? {
    KVObject.find(id) as? Object
  }

  /// The Swift object that this one is, if it is one, of any class.
  ///
  /// Unsafe because a reference like this one may be handed to any thread, and an object that is not
  /// `Sendable` may not: the caller must be where the object may be used.
  public var unsafeSwiftObject: KVObject? { KVObject.find(id) }
}
