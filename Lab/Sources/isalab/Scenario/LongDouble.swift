/// C's `long double`, which Swift has a type for on x86 only.
enum LongDouble {
  /// The bytes of `number`, padding included.
  static func bytes(_ number: Double) -> [UInt8] {
    #if (arch(x86_64) || arch(i386)) && !os(Windows)
      return withUnsafeBytes(of: Float80(number)) { Array($0) }
    #elseif os(Linux)
      return withUnsafeBytes(of: quadruple(number)) { Array($0) }
    #else
      return withUnsafeBytes(of: number) { Array($0) }
    #endif
  }

  /// The number in `bytes`, in the shortest digits.
  static func digits(_ bytes: UnsafeRawPointer) -> String {
    #if (arch(x86_64) || arch(i386)) && !os(Windows)
      return bytes.loadUnaligned(as: Float80.self).description
    #elseif os(Linux)
      let words = bytes.loadUnaligned(as: (low: UInt64, high: UInt64).self)
      return double(words).description
    #else
      return bytes.loadUnaligned(as: Double.self).description
    #endif
  }

  // IEEE quadruple precision: a sign, 15 bits of exponent, 112 of fraction. A double's exponent is
  // rebased and its fraction moved to the top; subnormal doubles become zero.

  private static let signBit: UInt64 = 1 << 63
  private static let infiniteExponent: UInt64 = 2047 << 52

  static func quadruple(_ number: Double) -> (low: UInt64, high: UInt64) {
    let fraction = number.significandBitPattern
    var exponent = UInt64(number.exponentBitPattern)
    let sign = number.bitPattern & signBit
    if exponent == 0 { return (0, sign) }
    exponent = exponent == 2047 ? 32767 : exponent + 16383 - 1023
    return (fraction << 60, sign | exponent << 48 | fraction >> 4)
  }

  static func double(_ words: (low: UInt64, high: UInt64)) -> Double {
    let exponent = Int(words.high >> 48 & 0x7FFF)
    let sign = words.high & signBit
    let fraction = (words.high & 0xFFFF_FFFF_FFFF) << 4 | words.low >> 60
    if exponent == 32767 { return Double(bitPattern: sign | infiniteExponent | fraction) }
    let rebased = exponent - 16383 + 1023
    if rebased <= 0 { return Double(bitPattern: sign) }
    if rebased >= 2047 { return Double(bitPattern: sign | infiniteExponent) }
    return Double(bitPattern: sign | UInt64(rebased) << 52 | fraction)
  }
}
