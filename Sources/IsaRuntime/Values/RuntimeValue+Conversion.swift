internal import CIsa

extension RuntimeValue {
  /// The same value as another type: numbers where the target can hold them, nil where the target
  /// has one, a struct member by member. A value asked for as an object is boxed, one in a box is
  /// taken out.
  ///
  /// - Throws: `KeyValueError.Code.incompatible` where that would change the value, a
  ///   floating-point number's precision aside; `KeyValueError.Code.badEncoding`.
  public func converted(to target: RuntimeTypeEncoding) throws(KeyValueError) -> RuntimeValue {
    if target == encoding { return self }
    if let content = try convertedContent(to: target) { return RuntimeValue(target, content) }
    throw KeyValueError(
      .incompatible, reason: "\(self), a “\(encoding)”, cannot be converted to “\(target)”")
  }

  /// The number that the value is, or that a text begins with, as another number type, in the way in
  /// which a key of that type is set: digits that have no room are cut off.
  ///
  /// - Throws: `KeyValueError.Code.incompatible` for any other value, and any other type.
  public func number(as type: RuntimeTypeEncoding) throws(KeyValueError) -> RuntimeValue {
    try readNumber(boxedObject(), as: type)
  }

  private func convertedContent(to target: RuntimeTypeEncoding) throws(KeyValueError) -> Content? {
    switch TypeLayout(target) {
    case .void: content == .void ? .void : nil
    case .bool: integer().flatMap { (number: UInt8) in number < 2 ? .bool(number == 1) : nil }
    case .signed(let size): fitting(integer(), size).map { .signed($0) }
    case .unsigned(let size): fitting(integer(), size).map { .unsigned($0) }
    case .float: double.map { .float(Float($0)) }
    case .double: double.map { .double($0) }
    case .longDouble: longDouble.map { .longDouble($0) }
    case .object: try objectContent()
    case .runtimeClass: isNil ? .runtimeClass(nil) : classContent
    case .selector: isNil ? .selector(nil) : selector.map { .selector($0) }
    case .text: isNil ? .text(nil) : string.map { .text($0) }
    case .pointer: isNil ? .pointer(0) : address.map { .pointer($0) }
    case .aggregate: try membersContent(as: target)
    case .opaque: try opaqueContent(as: target)
    }
  }

  /// The number, if so many bytes hold it.
  private func fitting<Integer: FixedWidthInteger>(_ number: Integer?, _ size: Int) -> Integer? {
    let spare = Integer.bitWidth - 8 * size
    return number.flatMap { ($0 << spare) >> spare == $0 ? $0 : nil }
  }

  private var longDouble: LongDouble? {
    switch content {
    case .longDouble(let value): value
    case .signed(let value): LongDouble(value)
    case .unsigned(let value): LongDouble(value)
    default: double.map { LongDouble($0) }
    }
  }

  private var classContent: Content? {
    if let runtimeClass { return .runtimeClass(runtimeClass) }
    guard case .object(let object?) = content, let value = object.asClass else { return nil }
    return .runtimeClass(value)
  }

  private func objectContent() throws(KeyValueError) -> Content? {
    if isNil { return .object(nil) }
    if let object { return .object(object) }
    guard let box = try boxedObject() else { return nil }
    return .object(box)
  }

  private func membersContent(as target: RuntimeTypeEncoding) throws(KeyValueError) -> Content? {
    guard let members, let types = try aggregateMembers(target.text)?.map(\.encoding),
      types.count == members.count
    else { return nil }
    var converted: [RuntimeValue] = []
    for (type, member) in zip(types, members) { converted.append(try member.converted(to: type)) }
    return .members(converted)
  }

  private func opaqueContent(as target: RuntimeTypeEncoding) throws(KeyValueError) -> Content? {
    guard case .bytes(let bytes) = content else { return nil }
    return try target.measure().size == bytes.count ? content : nil
  }
}
