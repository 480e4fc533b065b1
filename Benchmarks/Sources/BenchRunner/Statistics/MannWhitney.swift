import Foundation

/// The test of Mann and Whitney whether values of one sample tend to be greater than those of
/// another. It supposes no distribution, which timings do not have.
struct MannWhitney {
  /// How many pairs, one of each sample, the first sample wins; a tie is half a pair.
  let u: Double
  /// How probable it is that samples of one population differ at least as much, to either side.
  let p: Double

  /// Compares two samples by the normal approximation, with correction for ties and continuity.
  ///
  /// - Note: The approximation is good from about eight values each. Samples without a value, and
  ///   samples whose values are all alike, do not differ: p is 1.
  init(_ first: [Double], _ second: [Double]) {
    let ranked = Ranks(first + second)
    let (m, n) = (Double(first.count), Double(second.count))
    let rankSum = ranked.ranks.prefix(first.count).reduce(0, +)
    u = rankSum - m * (m + 1) / 2
    let total = m + n
    let spread = m * n / 12 * (total + 1 - ranked.tieTerm / max(total * (total - 1), 1))
    guard m > 0, n > 0, spread > 0 else {
      p = 1
      return
    }
    let distance = max(abs(u - m * n / 2) - 0.5, 0)
    p = min(erfc(distance / (2 * spread).squareRoot()), 1)
  }
}

/// The ranks of values, from 1; values that are alike share the mean of theirs.
struct Ranks {
  /// The rank of each value, in the values' order.
  let ranks: [Double]
  /// The sum of t³ − t over the groups of t values that are alike.
  let tieTerm: Double

  init(_ values: [Double]) {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Double](repeating: 0, count: values.count)
    var tieTerm = 0.0
    var start = 0
    while start < order.count {
      let value = values[order[start]]
      let end = order[start...].firstIndex { values[$0] != value } ?? order.count
      let group = start..<end
      let shared = Double(group.lowerBound + group.upperBound + 1) / 2
      for place in group { ranks[order[place]] = shared }
      let size = Double(group.count)
      tieTerm += size * size * size - size
      start = end
    }
    self.ranks = ranks
    self.tieTerm = tieTerm
  }
}
