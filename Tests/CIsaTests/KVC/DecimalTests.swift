import CIsa
import CIsa.Testing
import Testing

@Suite(.serialized, .balancedCounts, .standardDecimals)
struct DecimalTests {
  @Test("without other operations decimals are doubles")
  func inDouble() throws {
    let operations = kvc_get_decimal_operations()!.pointee
    var sum = try decimal(nil), addend = try decimal(.number(1.5))
    try check(operations.add(&sum, &addend, nil))
    addend = try decimal(.string("2.5 kg"))
    try check(operations.add(&sum, &addend, nil))
    #expect(try description(sum) == "4")
    #expect(operations.compare(&sum, &addend, nil) > 0)
    #expect(operations.compare(&addend, &sum, nil) < 0)
    #expect(operations.compare(&sum, &sum, nil) == 0)
    try check(operations.divide(&sum, 8, nil))
    #expect(try description(sum) == "0.5")
  }

  @Test("a string without a number is none, which cannot be divided")
  func notANumber() throws {
    var sum = try decimal(.string("apples")), addend = try decimal(.number(1))
    try check(kvc_get_decimal_operations()!.pointee.add(&sum, &addend, nil))
    #expect(try description(sum) == "nan")
    #expect(kvc_get_decimal_operations()!.pointee.divide(&sum, 2, nil) == KVC_ERR_OVERFLOW)
    #expect(lastException() == "NSDecimalNumberOverflowException")
    #expect(try description(sum) == "nan")
  }

  @Test("null and other objects do not answer decimalValue")
  func otherObjects() throws {
    #expect(throws: StatusError.self) { try decimal(Boxed(adopting: kvc_null())) }
    #expect(lastException() == "NSInvalidArgumentException")
    #expect(lastReason().hasPrefix("-[IsaNull decimalValue]: unrecognized selector"))
  }

  @Test("operations are replaced, and the default ones come back")
  func replacing() throws {
    let standard = kvc_get_decimal_operations()!
    let operations = immortal(standard.pointee)
    operations.pointee.compare = { _, _, _ in 42 }
    kvc_set_decimal_operations(operations)
    defer { kvc_set_decimal_operations(nil) }
    var zero = try decimal(nil)
    #expect(kvc_get_decimal_operations()!.pointee.compare(&zero, &zero, nil) == 42)
    kvc_set_decimal_operations(nil)
    #expect(kvc_get_decimal_operations() == standard)
  }

  @Test("without memory a decimal becomes no object")
  func allocationFailure() throws {
    let zero = try decimal(nil)
    try withEachAllocationFailing { _ = try object(zero) }
  }

  private func decimal(_ box: Boxed?) throws -> kvc_decimal {
    var decimal = kvc_decimal()
    try check(kvc_get_decimal_operations()!.pointee.from_object(box?.id, &decimal, nil))
    return decimal
  }

  private func object(_ decimal: kvc_decimal) throws -> Boxed {
    try withUnsafePointer(to: decimal) { decimal in
      try Boxed { kvc_get_decimal_operations()!.pointee.copy_object(decimal, $0, nil) }
    }
  }

  private func description(_ decimal: kvc_decimal) throws -> String {
    try object(decimal).description
  }
}
