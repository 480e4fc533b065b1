extension Row {
  /// The names that tell a row from all others.
  struct Key: Hashable {
    let workload: String
    let subject: String
    let within: Surroundings
  }

  var key: Key { Key(workload: workload, subject: subject, within: within) }

  /// The time of the bare program, in calls, where the goals were set.
  static let bareRatioOfGoals = 3.7

  /// Judges a round by its samples: a goal is missed if the first quartile is above it, a lower bound
  /// if the third is below it.
  mutating func judge() {
    summarize()
    guard let goal, let ratioQ1, let ratioQ3, partner == nil, checked != false else { return }
    met = atLeast == true ? ratioQ3 >= goal : ratioQ1 <= goal
    allowForSlowness()
  }

  /// Where the machine made the bare program slower, it made all such work slower at that moment: a
  /// goal of time that was missed is met if the samples are by no more above it than the bare program
  /// was beside them.
  private mutating func allowForSlowness() {
    guard met == false, atLeast != true, isTime, let goal, let samples, let beside,
      samples.count == beside.count
    else { return }
    let slownesses = beside.map { max(1, $0 / Row.bareRatioOfGoals) }
    let allowedFor = zip(samples, slownesses).map { $0 / $1 }
    guard let least = quantile(0.25, of: allowedFor), least <= goal else { return }
    met = true
    slowness = median(of: slownesses)
  }

  /// Whether it missed a goal of time that lies within what other work on the machine may cost.
  var mayMeetGoal: Bool {
    guard met == false, isTime, partner == nil, atLeast != true, let goal, let ratioQ1
    else { return false }
    return ratioQ1 <= 2 * goal
  }

  /// Adds the samples of another round. The goal is met if one of the rounds meets it: what else the
  /// machine has to do makes a round slower, never faster. Slowness is allowed for over all rounds.
  mutating func pool(_ other: Row) {
    let rounds = [self, other]
    samples = rounds.flatMap { $0.samples ?? [] }
    beside = rounds.allSatisfy { $0.beside != nil } ? rounds.flatMap { $0.beside ?? [] } : nil
    unsteady = rounds.reduce(0) { $0 + ($1.unsteady ?? 0) }
    checked = checked != false && other.checked != false
    nsMedian = median(of: rounds.compactMap(\.nsMedian))
    nsMin = rounds.compactMap(\.nsMin).min()
    nsMax = rounds.compactMap(\.nsMax).max()
    let verdicts = rounds.compactMap { $0.slowness == nil ? $0.met : false }
    met = checked == false ? nil : verdicts.max { !$0 && $1 }
    slowness = nil
    summarize()
    allowForSlowness()
  }

  /// Works out median and quartiles from the samples.
  private mutating func summarize() {
    guard let samples else { return }
    ratio = median(of: samples)
    ratioQ1 = quantile(0.25, of: samples)
    ratioQ3 = quantile(0.75, of: samples)
  }

  /// Whether the instructions are at most eight more than those of the plain access, or at most as
  /// many times as many as the goal says; or at most the goal, where that is a number of them.
  var isMetByInstructions: Bool? {
    guard let instructions, let plainInstructions, let goal else { return nil }
    // A count is the difference of two runs: a fraction of an instruction off.
    let slack = 0.01
    if goalIsCount == true { return instructions <= goal + slack }
    return instructions <= plainInstructions + 8 + slack
      || instructions <= plainInstructions * goal + slack
  }
}
