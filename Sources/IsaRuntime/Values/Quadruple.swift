/// A number of IEEE's quadruple precision, with as many digits as a double has.
///
/// It has a sign, 15 bits of exponent and 112 of fraction. A double's exponent is rebased, and its
/// fraction moved to the top; a subnormal double becomes zero.
package struct Quadruple: Hashable, Sendable, BitwiseCopyable {
  private let low: UInt64
  private let high: UInt64

  private static let signBit: UInt64 = 1 << 63
  private static let greatestExponent = 32767
  private static let rebase = 16383 - 1023

  package init(_ number: Double) {
    let fraction = number.significandBitPattern
    let sign = number.bitPattern & Self.signBit
    let exponent = Int(number.exponentBitPattern)
    if exponent == 0 {
      (low, high) = (0, sign)
      return
    }
    let rebased = exponent == 2047 ? Self.greatestExponent : exponent + Self.rebase
    (low, high) = (fraction << 60, sign | UInt64(rebased) << 48 | fraction >> 4)
  }

  package init(_ number: some BinaryInteger) { self.init(Double(number)) }

  /// The number of 64 bits, its further digits cut off; zero or infinity where it has none.
  package var double: Double {
    let exponent = Int(high >> 48) & Self.greatestExponent
    let fraction = (high & 0xFFFF_FFFF_FFFF) << 4 | low >> 60
    let rebased = exponent == Self.greatestExponent ? 2047 : exponent - Self.rebase
    let magnitude: UInt64 =
      switch rebased {
      case ...0: 0
      case 2047 where exponent == Self.greatestExponent: 2047 << 52 | fraction
      case 2047...: 2047 << 52
      default: UInt64(rebased) << 52 | fraction
      }
    return Double(bitPattern: high & Self.signBit | magnitude)
  }
}

extension Quadruple: CustomStringConvertible {
  package var description: String { double.description }
}
