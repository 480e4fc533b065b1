import CIsa
import CIsa.Testing
import Foundation
import Testing

/// The arithmetic of `@sum` and `@avg`.
@Suite(.serialized, .balancedCounts)
struct DecimalTests {
  private func decimal(_ digits: String) throws -> Boxed {
    try Boxed { kvc_number_make_decimal(Double(digits) ?? .nan, digits, $0) }
  }

  private func compute(_ operation: String, _ addends: [Boxed]) throws -> Boxed {
    let numbers = try CollectionType.array(addends)
    return try withExtendedLifetime(numbers) {
      try #require(try value(numbers.id, at: "@\(operation).self"))
    }
  }

  private func read<Number: ExpressibleByIntegerLiteral & BitwiseCopyable>(
    _ box: Boxed, _ letter: Unicode.Scalar, as type: Number.Type
  ) throws -> Number {
    var number: Number = 0
    try check(kvc_number_read(box.id, CChar(letter.value), &number))
    return number
  }

  @Test("what was added up decides which number its sum is, with all digits")
  func kinds() throws {
    let whole = try compute("sum", [.number(2), .number(3)])
    #expect(whole.className == "IsaSum" && whole.description == "5")
    #expect(try read(whole, "q", as: Int64.self) == 5)
    let floating = try compute("sum", [.number(0.1), .number(0.2), .number(3)])
    #expect(floating.className == "IsaSum" && floating.description == "3.3")
    #expect(try read(floating, "d", as: Double.self) == 3.3)
    let decimal = try compute("sum", [.number(1), decimal("0.1")])
    #expect(decimal.className == "IsaDecimalNumber" && decimal.description == "1.1")
    #expect(try compute("avg", [.number(1), .number(2)]).description == "1.5")
    #expect(try compute("sum", [.string(" 2.5 kg"), .string("-1")]).description == "1.5")
    let sums = try [whole, compute("sum", [.number(2)])]
    #expect(try compute("sum", sums).className == "IsaSum")
  }

  @Test("whole sums go up to the greatest numbers, and beyond")
  func greatest() throws {
    let most = try Boxed.number(Int(Int64.max)), one = try Boxed.number(1)
    let unsigned = try compute("sum", [most, one])
    #expect(try read(unsigned, "Q", as: UInt64.self) == 1 << 63)
    let least = try compute("sum", [.number(Int(Int64.min) + 1), .number(-1)])
    #expect(try read(least, "q", as: Int64.self) == .min && least.description == "\(Int64.min)")
    let beyond = try compute("sum", [most, most, most])
    #expect(beyond.description == "27670116110564327421")
    #expect(try read(beyond, "d", as: Double.self) == 27_670_116_110_564_327_424)
  }

  @Test("what is no number is no sum, and has no average")
  func notANumber() throws {
    let apples = try [Boxed.string("apples"), .number(1)]
    #expect(try compute("sum", apples).description == "NaN")
    #expect(try read(compute("sum", apples), "d", as: Double.self).isNaN)
    #expect(try status { try compute("avg", apples) } == KVC_ERR_OVERFLOW)
    #expect(lastException() == "NSDecimalNumberOverflowException")
    for number in [Double.nan, .infinity, 1e300] {
      #expect(try compute("sum", [.number(number)]).description == "NaN")
    }
    #expect(try compute("sum", [.number(1e-300), .number(1)]).description == "1")
    let most = try [decimal("3.4e165"), decimal("3.4e165")]
    #expect(try status { try compute("sum", most) } == KVC_ERR_OVERFLOW)
    #expect(try status { try compute("sum", [Boxed(adopting: kvc_null())]) } != ISA_OK)
    #expect(lastReason().contains("decimalValue]: unrecognized selector"))
  }

  @Test("digits without room are rounded once, and no number is lost to that")
  func rounding() throws {
    let most = "340282366920938463463374607431768211455"
    for digits in [most + ".5", most + ".4", most + "5e-1"] {
      let sum = try compute("sum", [decimal(digits)]).description
      #expect(sum.hasPrefix("3402823669209384634633746074317682114"), "\(sum)")
    }
    for (addend, end) in [("0.49", "000"), ("0.5", "001"), ("0.449", "000")] {
      let sum = try compute(
        "sum", [decimal("3" + String(repeating: "0", count: 38)), decimal(addend)])
      #expect(sum.description.hasSuffix(end), "\(addend)")
    }
    #expect(try compute("sum", [decimal("49e-130")]).description == "0")
    #expect(try compute("sum", [.string("12 eggs")]).description == "12")
    #expect(try compute("sum", [.string("1e 5")]).description == "1")
    let zero = try compute("sum", [.number(0)]), least = try Boxed.number(1e-200)
    #expect(!isEqual(zero, least) && !isEqual(least, zero))
  }

  @Test("without memory there is no sum")
  func allocationFailure() throws {
    let numbers = try [decimal("1.5"), .number(2)]
    try withEachAllocationFailing { _ = try compute("sum", numbers) }
  }

  @Test("sums, averages and order are those of Foundation's decimals", arguments: [12, 38])
  func likeFoundation(length: Int) throws {
    var random = SplitMix(state: UInt64(length))
    func digits() -> String {
      let length = Int.random(in: 1...length, using: &random)
      var text = String((0..<length).map { _ in "0123456789".randomElement(using: &random)! })
      if Bool.random(using: &random) {
        text.insert(
          ".", at: text.index(text.startIndex, offsetBy: Int.random(in: 1...length, using: &random))
        )
      }
      let power = [0, 0, 0, 3, -7].randomElement(using: &random)!
      return (Bool.random(using: &random) ? "-" : "") + text + (power == 0 ? "" : "e\(power)")
    }
    for _ in 0..<2000 {
      let texts = (0..<Int.random(in: 1...3, using: &random)).map { _ in digits() }
      let boxes = try texts.map(decimal), numbers = texts.map { Decimal(string: $0)! }
      let sum = numbers.dropFirst().reduce(numbers[0], +)
      let made = try compute("sum", boxes).description
      // Where all digits have room they are the same; elsewhere Foundation's module loses some.
      let error = length < 20 ? 0 : numbers.map { abs($0) }.max()! * Decimal(string: "1e-25")!
      #expect(abs(Decimal(string: made)! - sum) <= error, "\(texts): \(made), not \(sum)")
      if length < 20 { #expect(made == "\(sum)") }
      let average = Decimal(string: try compute("avg", boxes).description)!
      let expected = sum / Decimal(texts.count)
      let most = max(error, abs(expected) * Decimal(string: "1e-36")!)
      #expect(abs(average - expected) <= most, "\(texts): \(average), not \(expected)")
      var order: Int64 = 0
      try check(kvc_compare(boxes[0].id, boxes.last!.id, &order))
      withExtendedLifetime(boxes) {}
      let last = numbers.last!
      #expect(order.signum() == (numbers[0] < last ? -1 : numbers[0] > last ? 1 : 0), "\(texts)")
    }
  }
}
