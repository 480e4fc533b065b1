import Foundation

/// A run: what was measured so far, and what could not be.
public final class Session {
  /// The rows measured, in that order.
  public private(set) var rows: [Row] = []
  /// The results of the applications, in the order of their first runs.
  public internal(set) var applications: [Application] = []
  /// The things that could not be measured, a sentence each.
  public private(set) var missing: [String] = []
  /// Whether a driver or a check has failed.
  public private(set) var hasFailed = false
  let progress: Progress
  private let valgrind: String?
  private var places: [Row.Key: Int] = [:]
  var broken: Set<[String]> = []
  /// The rows of the round that a driver is measuring.
  private var round: [Row] = []

  /// Nothing measured yet.
  ///
  /// - Parameter valgrind: Where it is; nil where there is none.
  public init(progress: Progress, valgrind: String? = findValgrind()) {
    self.progress = progress
    self.valgrind = valgrind
  }

  /// The outcome of the run as an exit code: 1, a check or a driver failed; 3, something is missing; 0.
  /// A goal that is missed is a result.
  public var exitCode: Int32 { hasFailed ? 1 : missing.isEmpty ? 0 : 3 }

  /// Names what is left out, once.
  public func leaveOut(_ what: String) {
    guard !missing.contains(what) else { return }
    missing.append(what)
    progress.say("left out: \(what)")
  }

  /// Names what went wrong.
  public func fail(_ what: String) {
    hasFailed = true
    progress.say("failed: \(what)")
  }

  /// Has drivers measure all rows once, or those of the table only, and those of the table in
  /// further rounds, whose samples are pooled.
  ///
  /// The rounds lie apart in time and are processes of their own: what is constant within a process,
  /// such as where its memory lies, and what the machine does for a second or two, shows in the
  /// spread.
  ///
  /// A driver that has surroundings measures the table in them too, in a process of its own in each
  /// round, and all else bare.
  ///
  /// - Parameter bareRounds: In how many of the rounds such a driver measures bare; nil: in all.
  public func measure(
    _ drivers: [Driver], _ choice: Choice, rounds: Int, bareRounds: Int? = nil, samples: Int
  ) {
    for round in 1...rounds {
      for driver in drivers {
        for within in driver.conditions where !broken.contains(driver.call) {
          if within == .bare, round > bareRounds ?? rounds { continue }
          var choice = choice
          choice.within = within
          if round > 1 || within == .program { choice.isQuick = true }
          let title = "\(driver.name)\(within.words), round \(round) of \(rounds)"
          measure(driver, choice, title: title, samples: samples)
        }
      }
    }
    for driver in drivers where !broken.contains(driver.call) {
      attempt(driver) { try judge(driver) }
    }
  }

  /// Has drivers measure again the rows that took less than twice their goal, round after round, until
  /// each meets it or the time is up: a machine that has other work to do has better moments.
  public func repeatMissed(_ drivers: [Driver], samples: Int, until end: Date) {
    while Date() < end {
      let missed = rows.filter(\.mayMeetGoal).map(\.name)
      if missed.isEmpty { return }
      var choice = Choice(isQuick: true, haveGoals: true, filters: missed)
      for driver in drivers where !broken.contains(driver.call) && Date() < end {
        choice.within = driver.conditions.first ?? nil
        measure(driver, choice, title: "\(driver.name), goals just missed", samples: samples)
      }
    }
  }

  /// Whether a driver has any of the chosen rows.
  public func hasRows(_ driver: Driver, _ choice: Choice) -> Bool {
    var rows: [Row] = []
    attempt(driver) { rows = try driver.list(choice) }
    return !rows.isEmpty
  }

  private func measure(_ driver: Driver, _ choice: Choice, title: String, samples: Int) {
    attempt(driver) {
      let count = try driver.list(choice).count
      guard count > 0 else { return }
      progress.begin(title, count)
      try run(driver, choice, samples: samples)
    }
  }

  func attempt(_ driver: Driver, _ body: () throws -> Void) {
    do { try body() } catch {
      broken.insert(driver.call)
      fail("\(driver.name): \(error)")
    }
    progress.end()
  }

  private func run(_ driver: Driver, _ choice: Choice, samples: Int) throws {
    // A driver that stops in the middle keeps the rows that it has printed.
    defer { closeRound() }
    let arguments = choice.arguments + ["--full", "--samples", String(samples)]
    let code = try driver.child(arguments).run { take($0, driver) }
    // The rows say what 1 and 3 say.
    guard [0, 1, 3].contains(code) else { throw ChildError(description: "exit code \(code)") }
  }

  private func take(_ line: String, _ driver: Driver) {
    do throws(LineError) {
      var row = try Row(line: line)
      progress.step(row.name)
      if let reason = row.leftOut { return leaveOut("\(row.name): \(reason)") }
      // A driver that knows surroundings has its goals for the program.
      if row.surroundings == .bare { (row.goal, row.met) = (nil, nil) }
      if row.checked == false { fail("\(row.name): its check failed") }
      round.append(row)
    } catch {
      fail("\(driver.name): \(error)")
    }
  }

  /// Judges the rows of a driver's round and adds their samples to those of the rounds before.
  private func closeRound() {
    if let beside = median(of: round.flatMap { $0.beside ?? [] }) {
      progress.say(
        "the bare program takes \(shortNumber(beside)) calls; \(Row.bareRatioOfGoals) "
          + "where the goals were set")
    }
    for var row in round {
      row.judge()
      if let index = places[row.key] {
        rows[index].pool(row)
      } else {
        places[row.key] = rows.count
        rows.append(row)
      }
    }
    round = []
  }

  // MARK: Goals that are judged by instructions

  private func judge(_ driver: Driver) throws {
    let known = try driver.list(.all)
    let own = Set(known.map(\.name))
    let judged = rows.indices.filter { index in
      own.contains(rows[index].name) && rows[index].partner != nil && rows[index].goal != nil
    }
    guard !judged.isEmpty else { return }
    guard let callgrind = valgrind.map(Callgrind.init(valgrind:)) else {
      return leaveOut("\(driver.name): \(judged.count) goals are not judged: no valgrind here")
    }
    let plain = judged.map { index in known.first { $0.workload == rows[index].partner } }
    progress.begin("\(driver.name), instructions", judged.count)
    let progress = progress
    let counts = try callgrind.count(driver, judged.map { rows[$0] }, plain) { progress.step($0) }
    for (index, count) in zip(judged, counts) { settle(index, count) }
  }

  private func settle(_ index: Int, _ count: Callgrind.Count) {
    switch count {
    case .counted(let instructions, let plain):
      rows[index].instructions = instructions
      rows[index].plainInstructions = plain
      if rows[index].checked != false { rows[index].met = rows[index].isMetByInstructions }
      progress.say("\(rows[index].name): \(rows[index].metText)")
    case .failed(let reason): fail("\(rows[index].name), instructions: \(reason)")
    }
  }
}
