/// A property like ``KVObject/Dynamic`` whose initial value is computed when it is first read.
///
///     final class Report: KVObject {
///       @LazyDynamic var text = render()
///     }
///
/// `lazy` cannot be combined with a property wrapper. The value belongs to one thread until it has
/// been computed, as that of `lazy`.
@propertyWrapper
public struct LazyDynamicValue<Value> {
  let initial: () -> Value
  var current: Value?

  /// A property whose value is computed when it is first read.
  public init(wrappedValue: @autoclosure @escaping () -> Value) { initial = wrappedValue }

  /// Not available: the wrapper needs the object that it is part of.
  @available(
    *, unavailable, message: "@LazyDynamic is for properties of classes that inherit from KVObject"
  )
  public var wrappedValue: Value {
    get { fatalError("unavailable") }
    set { fatalError("unavailable") }
  }

  /// The property's value.
  public static subscript<Owner: KVObject>(
    _enclosingInstance object: Owner,
    wrapped wrapped: ReferenceWritableKeyPath<Owner, Value>,
    storage storage: ReferenceWritableKeyPath<Owner, LazyDynamicValue<Value>>
  ) -> Value {
    get {
      guard object.isWatched else { return compute(object, storage) }
      let address = readAddress(object, storage), probe = KeyPathProbe.current
      let field = object.field(at: address)
      if let probe, probe.identifies {
        probe.identify(field, { wrapped })
        return nobodysBits(Value.self)
      }
      let index = probe?.willRead(object, field, address, { wrapped }) ?? nil
      let value = ask(object, address, Value.self) ?? compute(object, storage)
      probe?.didRead(index, object, field, { wrapped }, value)
      return value
    }
    set {
      guard object.isWatched, let field = object.field(at: storageAddress(object, storage)),
        let field = field as? TypedField<Value>
      else {
        object[keyPath: storage].current = newValue
        return
      }
      field.send(newValue, to: object)
    }
  }

  private static func compute<Owner: KVObject>(
    _ object: Owner, _ storage: ReferenceWritableKeyPath<Owner, LazyDynamicValue<Value>>
  ) -> Value {
    if let value = object[keyPath: storage].current { return value }
    // No access to the storage is open meanwhile: the code may read other properties, this one too.
    let initial = object[keyPath: storage].initial
    let value = initial()
    object[keyPath: storage].current = value
    return value
  }
}
