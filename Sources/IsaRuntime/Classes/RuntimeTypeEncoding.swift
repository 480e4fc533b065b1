internal import CIsa

/// The type of a value in Objective-C's notation: `"q"`, `"@"`, `"{CGPoint=dd}"`; or how a method
/// is called: `"v@:q"`.
///
/// A text that is no encoding is accepted here and refused, by throwing, where it is used.
public struct RuntimeTypeEncoding: Hashable, Sendable {
  /// The notation itself.
  public let text: String

  /// Takes `text` as it is.
  public init(_ text: String) { self.text = text }

  /// How much room values of a type take, in bytes.
  public struct Layout: Hashable, Sendable {
    /// The size of one value.
    public let size: Int
    /// The number of which the address of a value is a multiple.
    public let alignment: Int
    /// How much of the text is the type, in bytes, a frame offset behind it included.
    public let length: Int
  }

  /// Measures the first type of the encoding.
  ///
  /// - Throws: `KeyValueError.Code.badEncoding`; `KeyValueError.Code.notPassable`
  ///   for a type whose size its encoding does not tell.
  public func measure() throws(KeyValueError) -> Layout { try measureFirstType(text) }

  /// Whether a value of the type, or every value of the method encoding, can be passed to and
  /// returned from a method.
  public var isPassable: Bool {
    let single = try? measureFirstType(text)
    let isMethod = single?.length != text.utf8.count
    let method = isMethod ? self : .method(returning: self, taking: [])
    return isa_call_check(method.text) == ISA_OK
  }

  /// The types of a method encoding in order: result, receiver, selector, arguments. Of an encoding
  /// of one type, that type.
  ///
  /// - Throws: `KeyValueError.Code.badEncoding`.
  public func types() throws(KeyValueError) -> [RuntimeTypeEncoding] { try splitTypes(text) }

  /// The type as an argument: C passes an array as a pointer to its first element.
  var asArgument: RuntimeTypeEncoding {
    text.withCString(typeLetter) == UInt8(ascii: "[") ? .pointer : self
  }

  /// The types of the members of a struct, or of the elements of an array, in order; empty for any
  /// other type and for a struct whose members are not known.
  public var memberTypes: [RuntimeTypeEncoding] {
    (try? aggregateMembers(text))?.map(\.encoding) ?? []
  }
}

extension RuntimeTypeEncoding {
  /// A signed integer of 8 bits.
  public static let int8: RuntimeTypeEncoding = "c"
  /// A signed integer of 16 bits.
  public static let int16: RuntimeTypeEncoding = "s"
  /// A signed integer of 32 bits.
  public static let int32: RuntimeTypeEncoding = "i"
  /// A signed integer of 64 bits.
  public static let int64: RuntimeTypeEncoding = "q"
  /// An unsigned integer of 8 bits.
  public static let uint8: RuntimeTypeEncoding = "C"
  /// An unsigned integer of 16 bits.
  public static let uint16: RuntimeTypeEncoding = "S"
  /// An unsigned integer of 32 bits.
  public static let uint32: RuntimeTypeEncoding = "I"
  /// An unsigned integer of 64 bits.
  public static let uint64: RuntimeTypeEncoding = "Q"
  /// A floating-point number of 32 bits.
  public static let float: RuntimeTypeEncoding = "f"
  /// A floating-point number of 64 bits.
  public static let double: RuntimeTypeEncoding = "d"
  /// C's `long double`, as wide as the platform has it.
  public static let longDouble: RuntimeTypeEncoding = "D"
  /// C's `bool`.
  public static let bool: RuntimeTypeEncoding = "B"
  /// An object, or nil.
  public static let object: RuntimeTypeEncoding = "@"
  /// A class, or nil.
  public static let classObject: RuntimeTypeEncoding = "#"
  /// A selector, or nil.
  public static let selector: RuntimeTypeEncoding = ":"
  /// A C string, or nil.
  public static let cString: RuntimeTypeEncoding = "*"
  /// A pointer to anything.
  public static let pointer: RuntimeTypeEncoding = "^v"
  /// No value, as the result of a method.
  public static let void: RuntimeTypeEncoding = "v"

  /// A struct passed by value.
  ///
  ///     RuntimeTypeEncoding.structure("CGPoint", .double, .double)   // {CGPoint=dd}
  public static func structure(_ name: String, _ members: RuntimeTypeEncoding...)
    -> RuntimeTypeEncoding
  {
    RuntimeTypeEncoding("{\(name)=\(members.map(\.text).joined())}")
  }

  /// An array of `count` elements inside a struct.
  public static func array(of element: RuntimeTypeEncoding, count: Int) -> RuntimeTypeEncoding {
    RuntimeTypeEncoding("[\(count)\(element.text)]")
  }

  /// How a method is called that takes `arguments` besides its receiver and selector.
  ///
  ///     RuntimeTypeEncoding.method(returning: .void, taking: [.int64])   // v@:q
  public static func method(
    returning result: RuntimeTypeEncoding, taking arguments: [RuntimeTypeEncoding]
  ) -> RuntimeTypeEncoding {
    RuntimeTypeEncoding("\(result.text)@:\(arguments.map(\.text).joined())")
  }
}

extension RuntimeTypeEncoding: ExpressibleByStringLiteral {
  /// Takes a literal as it is.
  public init(stringLiteral text: String) { self.init(text) }
}

extension RuntimeTypeEncoding: CustomStringConvertible {
  /// The notation itself.
  public var description: String { text }
}
