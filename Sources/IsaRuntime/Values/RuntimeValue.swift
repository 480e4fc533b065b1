internal import CIsa

/// A value of any type that a type encoding describes, together with its encoding.
///
/// An object inside is kept alive, inside a struct too. A C string is a copy, a pointer only an
/// address. Numbers, structs and texts become objects where an object is asked for, and are read
/// where they are objects: a boxed 40 is a value whose ``int`` is 40.
///
///     let age: RuntimeValue = 40
///     let corner = try RuntimeValue("{CGPoint=dd}", members: [1.0, 2.0])
///     print(age, corner)                       // 40 {1.0, 2.0}
public struct RuntimeValue: Sendable {
  /// The type that the value has.
  public let encoding: RuntimeTypeEncoding
  package let content: Content

  init(_ encoding: RuntimeTypeEncoding, _ content: Content) {
    self.encoding = encoding
    self.content = content
  }

  /// The contents of a value.
  package enum Content: Hashable, Sendable {
    case void
    case bool(Bool)
    case signed(Int64)
    case unsigned(UInt64)
    case float(Float)
    case double(Double)
    case longDouble(LongDouble)
    case object(RuntimeObject?)
    case runtimeClass(RuntimeClass?)
    case selector(RuntimeSelector?)
    case text(String?)
    case pointer(UInt)
    case members([RuntimeValue])
    case bytes([UInt8])
  }
}

// MARK: - Making values

extension RuntimeValue {
  /// No value, as the answer of a method that returns nothing.
  public static let void = RuntimeValue(.void, .void)

  /// The object nil.
  public static let nilObject = RuntimeValue(.object, .object(nil))

  /// The value that a Swift value stands for.
  public init(_ value: some RuntimeConvertible) { self = value.runtimeValue }

  /// An object, or nil.
  public init(_ object: RuntimeObject?) { self.init(.object, .object(object)) }

  /// A class, or nil.
  public init(_ runtimeClass: RuntimeClass?) {
    self.init(.classObject, .runtimeClass(runtimeClass))
  }

  /// An address, of which nobody knows whether it leads anywhere.
  public static func pointer(address: UInt) -> RuntimeValue {
    RuntimeValue(.pointer, .pointer(address))
  }

  /// A struct or an array from the values of its members: one for each member, in order. Each is
  /// converted to the member's type.
  ///
  /// - Throws: `KeyValueError.Code.badEncoding`, also for a type without members;
  ///   `KeyValueError.Code.invalidArgument` for another number of members;
  ///   `KeyValueError.Code.incompatible`.
  public init(_ encoding: RuntimeTypeEncoding, members: [RuntimeValue]) throws(KeyValueError) {
    guard let types = try aggregateMembers(encoding.text)?.map(\.encoding) else {
      throw KeyValueError(
        .badEncoding, key: encoding.text,
        reason: "not a struct whose members are known, nor an array")
    }
    guard types.count == members.count else {
      let reason = "“\(encoding)” has \(types.count) members, not \(members.count)"
      throw KeyValueError(.invalidArgument, reason: reason)
    }
    var converted: [RuntimeValue] = []
    for (type, member) in zip(types, members) { converted.append(try member.converted(to: type)) }
    self.init(encoding, .members(converted))
  }

  /// A value from the bytes that it has in memory.
  ///
  /// - Throws: `KeyValueError.Code.badEncoding`;
  ///   `KeyValueError.Code.invalidArgument` for another number of bytes than the type
  ///   has; `KeyValueError.Code.unsupported` for a type that holds objects, classes,
  ///   selectors or C strings, which no bytes from outside can be trusted to be.
  public init(_ encoding: RuntimeTypeEncoding, bytes: [UInt8]) throws(KeyValueError) {
    let size = try encoding.measure().size
    guard size == bytes.count else {
      throw KeyValueError(
        .invalidArgument, reason: "“\(encoding)” has \(size) bytes, not \(bytes.count)")
    }
    guard !holdsReferences(encoding) else {
      throw KeyValueError(
        .unsupported, reason: "“\(encoding)” holds references, which bytes cannot stand for")
    }
    self.init(encoding, decodedContent(of: bytes, as: encoding))
  }
}

// MARK: - Reading values

extension RuntimeValue {
  /// The value as a truth value, if it is one.
  public var bool: Bool? { if case .bool(let value) = unboxed.content { value } else { nil } }

  /// The value as an integer, if it is a whole number that fits.
  public var int: Int? { integer() }

  /// The value as an unsigned integer, if it is a whole number that fits.
  public var uint: UInt? { integer() }

  /// The value as a floating-point number, if it is a number.
  public var double: Double? {
    switch unboxed.content {
    case .bool(let value): value ? 1 : 0
    case .signed(let value): Double(value)
    case .unsigned(let value): Double(value)
    case .float(let value): Double(value)
    case .double(let value): value
    case .longDouble(let value): value.double
    default: nil
    }
  }

  /// The object, if the value is one and not nil; a class counts as the object that it is.
  public var object: RuntimeObject? {
    switch content {
    case .object(let object): object
    case .runtimeClass(let runtimeClass): runtimeClass?.object
    default: nil
    }
  }

  /// The class, if the value is one and not nil.
  public var runtimeClass: RuntimeClass? {
    if case .runtimeClass(let value) = content { value } else { nil }
  }

  /// The selector, if the value is one and not nil.
  public var selector: RuntimeSelector? {
    if case .selector(let value) = content { value } else { nil }
  }

  /// The text, if the value is a C string or a string object, and not nil.
  public var string: String? {
    switch content {
    case .text(let value): value
    case .object(let object?): text(of: object.id)
    default: nil
    }
  }

  /// Where a pointer points, if the value is one.
  public var address: UInt? { if case .pointer(let value) = content { value } else { nil } }

  /// The members of a struct or the elements of an array.
  public var members: [RuntimeValue]? {
    if case .members(let values) = unboxed.content { values } else { nil }
  }

  /// Whether the value is a nil object, class, selector, C string or pointer.
  public var isNil: Bool {
    switch content {
    case .object(nil), .runtimeClass(nil), .selector(nil), .text(nil), .pointer(0): true
    default: false
    }
  }

  /// The bytes that the value has in memory.
  public var bytes: [UInt8] { memoryBytes(of: self) }

  /// A whole number of any integer type, if this value is a number that fits.
  func integer<Integer: FixedWidthInteger>() -> Integer? {
    switch unboxed.content {
    case .bool(let value): value ? 1 : 0
    case .signed(let value): Integer(exactly: value)
    case .unsigned(let value): Integer(exactly: value)
    case .float(let value): Integer(exactly: value)
    case .double(let value): Integer(exactly: value)
    case .longDouble(let value): Integer(exactly: value.double)
    default: nil
    }
  }
}

extension RuntimeValue: ExpressibleByIntegerLiteral {
  /// A signed integer of 64 bits.
  public init(integerLiteral value: Int) { self = value.runtimeValue }
}

extension RuntimeValue: ExpressibleByFloatLiteral {
  /// A floating-point number of 64 bits.
  public init(floatLiteral value: Double) { self = value.runtimeValue }
}

extension RuntimeValue: ExpressibleByBooleanLiteral {
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = value.runtimeValue }
}

extension RuntimeValue: ExpressibleByStringLiteral {
  /// A C string.
  public init(stringLiteral value: String) { self = value.runtimeValue }
}

extension RuntimeValue: ExpressibleByNilLiteral {
  /// The object nil.
  public init(nilLiteral: ()) { self = .nilObject }
}

extension RuntimeValue: CustomStringConvertible {
  /// The value for people: `40`, `{1.0, 2.0}`, `"text"`, `nil`.
  public var description: String {
    if isNil { return "nil" }
    return switch content {
    case .void: "void"
    case .bool(let value): "\(value)"
    case .signed(let value): "\(value)"
    case .unsigned(let value): "\(value)"
    case .float(let value): "\(value)"
    case .double(let value): "\(value)"
    case .longDouble(let value): "\(value)"
    case .object(let value): value.map { boxDescription(of: $0) ?? $0.description } ?? "nil"
    case .runtimeClass(let value): value.map(\.name) ?? "nil"
    case .selector(let value): value.map(\.name) ?? "nil"
    case .text(let value): value.map { "\"\($0)\"" } ?? "nil"
    case .pointer(let address): hexadecimal(address)
    case .members(let values): "{\(values.map(\.description).joined(separator: ", "))}"
    case .bytes(let bytes): "<\(bytes.map { hexadecimal(UInt($0)) }.joined(separator: " "))>"
    }
  }
}
