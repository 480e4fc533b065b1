// The arithmetic of `@sum` and `@avg`: Foundation's Decimal behind the C core's table. A result is of
// the kind of what was added up, whatever it comes to: of integers an integer, of floating-point
// numbers, and as their average, a Double, of decimals a Decimal. Code that uses Foundation's names
// gets each as the decimal number that it is.
//
// Owns:      the table, for the life of the process.
// Invariant: a failure is noted by the operations that were there before, whose words it has.
internal import CIsa

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Installs decimal arithmetic, once.
package enum DecimalOperations {
  package static func install() { _ = table }

  private static let table: Void = {
    // The classes of boxes come with it, and not at some sum or refusal.
    SwiftBox.makeClasses()
    let table = UnsafeMutablePointer<kvc_decimal_operations>.allocate(capacity: 1)
    table.initialize(
      to: kvc_decimal_operations(
        from_object: readNumber, add: addNumbers, divide: divideNumber, compare: compareNumbers,
        copy_object: copyNumber,
        context: UnsafeMutableRawPointer(mutating: kvc_get_decimal_operations())))
    kvc_set_decimal_operations(table)
  }()
}

/// The operations that were there before.
private func standard(_ context: Context?) -> kvc_decimal_operations {
  context!.load(as: kvc_decimal_operations.self)
}

/// The kind of numbers that were added up; one that comes later here swallows those before.
private enum Kind: UInt64 {
  case whole, floating, decimal
}

extension kvc_decimal {
  fileprivate init(_ number: Decimal, _ kind: Kind) {
    self.init()
    words.3 = kind.rawValue
    withUnsafeMutableBytes(of: &self) { $0.storeBytes(of: number, as: Decimal.self) }
  }

  // A Decimal leaves the last word alone.
  fileprivate var kind: Kind { Kind(rawValue: words.3) ?? .decimal }

  fileprivate var number: Decimal {
    withUnsafeBytes(of: self) { $0.loadUnaligned(as: Decimal.self) }
  }
}

private let readNumber:
  @convention(c) (isa_id?, UnsafeMutablePointer<kvc_decimal>?, Context?) -> isa_status = {
    object, out, context in
    guard let object else {
      out!.pointee = kvc_decimal(0, .whole)
      return ISA_OK
    }
    switch kvc_kind_of(object) {
    case KVC_KIND_NUMBER, KVC_KIND_STRING:
      out!.pointee = kvc_decimal(decimal(in: RuntimeObject(retaining: object)), kind(of: object))
      return ISA_OK
    default:
      return standard(context).from_object(object, out, nil)
    }
  }

/// The number at the start of a string or of a number's description, which has the digits that
/// lead back to the number.
private func decimal(in object: RuntimeObject) -> Decimal {
  guard let digits = text(of: object) ?? boxDescription(of: object) else { return .nan }
  return Decimal(string: digits) ?? .nan
}

private func kind(of object: isa_id) -> Kind {
  if let sum = SwiftBox.find(object) as? BoxedSum { return sum.kind }
  if kvc_number_digits(object) != nil { return .decimal }
  if let text = text(of: RuntimeObject(retaining: object)) {
    return Int64(text) == nil ? .floating : .whole
  }
  switch RuntimeValue(inside: object).content {
  case .bool, .signed, .unsigned: return .whole
  default: return .floating
  }
}

private let addNumbers:
  @convention(c) (
    UnsafeMutablePointer<kvc_decimal>?, UnsafePointer<kvc_decimal>?, Context?
  ) -> isa_status = { sum, addend, context in
    let first = sum!.pointee.number
    let second = addend!.pointee.number
    let result = first + second
    if result.isNaN, !first.isNaN, !second.isNaN { return overflow(1, context) }
    let kinds = [sum!.pointee.kind.rawValue, addend!.pointee.kind.rawValue]
    sum!.pointee = kvc_decimal(result, Kind(rawValue: kinds.max()!)!)
    return ISA_OK
  }

private let divideNumber:
  @convention(c) (UnsafeMutablePointer<kvc_decimal>?, UInt64, Context?) -> isa_status = {
    dividend, count, context in
    let result = dividend!.pointee.number / Decimal(count)
    if result.isNaN { return overflow(count, context) }
    let kind = dividend!.pointee.kind
    dividend!.pointee = kvc_decimal(result, kind == .whole ? .floating : kind)
    return ISA_OK
  }

/// Fails as the operations before do, for what is not a number.
private func overflow(_ count: UInt64, _ context: Context?) -> isa_status {
  let operations = standard(context)
  var text: isa_id?
  var number = kvc_decimal()
  guard kvc_string_make("", &text) == ISA_OK else { return ISA_ERR_NO_MEMORY }
  defer { isa_object_release(text) }
  let status = operations.from_object(text, &number, nil)
  return status == ISA_OK ? operations.divide(&number, count, nil) : status
}

private let compareNumbers:
  @convention(c) (UnsafePointer<kvc_decimal>?, UnsafePointer<kvc_decimal>?, Context?) -> Int32 = {
    first, second, _ in
    let first = first!.pointee.number
    let second = second!.pointee.number
    return first < second ? -1 : first > second ? 1 : 0
  }

private let copyNumber:
  @convention(c) (
    UnsafePointer<kvc_decimal>?, UnsafeMutablePointer<isa_id?>?, Context?
  ) -> isa_status = { number, out, _ in
    let sum = BoxedSum(number!.pointee.number, number!.pointee.kind)
    out!.pointee = makeNumber(.decimal(sum.exact.description), sum)
    return ISA_OK
  }

/// The result of adding up.
private final class BoxedSum: BoxedValue {
  let kind: Kind
  let exact: Decimal

  init(_ exact: Decimal, _ kind: Kind) {
    self.exact = exact
    self.kind = kind
  }

  var any: Any {
    let digits = exact.description
    return switch kind {
    case .whole: Int(digits) ?? UInt(digits) ?? exact as Any
    case .floating: Double(digits) ?? .nan
    case .decimal: exact
    }
  }

  var exactly: Any { exact }
}

/// The number that has exactly these digits.
package func exactNumber(_ digits: String) -> Any? { Decimal(string: digits) }
