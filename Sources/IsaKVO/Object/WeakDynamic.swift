internal import IsaKeyValue

/// A property like ``KVObject/Dynamic`` that refers to an object weakly.
///
///     final class Node: KVObject {
///       @WeakDynamic var parent: Node?
///     }
///
/// `weak` cannot be combined with a property wrapper. As with `weak`, nobody is notified when the
/// object dies and the property becomes nil by that.
@propertyWrapper
public struct WeakDynamicValue<Object: AnyObject> {
  weak var object: Object?

  /// A property that refers to that object, or to nothing.
  public init(wrappedValue: Object?) { object = wrappedValue }

  /// Not available: the wrapper needs the object that it is part of.
  @available(
    *, unavailable, message: "@WeakDynamic is for properties of classes that inherit from KVObject"
  )
  public var wrappedValue: Object? {
    get { fatalError("unavailable") }
    set { fatalError("unavailable") }
  }

  /// The object that the property refers to.
  public static subscript<Owner: KVObject>(
    _enclosingInstance owner: Owner,
    wrapped wrapped: ReferenceWritableKeyPath<Owner, Object?>,
    storage storage: ReferenceWritableKeyPath<Owner, WeakDynamicValue<Object>>
  ) -> Object? {
    get {
      let address = readAddress(owner, storage)
      if mayBeTracked(), !DeliveryScope.expects(address), noteRead(owner, address, { wrapped }) {
        return nil
      }
      return ask(owner, address, Object?.self) ?? owner[keyPath: storage].object
    }
    set {
      guard owner.isWatched, let field = owner.field(at: storageAddress(owner, storage)),
        let field = field as? TypedField<Object?>
      else {
        owner[keyPath: storage].object = newValue
        return
      }
      field.send(newValue, to: owner)
    }
  }
}
