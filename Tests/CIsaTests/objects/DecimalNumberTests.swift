import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts)
struct DecimalNumberTests {
  @Test("a decimal number is a number with digits of its own")
  func digits() throws {
    let number = try Boxed { kvc_number_make_decimal(0.3, "0.30000000000000000001", $0) }
    #expect(number.kind == KVC_KIND_NUMBER && number.className == "IsaDecimalNumber")
    #expect(number.description == "0.30000000000000000001")
    #expect(kvc_number_digits(number.id).map { String(cString: $0) } == number.description)
    var value = 0.0
    try check(kvc_number_read(number.id, CChar(UInt8(ascii: "d")), &value))
    #expect(value == 0.3)
  }

  @Test("it is equal to the nearest number, and hashed alike")
  func equality() throws {
    let number = try Boxed { kvc_number_make_decimal(0.5, "0.5", $0) }
    let half = try Boxed { kvc_number_make_double(0.5, $0) }
    #expect(kvc_is_equal(number.id, half.id) && kvc_is_equal(half.id, number.id))
    #expect(kvc_hash(number.id) == kvc_hash(half.id))
    #expect(kvc_number_digits(half.id) == nil && kvc_number_digits(nil) == nil)
  }

  @Test("a number can be of a class of somebody's own, with digits or without")
  func ownClasses() throws {
    let plain = try ClassPair("OwnNumber", of: kvc_class_of_kind(KVC_KIND_NUMBER, false))
    let decimal = try ClassPair("OwnDecimal", of: isa_class_find("IsaDecimalNumber"))
    defer { withExtendedLifetime((plain, decimal)) {} }
    var whole: Int64 = 1 << 60 + 1
    let letter = CChar(UInt8(ascii: "q"))
    let first = try Boxed { kvc_number_make_in(plain.cls, letter, &whole, nil, $0) }
    let second = try Boxed { kvc_number_make_in(decimal.cls, letter, &whole, "7", $0) }
    #expect(first.className == "OwnNumber" && second.className == "OwnDecimal")
    #expect(first.kind == KVC_KIND_NUMBER && second.description == "7")
    var read: Int64 = 0
    try check(kvc_number_read(first.id, letter, &read))
    #expect(read == whole && kvc_number_digits(first.id) == nil)
    var out: isa_id?
    let none = CChar(UInt8(ascii: "@"))
    #expect(
      kvc_number_make_in(plain.cls, none, &whole, nil, &out) == ISA_ERR_INVALID_ARGUMENT)
  }

  @Test("NULL is no text of digits")
  func refuses() {
    var out: isa_id?
    #expect(kvc_number_make_decimal(1, nil, &out) == ISA_ERR_INVALID_ARGUMENT && out == nil)
  }

  @Test("without memory there is no decimal number")
  func allocationFailure() throws {
    try withEachAllocationFailing {
      _ = try Boxed { kvc_number_make_decimal(1, "1", $0) }
    }
  }
}
