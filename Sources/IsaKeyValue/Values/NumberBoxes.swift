// Numbers that have something in them: all their digits, or the value of a Swift type.
//
// Owns:  what is in the box, which its `dealloc` releases.
// Locks: none; a box never changes.

package import CIsa

/// A number, with all that it has.
package enum ForeignNumber {
  case signed(Int64)
  case unsigned(UInt64)
  case bool(Bool)
  case float(Float)
  case double(Double)
  /// The digits of a number that may have more of them than any other kind.
  case decimal(String)

  /// The digits that lead back to the number; a truth value is 1 or 0.
  package var digits: String {
    switch self {
    case .bool(let value): value ? "1" : "0"
    case .decimal(let digits): digits
    case .signed(let value): value.description
    case .unsigned(let value): value.description
    case .float(let value): value.description
    case .double(let value): value.description
    }
  }
}

extension ForeignNumber {
  /// The number as a Swift type, an integer as Swift mostly has it.
  package var any: Any {
    switch self {
    case .signed(let value): Int(exactly: value) ?? value as Any
    case .unsigned(let value): UInt(exactly: value) ?? value as Any
    case .bool(let value): value
    case .float(let value): value
    case .double(let value): value
    case .decimal(let digits): Double(digits) ?? .nan
    }
  }
}

/// The object of a number, which has something in it, with a +1.
package func makeNumber(_ number: ForeignNumber, _ content: any BoxedValue) -> isa_id? {
  switch number {
  case .signed(let value): make("q", value, nil, content)
  case .unsigned(let value): make("Q", value, nil, content)
  case .bool(let value): make("B", value, nil, content)
  case .float(let value): make("f", value, nil, content)
  case .double(let value): make("d", value, nil, content)
  case .decimal(let digits): makeDecimal(digits, content)
  }
}

private func makeDecimal(_ digits: String, _ content: any BoxedValue) -> isa_id? {
  SwiftBox.makeClasses()
  if let value = Int64(digits) { return make("q", value, digits, content) }
  if let value = UInt64(digits) { return make("Q", value, digits, content) }
  return make("d", Double(digits) ?? .nan, digits, content)
}

private func make<Value>(
  _ letter: Unicode.Scalar, _ value: Value, _ digits: String?, _ content: any BoxedValue
) -> isa_id? {
  var id: isa_id?
  let status = withUnsafePointer(to: value) {
    kvc_number_make_in(
      digits == nil ? numberClass : decimalClass, CChar(letter.value), $0, digits, &id)
  }
  return SwiftBox.give(content, to: id, status)
}

extension SwiftBox {
  package static func makeClasses() { _ = (numberClass, decimalClass, valueClass) }

  /// Puts something into an object that has just been ``made(_:_:of:)``.
  package static func give(
    _ content: any BoxedValue, to id: isa_id?, _ status: isa_status
  ) -> isa_id {
    let id = made(id, status, of: type(of: content.any))
    SwiftBox.fill(id, content)
    return id
  }
}

nonisolated(unsafe) private let numberClass = SwiftBox.makeClass(
  "IsaSwiftNumber", kvc_class_of_kind(KVC_KIND_NUMBER, false), SwiftBox.holderMethods)
nonisolated(unsafe) private let decimalClass = SwiftBox.makeClass(
  "IsaSwiftDecimal", isa_class_find("IsaDecimalNumber"), SwiftBox.holderMethods)
