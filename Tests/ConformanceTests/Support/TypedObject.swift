import IsaKVO
import IsaRuntime
import Testing

/// A Swift object whose properties a case names; they are set, read and observed as typed ones.
protocol TypedObject: KVObject {
  var properties: [String: TypedProperty] { get }
}

struct NoSuchProperty: Error { let name: String }

extension TypedObject {
  func property(_ name: String) throws -> TypedProperty {
    guard let found = properties[name] else { throw NoSuchProperty(name: name) }
    return found
  }
}

/// The acts of a case on one property of a Swift class, or on a key path.
struct TypedProperty {
  let get: (KVObject) -> RuntimeValue
  let set: (KVObject, RuntimeValue) throws -> Void
  /// Writes the property so that nobody is told; nil if that is not possible.
  let write: ((KVObject, RuntimeValue) throws -> Void)?
  let observe:
    (KVObject, ObservationOptions, @escaping (Told) -> Void) throws -> KeyValueObservation

  static func at<Root: TypedObject, Value>(
    _ keyPath: KeyPath<Root, Value>, write: ((Root, Value) -> Void)? = nil
  ) -> TypedProperty {
    TypedProperty(
      get: { RuntimeValue(any: unwrapped(($0 as! Root)[keyPath: keyPath])) },
      set: { object, value in
        let writable = try #require(keyPath as? ReferenceWritableKeyPath<Root, Value>)
        (object as! Root)[keyPath: writable] = try typed(value)
      },
      write: write.map { write in { write($0 as! Root, try typed($1)) } },
      observe: { object, options, handler in
        (object as! Root).observe(keyPath, options: options) { object, change in
          handler(Told(change, of: object))
        }
      })
  }
}

extension TypedProperty {
  /// A property without a wrapper, whose class has declared a key for it: it is set by name, which
  /// tells of it.
  static func named<Root: TypedObject, Value>(
    _ key: String, _ keyPath: KeyPath<Root, Value>
  ) -> TypedProperty {
    let property = at(keyPath)
    return TypedProperty(
      get: property.get, set: { try $0.setValue($1.any, forKey: key) }, write: property.set,
      observe: property.observe)
  }
}

/// A value as one of a Swift property's type.
private func typed<Value>(_ value: RuntimeValue) throws -> Value {
  if value.isNil, let type = Value.self as? any ExpressibleByNilLiteral.Type {
    return try #require(type.init(nilLiteral: ()) as? Value)
  }
  return try #require(value.any as? Value)
}

private protocol AnyOptional { var wrapped: Any? { get } }
extension Optional: AnyOptional {
  fileprivate var wrapped: Any? { flatMap { unwrapped($0) } }
}

/// The value in an optional; nil for nil.
func unwrapped(_ value: Any) -> Any? {
  if let optional = value as? any AnyOptional { return optional.wrapped }
  return value
}
