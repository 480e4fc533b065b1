internal import IsaKeyValue

/// A property like ``KVObject/Dynamic`` whose initial value is computed when it is first read.
///
///     final class Report: KVObject {
///       @LazyDynamic var text = render()
///       @LazyDynamic(Report.makeTitle) var title: String
///       @LazyDynamic({ (report: Report) in report.text.count }) var length: Int
///
///       private func makeTitle() -> String { "On " + text }
///     }
///
/// `lazy` cannot be combined with a property wrapper, and an initial value that is written behind `=`
/// knows no `self`: a value that needs the object is named as a method, a closure or a key path.
/// The value belongs to one thread until it has been computed, as that of `lazy`.
@propertyWrapper
public struct LazyDynamicValue<Value> {
  let initial: LazyValue<Value>
  var current: Value?

  /// A property whose value is computed when it is first read.
  public init(wrappedValue: @autoclosure @escaping () -> Value) {
    initial = LazyValue { _ in wrappedValue() }
  }

  /// A property whose value a method of its object computes when it is first read.
  ///
  /// - Parameter make: The method, as `Report.makeTitle`: of the class that has the property, or of
  ///   one above it. The first read of an object of any other class stops the process. Swift does
  ///   not hand over methods of a class of the main actor so; a closure calls them.
  public init<Owner: KVObject>(_ make: @escaping (Owner) -> () -> Value) {
    initial = LazyValue(of: Owner.self) { make($0)() }
  }

  /// A property whose value is computed from its object when it is first read.
  ///
  /// - Parameter make: A closure that is given the object, which is of a class as above.
  public init<Owner: KVObject>(_ make: @escaping (Owner) -> Value) {
    initial = LazyValue(of: Owner.self, make)
  }

  /// A property whose value is that of another of its object when it is first read.
  ///
  /// - Parameter keyPath: Of a class as above.
  public init<Owner: KVObject>(_ keyPath: KeyPath<Owner, Value>) {
    initial = LazyValue(of: Owner.self) { $0[keyPath: keyPath] }
  }

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
      let address = readAddress(object, storage)
      if mayBeTracked(), !DeliveryScope.expects(address), noteRead(object, address, { wrapped }) {
        return nobodysBits(Value.self)
      }
      return ask(object, address, Value.self) ?? compute(object, storage)
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
    let value = initial.compute(for: object)
    object[keyPath: storage].current = value
    return value
  }
}

/// The initial value of a lazy property, and how it is computed.
struct LazyValue<Value> {
  private let make: (KVObject) -> Value

  /// The value; the properties that its code reads are none that the lazy one depends on.
  func compute(for object: KVObject) -> Value {
    KeyPathProbe.pauseIfCurrent { make(object) }
  }

  init(_ make: @escaping (KVObject) -> Value) { self.make = make }

  /// A value that objects of a class compute.
  init<Owner: KVObject>(of owner: Owner.Type, _ make: @escaping (Owner) -> Value) {
    self.init { object in
      guard let object = object as? Owner else {
        fatalError(
          "@LazyDynamic: the initial value of a property of \(type(of: object)) is computed by a "
            + "member of \(Owner.self), which \(type(of: object)) does not inherit from")
      }
      return make(object)
    }
  }
}
