/// A Swift type whose values have a type encoding, so that they can be arguments, answers and
/// values by key.
///
/// Conforming types are the integers, floating-point numbers, `Bool`, `String` (a C string, and a
/// string object where an object is asked for), arrays, sets and dictionaries of such types,
/// ``RuntimeObject``, ``RuntimeClass``, `RuntimeSelector`, and all but the numbers as optionals. A
/// struct can be made to conform:
///
///     struct Point: RuntimeConvertible {
///       var x = 0.0, y = 0.0
///       static let runtimeEncoding = RuntimeTypeEncoding.structure("Point", .double, .double)
///       init?(runtimeValue: RuntimeValue) { … }
///       var runtimeValue: RuntimeValue { … }
///     }
public protocol RuntimeConvertible: Sendable {
  /// The encoding of the type's values.
  static var runtimeEncoding: RuntimeTypeEncoding { get }

  /// The Swift value that `runtimeValue` stands for; nil if it is of another kind, or does not fit.
  init?(runtimeValue: RuntimeValue)

  /// The value with its encoding.
  var runtimeValue: RuntimeValue { get }
}

extension Bool: RuntimeConvertible {
  /// C's `bool`.
  public static var runtimeEncoding: RuntimeTypeEncoding { .bool }

  /// A truth value, or a number that is 0 or 1.
  public init?(runtimeValue: RuntimeValue) {
    guard let number: UInt8 = runtimeValue.integer(), number < 2 else { return nil }
    self = number == 1
  }

  /// The truth value with its encoding.
  public var runtimeValue: RuntimeValue { RuntimeValue(.bool, .bool(self)) }
}

extension RuntimeConvertible where Self: FixedWidthInteger {
  /// The encoding of integers of this width.
  public static var runtimeEncoding: RuntimeTypeEncoding {
    switch bitWidth {
    case 8: isSigned ? .int8 : .uint8
    case 16: isSigned ? .int16 : .uint16
    case 32: isSigned ? .int32 : .uint32
    default: isSigned ? .int64 : .uint64
    }
  }

  /// A whole number that fits, of any number type.
  public init?(runtimeValue: RuntimeValue) {
    guard let number: Self = runtimeValue.integer() else { return nil }
    self = number
  }

  /// The number with its encoding.
  public var runtimeValue: RuntimeValue {
    let content: RuntimeValue.Content =
      Self.isSigned ? .signed(Int64(self)) : .unsigned(UInt64(self))
    return RuntimeValue(Self.runtimeEncoding, content)
  }
}

extension Int8: RuntimeConvertible {}
extension Int16: RuntimeConvertible {}
extension Int32: RuntimeConvertible {}
extension Int64: RuntimeConvertible {}
extension Int: RuntimeConvertible {}
extension UInt8: RuntimeConvertible {}
extension UInt16: RuntimeConvertible {}
extension UInt32: RuntimeConvertible {}
extension UInt64: RuntimeConvertible {}
extension UInt: RuntimeConvertible {}

extension Float: RuntimeConvertible {
  /// A floating-point number of 32 bits.
  public static var runtimeEncoding: RuntimeTypeEncoding { .float }

  /// The nearest number to one of any number type.
  public init?(runtimeValue: RuntimeValue) {
    guard let number = runtimeValue.double else { return nil }
    self.init(number)
  }

  /// The number with its encoding.
  public var runtimeValue: RuntimeValue { RuntimeValue(.float, .float(self)) }
}

extension Double: RuntimeConvertible {
  /// A floating-point number of 64 bits.
  public static var runtimeEncoding: RuntimeTypeEncoding { .double }

  /// The nearest number to one of any number type.
  public init?(runtimeValue: RuntimeValue) {
    guard let number = runtimeValue.double else { return nil }
    self = number
  }

  /// The number with its encoding.
  public var runtimeValue: RuntimeValue { RuntimeValue(.double, .double(self)) }
}

#if arch(x86_64) || arch(i386)
  extension Float80: RuntimeConvertible {
    /// C's `long double`.
    public static var runtimeEncoding: RuntimeTypeEncoding { .longDouble }

    /// The same number, of any number type.
    public init?(runtimeValue: RuntimeValue) {
      guard let value = try? runtimeValue.converted(to: .longDouble),
        case .longDouble(let number) = value.content
      else { return nil }
      self = number
    }

    /// The number with its encoding.
    public var runtimeValue: RuntimeValue { RuntimeValue(.longDouble, .longDouble(self)) }
  }
#endif
