/// The values' quantile `fraction`, interpolated between the two nearest; nil of no values.
///
/// - Parameter fraction: 0 is the least value, 0.5 the median, 1 the greatest.
/// - Note: Source type 7 of Hyndman and Fan, Sample quantiles in statistical packages, 1996.
func quantile(_ fraction: Double, of values: [Double]) -> Double? {
  guard !values.isEmpty else { return nil }
  let sorted = values.sorted()
  let place = fraction * Double(sorted.count - 1)
  let below = Int(place)
  let above = min(below + 1, sorted.count - 1)
  return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
}

/// The values' median; nil of no values.
func median(of values: [Double]) -> Double? { quantile(0.5, of: values) }
