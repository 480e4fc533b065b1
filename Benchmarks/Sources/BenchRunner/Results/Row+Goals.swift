extension Row {
  /// What tells a row from all others.
  struct Key: Hashable {
    let workload: String
    let subject: String
  }

  var key: Key { Key(workload: workload, subject: subject) }

  /// Adds the samples of another round.
  mutating func pool(_ other: Row) {
    let rounds = [self, other]
    samples = rounds.flatMap { $0.samples ?? [] }
    unsteady = rounds.reduce(0) { $0 + ($1.unsteady ?? 0) }
    checked = checked != false && other.checked != false
    nsMedian = median(of: rounds.compactMap(\.nsMedian))
    nsMin = rounds.compactMap(\.nsMin).min()
    nsMax = rounds.compactMap(\.nsMax).max()
    summarize()
  }

  /// Works out median, quartiles and verdict from the samples.
  private mutating func summarize() {
    guard let samples else { return }
    ratio = median(of: samples)
    ratioQ1 = quantile(0.25, of: samples)
    ratioQ3 = quantile(0.75, of: samples)
    met = isMetBySamples
  }

  /// Whether the goal is reached, or missed by no more than the spread.
  private var isMetBySamples: Bool? {
    guard let goal, let ratioQ1, let ratioQ3, partner == nil, checked != false else { return nil }
    return atLeast == true ? ratioQ3 >= goal : ratioQ1 <= goal
  }

  /// Whether the instructions are at most eight more than those of the plain access, or at most as
  /// many times as many as the goal says.
  var isMetByInstructions: Bool? {
    guard let instructions, let plainInstructions, let goal else { return nil }
    // A count is the difference of two runs: a fraction of an instruction off.
    let slack = 0.01
    return instructions <= plainInstructions + 8 + slack
      || instructions <= plainInstructions * goal + slack
  }
}
