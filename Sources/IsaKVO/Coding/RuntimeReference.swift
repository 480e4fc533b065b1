/// A Swift type whose values may be nil in the runtime, so that its optional has an encoding too.
public protocol RuntimeReference: RuntimeConvertible {}

extension Optional: RuntimeConvertible where Wrapped: RuntimeReference {
  public static var runtimeEncoding: TypeEncoding { Wrapped.runtimeEncoding }
  public init?(runtimeValue: RuntimeValue) {
    if runtimeValue.isNil {
      self = .none
    } else if let value = Wrapped(runtimeValue: runtimeValue) {
      self = .some(value)
    } else {
      return nil
    }
  }
  public var runtimeValue: RuntimeValue {
    if let self { return self.runtimeValue }
    return (try? RuntimeValue.nilObject.converted(to: Self.runtimeEncoding)) ?? .nilObject
  }
}

extension RuntimeObject: RuntimeReference {
  public static var runtimeEncoding: TypeEncoding { .object }
  public convenience init?(runtimeValue: RuntimeValue) {
    guard let object = runtimeValue.object else { return nil }
    self.init(retaining: object.id)
  }
  public var runtimeValue: RuntimeValue { RuntimeValue(.object, .object(self)) }
}

extension RuntimeClass: RuntimeReference {
  public static var runtimeEncoding: TypeEncoding { .classObject }
  public init?(runtimeValue: RuntimeValue) {
    guard let value = try? runtimeValue.converted(to: .classObject).runtimeClass else { return nil }
    self = value
  }
  public var runtimeValue: RuntimeValue { RuntimeValue(.classObject, .runtimeClass(self)) }
}

extension Selector: RuntimeReference {
  public static var runtimeEncoding: TypeEncoding { .selector }
  public init?(runtimeValue: RuntimeValue) {
    guard let selector = runtimeValue.selector else { return nil }
    self = selector
  }
  public var runtimeValue: RuntimeValue { RuntimeValue(.selector, .selector(self)) }
}

extension String: RuntimeReference {
  public static var runtimeEncoding: TypeEncoding { .cString }
  public init?(runtimeValue: RuntimeValue) {
    guard let text = runtimeValue.string else { return nil }
    self = text
  }
  public var runtimeValue: RuntimeValue { RuntimeValue(.cString, .text(self)) }
}
