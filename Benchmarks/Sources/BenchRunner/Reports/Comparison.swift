/// The verdict of two runs on one workload.
public enum Verdict: String, CaseIterable, Sendable {
  /// Slower, and not by chance.
  case regression
  /// Faster, and not by chance.
  case improvement
  /// A difference that chance or the machine explains, or one that is too small to matter.
  case noise
  /// A difference in what has no samples, such as a number of bytes.
  case changed
  /// Measured in one of the runs only.
  case onlyInBase = "only in base"
  /// Measured in one of the runs only.
  case onlyInNew = "only in new"
}

/// Two runs' figures of one workload and subject, held against each other.
public struct Comparison: Sendable {
  /// The work that is done.
  public let workload: String
  /// The mechanism that does it.
  public let subject: String
  /// The surroundings that it was measured in, in both runs.
  public let within: Surroundings
  /// The median of the earlier run.
  public let base: Double?
  /// The median of the later run.
  public let new: Double?
  /// How probable the difference is by chance, corrected for the number of tests; nil without one.
  public var p: Double?
  /// Whether the middle halves of the samples have values in common: a thing that is constant for
  /// some seconds, such as another program on the machine, makes samples differ that are alike.
  let isWithinSpread: Bool
  /// The verdict that follows.
  public var verdict: Verdict

  /// The later median as a multiple of the earlier one.
  public var change: Double? {
    guard let base, let new, base > 0 else { return nil }
    return new / base
  }
}

/// The difference that counts.
public struct Threshold: Sendable {
  /// The chance, over all rows of a comparison, that one is called different and is not.
  public var level = 0.01
  /// The relative difference of medians below which a difference does not matter.
  public var relevance = 0.03

  /// The usual thresholds.
  public init() {}
}

/// Compares two runs row by row, in the order of the earlier one.
public func compare(
  base: Results, new: Results, threshold: Threshold = Threshold()
) -> [Comparison] {
  var comparisons = base.rows.map { row in
    Comparison(row, new.row(row.workload, row.subject, row.within), threshold)
  }
  comparisons += new.rows.filter { base.row($0.workload, $0.subject, $0.within) == nil }
    .map { Comparison(onlyNew: $0) }
  let tested = comparisons.indices.filter { comparisons[$0].p != nil }
  let corrected = holmCorrected(tested.compactMap { comparisons[$0].p })
  for (index, p) in zip(tested, corrected) { comparisons[index].settle(p, threshold) }
  return comparisons
}

extension Comparison {
  fileprivate init(_ base: Row, _ new: Row?, _ threshold: Threshold) {
    workload = base.workload
    subject = base.subject
    within = base.within
    self.base = base.ratio
    self.new = new?.ratio
    isWithinSpread = new.map { base.overlaps($0) } ?? false
    p = nil
    verdict = .noise
    guard let new else {
      verdict = .onlyInBase
      return
    }
    if let first = base.samples, let second = new.samples, first.count > 1, second.count > 1 {
      p = MannWhitney(first, second).p
    } else if let change, abs(change - 1) >= threshold.relevance {
      verdict = .changed
    } else if change == nil, base.ratio != new.ratio {
      verdict = .changed
    }
  }

  fileprivate init(onlyNew row: Row) {
    workload = row.workload
    subject = row.subject
    within = row.within
    base = nil
    new = row.ratio
    isWithinSpread = false
    p = nil
    verdict = .onlyInNew
  }

  /// Says what follows from the corrected probability.
  fileprivate mutating func settle(_ p: Double, _ threshold: Threshold) {
    self.p = p
    guard let change, p < threshold.level, !isWithinSpread,
      abs(change - 1) >= threshold.relevance
    else { return }
    verdict = change > 1 ? .regression : .improvement
  }
}

extension Row {
  /// Whether the middle halves of both rows' samples have values in common.
  fileprivate func overlaps(_ other: Row) -> Bool {
    guard let ratioQ1, let ratioQ3, let low = other.ratioQ1, let high = other.ratioQ3
    else { return false }
    return ratioQ1 <= high && low <= ratioQ3
  }
}

extension Results {
  /// The share of samples that were taken while the machine changed its speed.
  public var unsteadyShare: Double {
    let timed = rows.filter(\.isTime)
    let samples = timed.reduce(0) { $0 + ($1.samples?.count ?? 0) }
    return Double(timed.reduce(0) { $0 + ($1.unsteady ?? 0) }) / Double(max(samples, 1))
  }
}
