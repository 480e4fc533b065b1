/// A Swift type whose values may be nil in the runtime, so that its optional has an encoding too.
public protocol RuntimeReference: RuntimeConvertible {}

extension Optional: RuntimeConvertible where Wrapped: RuntimeReference {
  /// The encoding of the wrapped type.
  public static var runtimeEncoding: RuntimeTypeEncoding { Wrapped.runtimeEncoding }

  /// Nil, or the value of the wrapped type; the null object is nil unless it is of that type.
  public init?(runtimeValue: RuntimeValue) {
    let value = runtimeValue.isNil ? nil : Wrapped(runtimeValue: runtimeValue)
    if value == nil, !runtimeValue.isNil, !runtimeValue.isNull { return nil }
    self = value
  }

  /// The value with its encoding.
  public var runtimeValue: RuntimeValue {
    if let self { return self.runtimeValue }
    return (try? RuntimeValue.nilObject.converted(to: Self.runtimeEncoding)) ?? .nilObject
  }
}

extension RuntimeObject: RuntimeReference {
  /// The encoding of an object.
  public static var runtimeEncoding: RuntimeTypeEncoding { .object }

  /// The object; a class counts as one.
  public convenience init?(runtimeValue: RuntimeValue) {
    guard let object = runtimeValue.object else { return nil }
    self.init(retaining: object.id)
  }

  /// The value with its encoding.
  public var runtimeValue: RuntimeValue { RuntimeValue(.object, .object(self)) }
}

extension RuntimeClass: RuntimeReference {
  /// The encoding of a class.
  public static var runtimeEncoding: RuntimeTypeEncoding { .classObject }

  /// The class, also as the object that it is.
  public init?(runtimeValue: RuntimeValue) {
    guard let value = try? runtimeValue.converted(to: .classObject).runtimeClass else { return nil }
    self = value
  }

  /// The value with its encoding.
  public var runtimeValue: RuntimeValue { RuntimeValue(.classObject, .runtimeClass(self)) }
}

extension RuntimeSelector: RuntimeReference {
  /// The encoding of a selector.
  public static var runtimeEncoding: RuntimeTypeEncoding { .selector }

  /// The selector.
  public init?(runtimeValue: RuntimeValue) {
    guard let selector = runtimeValue.selector else { return nil }
    self = selector
  }

  /// The value with its encoding.
  public var runtimeValue: RuntimeValue { RuntimeValue(.selector, .selector(self)) }
}

extension String: RuntimeReference {
  /// The encoding of a C string.
  public static var runtimeEncoding: RuntimeTypeEncoding { .cString }

  /// The text of a C string or a string object.
  public init?(runtimeValue: RuntimeValue) {
    guard let text = runtimeValue.string else { return nil }
    self = text
  }

  /// The value with its encoding.
  public var runtimeValue: RuntimeValue { RuntimeValue(.cString, .text(self)) }
}
