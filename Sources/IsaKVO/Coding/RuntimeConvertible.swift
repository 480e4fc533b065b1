/// A Swift type whose values have a type encoding, so that they can be arguments, answers and values
/// by key.
///
/// Conforming types are the integers, floating-point numbers, `Bool`, `String` (a C string),
/// ``RuntimeObject``, ``RuntimeClass``, ``Selector``, and the last four as optionals. A struct can be made
/// to conform:
///
///     struct Point: RuntimeConvertible {
///       var x = 0.0, y = 0.0
///       static let runtimeEncoding = TypeEncoding.structure("Point", .double, .double)
///       init?(runtimeValue: RuntimeValue) { … }
///       var runtimeValue: RuntimeValue { … }
///     }
public protocol RuntimeConvertible: Sendable {
  /// The encoding of the type's values.
  static var runtimeEncoding: TypeEncoding { get }

  /// The Swift value that `runtimeValue` stands for; nil if it is of another kind, or does not fit.
  init?(runtimeValue: RuntimeValue)

  /// The value with its encoding.
  var runtimeValue: RuntimeValue { get }
}

extension Bool: RuntimeConvertible {
  public static var runtimeEncoding: TypeEncoding { .bool }
  public init?(runtimeValue: RuntimeValue) {
    guard let number: UInt8 = runtimeValue.integer(), number < 2 else { return nil }
    self = number == 1
  }
  public var runtimeValue: RuntimeValue { RuntimeValue(.bool, .bool(self)) }
}

extension RuntimeConvertible where Self: FixedWidthInteger {
  public init?(runtimeValue: RuntimeValue) {
    guard let number: Self = runtimeValue.integer() else { return nil }
    self = number
  }
}

extension RuntimeConvertible where Self: FixedWidthInteger & SignedInteger {
  public var runtimeValue: RuntimeValue { RuntimeValue(Self.runtimeEncoding, .signed(Int64(self))) }
}

extension RuntimeConvertible where Self: FixedWidthInteger & UnsignedInteger {
  public var runtimeValue: RuntimeValue {
    RuntimeValue(Self.runtimeEncoding, .unsigned(UInt64(self)))
  }
}

extension Int8: RuntimeConvertible { public static var runtimeEncoding: TypeEncoding { .int8 } }
extension Int16: RuntimeConvertible { public static var runtimeEncoding: TypeEncoding { .int16 } }
extension Int32: RuntimeConvertible { public static var runtimeEncoding: TypeEncoding { .int32 } }
extension Int64: RuntimeConvertible { public static var runtimeEncoding: TypeEncoding { .int64 } }
extension Int: RuntimeConvertible { public static var runtimeEncoding: TypeEncoding { .int64 } }
extension UInt8: RuntimeConvertible { public static var runtimeEncoding: TypeEncoding { .uint8 } }
extension UInt16: RuntimeConvertible { public static var runtimeEncoding: TypeEncoding { .uint16 } }
extension UInt32: RuntimeConvertible { public static var runtimeEncoding: TypeEncoding { .uint32 } }
extension UInt64: RuntimeConvertible { public static var runtimeEncoding: TypeEncoding { .uint64 } }
extension UInt: RuntimeConvertible { public static var runtimeEncoding: TypeEncoding { .uint64 } }

extension Float: RuntimeConvertible {
  public static var runtimeEncoding: TypeEncoding { .float }
  public init?(runtimeValue: RuntimeValue) {
    guard let number = runtimeValue.double else { return nil }
    self.init(number)
  }
  public var runtimeValue: RuntimeValue { RuntimeValue(.float, .float(self)) }
}

extension Double: RuntimeConvertible {
  public static var runtimeEncoding: TypeEncoding { .double }
  public init?(runtimeValue: RuntimeValue) {
    guard let number = runtimeValue.double else { return nil }
    self = number
  }
  public var runtimeValue: RuntimeValue { RuntimeValue(.double, .double(self)) }
}

#if arch(x86_64) || arch(i386)
  extension Float80: RuntimeConvertible {
    public static var runtimeEncoding: TypeEncoding { .longDouble }
    public init?(runtimeValue: RuntimeValue) {
      guard let value = try? runtimeValue.converted(to: .longDouble),
        case .longDouble(let number) = value.content
      else { return nil }
      self = number
    }
    public var runtimeValue: RuntimeValue { RuntimeValue(.longDouble, .longDouble(self)) }
  }
#endif
