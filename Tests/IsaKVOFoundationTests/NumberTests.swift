import Foundation
import IsaKVO
import IsaKVOFoundation
import IsaKVOTestSupport
import Testing

private final class Meter: KVObject {
  @Dynamic var int = 7
  @Dynamic var double = 7.0
  @Dynamic var float: CGFloat = 7
  @Dynamic var decimal: Decimal = 7
  @Dynamic var number: NSNumber = 7
  @Dynamic var decimalNumber: NSDecimalNumber = 7
}

@Suite("Numbers and texts that become numbers", .serialized, .leavesNoObjects)
struct NumberTests {
  private static let keys = ["int", "double", "float", "decimal", "number", "decimalNumber"]
  private static let decimals = ["decimal", "number", "decimalNumber"]

  private func expectRefused(_ value: Any, _ key: String) {
    let meter = Meter()
    let misuses = reports { meter.setValue(value, forKey: key) }
    #expect(misuses.map(\.exception) == ["NSInvalidArgumentException"], "\(value) for \(key)")
    #expect(meter.value(forKey: key) as? Int == 7, "\(value) for \(key)")
  }

  @Test("a text is a number by decimal digits only, whatever the property's type", arguments: keys)
  func digits(_ key: String) {
    for text in ["0x10", "0x1p3", "nan", "inf", "-infinity", "", " 1", "1 ", "1,5", "e5"] {
      expectRefused(text, key)
    }
    // NSString reads an integer up to what is no digit.
    let whole = ["12", "+12", "12.0"], floating = ["1.2e1", "1.2E+1", "12.", "+.12e2"]
    for text in key == "int" ? whole : whole + floating {
      let meter = Meter()
      meter.setValue(text, forKey: key)
      #expect(meter.value(forKey: key) as? Int == 12, "\(text)")
    }
  }

  @Test("a text beyond what a decimal can be is refused", arguments: decimals)
  func bounds(_ key: String) {
    for text in ["1e400", "-1e400", "1e-400", "1e300"] { expectRefused(text, key) }
  }

  @Test(
    "a number beyond what a decimal can be is refused", arguments: ["decimal", "decimalNumber"])
  func large(_ key: String) {
    for number in [1e300, -1e300, 1e-300, .infinity, .nan] {
      expectRefused(number, key)
      expectRefused(NSNumber(value: number), key)
    }
    let meter = Meter()
    meter.setValue(1e300, forKey: "number")
    #expect(meter.number == 1e300)
  }
}
