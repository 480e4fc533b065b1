import Foundation

/// Places of values on a logarithmic axis.
struct LogScale {
  /// The least and the greatest value on the axis.
  let domain: ClosedRange<Double>
  /// Where these two are; downwards where the axis points up.
  let from: Double
  let to: Double

  /// An axis that ends at 1, 2 or 5 times a power of ten beyond the values; a value not above zero
  /// has no place on it.
  init(_ values: [Double], from: Double, to: Double) {
    let positive = values.filter { $0 > 0 && $0.isFinite }
    let low = LogScale.step(below: positive.min() ?? 1)
    let high = LogScale.step(above: positive.max() ?? 10)
    domain = low...max(high, low * 2)
    self.from = from
    self.to = to
  }

  /// Where the value is; at the axis's end where it is beyond it.
  func callAsFunction(_ value: Double) -> Double {
    let inside = min(max(value, domain.lowerBound), domain.upperBound)
    let part = log(inside / domain.lowerBound) / log(domain.upperBound / domain.lowerBound)
    return from + part * (to - from)
  }

  /// The numbers that are written at the axis: 1, 2 and 5 times the powers of ten, or the powers
  /// alone where there are many.
  var ticks: [Double] {
    let all = LogScale.steps.filter { domain.contains($0) }
    let powers = all.filter { LogScale.isPower($0) }
    return powers.count > 3 ? powers : all
  }

  private static let steps: [Double] = (-9...15).flatMap { (exponent: Int) -> [Double] in
    [1, 2, 5].compactMap { (number: Int) -> Double? in Double("\(number)e\(exponent)") }
  }

  private static func isPower(_ value: Double) -> Bool {
    let exponent = log10(value)
    return abs(exponent - exponent.rounded()) < 1e-9
  }

  private static func step(below value: Double) -> Double {
    steps.last { $0 <= value } ?? value
  }

  private static func step(above value: Double) -> Double {
    steps.first { $0 >= value } ?? value
  }
}

/// A number with three digits that count, and thin spaces between thousands.
func shortNumber(_ number: Double) -> String {
  guard number.isFinite else { return "–" }
  let size = abs(number)
  if size >= 1000 {
    let unit = pow(10, floor(log10(size)) - 2)
    return grouped(Int((number / unit).rounded() * unit))
  }
  if size == number.rounded() { return String(Int(number)) }
  return String(format: size >= 99.95 ? "%.0f" : size >= 9.995 ? "%.1f" : "%.2f", number)
}

private func grouped(_ number: Int) -> String {
  var digits = String(abs(number))
  var groups: [String] = []
  while digits.count > 3 {
    groups.insert(String(digits.suffix(3)), at: 0)
    digits.removeLast(3)
  }
  return (number < 0 ? "−" : "") + ([digits] + groups).joined(separator: "\u{202f}")
}
