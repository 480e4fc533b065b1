// The names of the wrappers. They are members of KVObject, where its subclasses find them. Any
// other class finds the types of the same names below, which name the mistake and its place. If a
// wrapper required its object to be a KVObject, the compiler would refuse it at no line of any
// file.

extension KVObject {
  /// A property that can be observed: ``DynamicValue``.
  public typealias Dynamic = DynamicValue

  /// The same, made when it is first read: ``LazyDynamicValue``.
  public typealias LazyDynamic = LazyDynamicValue

  /// The same, held weakly: ``WeakDynamicValue``.
  public typealias WeakDynamic = WeakDynamicValue
}

/// Not available: the wrapper needs a `KVObject` that it is part of.
@available(
  *, unavailable, message: "@Dynamic is for properties of classes that inherit from KVObject"
)
@propertyWrapper
public struct Dynamic<Value> {
  /// Not available.
  public init(wrappedValue: Value) { fatalError("unavailable") }
  /// Not available.
  public var wrappedValue: Value { fatalError("unavailable") }
}

/// Not available: the wrapper needs a `KVObject` that it is part of.
@available(
  *, unavailable, message: "@LazyDynamic is for properties of classes that inherit from KVObject"
)
@propertyWrapper
public struct LazyDynamic<Value> {
  /// Not available.
  public init(wrappedValue: Value) { fatalError("unavailable") }
  /// Not available.
  public init<Owner>(_ make: (Owner) -> () -> Value) { fatalError("unavailable") }
  /// Not available.
  public init<Owner>(_ make: (Owner) -> Value) { fatalError("unavailable") }
  /// Not available.
  public init<Owner>(_ keyPath: KeyPath<Owner, Value>) { fatalError("unavailable") }
  /// Not available.
  public var wrappedValue: Value { fatalError("unavailable") }
}

/// Not available: the wrapper needs a `KVObject` that it is part of.
@available(
  *, unavailable, message: "@WeakDynamic is for properties of classes that inherit from KVObject"
)
@propertyWrapper
public struct WeakDynamic<Value> {
  /// Not available.
  public init(wrappedValue: Value) { fatalError("unavailable") }
  /// Not available.
  public var wrappedValue: Value { fatalError("unavailable") }
}
