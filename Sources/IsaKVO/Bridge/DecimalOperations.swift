// The arithmetic of `@sum` and `@avg`: Foundation's Decimal behind the C core's table.
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
enum DecimalOperations {
  static func install() { _ = table }

  private static let table: Void = {
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

extension kvc_decimal {
  fileprivate init(_ number: Decimal) {
    self.init()
    withUnsafeMutableBytes(of: &self) { $0.storeBytes(of: number, as: Decimal.self) }
  }

  fileprivate var number: Decimal {
    withUnsafeBytes(of: self) { $0.loadUnaligned(as: Decimal.self) }
  }
}

private let readNumber:
  @convention(c) (isa_id?, UnsafeMutablePointer<kvc_decimal>?, Context?) -> isa_status = {
    object, out, context in
    guard let object else {
      out!.pointee = kvc_decimal(0)
      return ISA_OK
    }
    switch kvc_kind_of(object) {
    case KVC_KIND_NUMBER, KVC_KIND_STRING:
      out!.pointee = kvc_decimal(decimal(in: RuntimeObject(retaining: object)))
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

private let addNumbers:
  @convention(c) (
    UnsafeMutablePointer<kvc_decimal>?, UnsafePointer<kvc_decimal>?, Context?
  ) -> isa_status = { sum, addend, context in
    let first = sum!.pointee.number
    let second = addend!.pointee.number
    let result = first + second
    if result.isNaN, !first.isNaN, !second.isNaN { return overflow(1, context) }
    sum!.pointee = kvc_decimal(result)
    return ISA_OK
  }

private let divideNumber:
  @convention(c) (UnsafeMutablePointer<kvc_decimal>?, UInt64, Context?) -> isa_status = {
    dividend, count, context in
    let result = dividend!.pointee.number / Decimal(count)
    if result.isNaN { return overflow(count, context) }
    dividend!.pointee = kvc_decimal(result)
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

/// As the smallest type that has all digits: a whole number, a double, or a decimal number.
private let copyNumber:
  @convention(c) (
    UnsafePointer<kvc_decimal>?, UnsafeMutablePointer<isa_id?>?, Context?
  ) -> isa_status = { number, out, _ in
    let digits = number!.pointee.number.description
    if let whole = Int64(digits) { return kvc_number_make_integer(whole, out) }
    let nearest = Double(digits) ?? .nan
    if Decimal(string: nearest.description) == number!.pointee.number {
      return kvc_number_make_double(nearest, out)
    }
    return kvc_number_make_decimal(nearest, digits, out)
  }

/// The number that has exactly these digits.
func exactNumber(_ digits: String) -> Any? { Decimal(string: digits) }
