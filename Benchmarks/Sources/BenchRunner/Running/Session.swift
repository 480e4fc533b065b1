import Foundation

/// A run: what was measured so far, and what could not be.
public final class Session {
  /// The rows measured, in that order.
  public private(set) var rows: [Row] = []
  /// What could not be measured, a sentence each.
  public private(set) var missing: [String] = []
  /// Whether a driver or a check has failed.
  public private(set) var hasFailed = false
  private let progress: Progress

  /// Nothing measured yet.
  public init(progress: Progress) { self.progress = progress }

  /// What the run says as an exit code: 1, a goal is missed or a check failed; 3, something is
  /// missing; 0.
  public var exitCode: Int32 {
    if hasFailed || rows.contains(where: { $0.met == false }) { return 1 }
    return missing.isEmpty ? 0 : 3
  }

  /// Names what is left out.
  public func leaveOut(_ what: String) {
    missing.append(what)
    progress.say("left out: \(what)")
  }

  /// Names what went wrong.
  func fail(_ what: String) {
    hasFailed = true
    progress.say("failed: \(what)")
  }

  /// Has a driver measure all its rows, or those of the table, and takes what it prints.
  public func measure(_ driver: Driver, isQuick: Bool, samples: Int? = nil) {
    do {
      let expected = try driver.list(isQuick: isQuick)
      let first = rows.count
      progress.begin(driver.name, expected.count)
      try run(driver, isQuick: isQuick, samples: samples)
      progress.end()
      try judge(driver, expected, from: first, isQuick: isQuick)
    } catch {
      progress.end()
      fail("\(driver.name): \(error)")
    }
  }

  private func run(_ driver: Driver, isQuick: Bool, samples: Int?) throws {
    var arguments = (isQuick ? ["--quick"] : []) + ["--full"]
    if let samples { arguments += ["--samples", String(samples)] }
    let code = try Child(path: driver.path, arguments: arguments).run { take($0, driver) }
    // 1 and 3 are said by the rows themselves.
    guard [0, 1, 3].contains(code) else {
      throw ChildError(description: "exit code \(code)")
    }
  }

  private func take(_ line: String, _ driver: Driver) {
    do throws(LineError) {
      let row = try Row(line: line)
      progress.step(row.name)
      if let reason = row.leftOut { return leaveOut("\(row.name): \(reason)") }
      if row.checked == false { fail("\(row.name): what was heard is not what was done") }
      rows.append(row)
    } catch {
      fail("\(driver.name): \(error)")
    }
  }

  // MARK: Goals that are judged by instructions

  private func judge(_ driver: Driver, _ known: [Row], from first: Int, isQuick: Bool) throws {
    let judged = rows.indices.filter { $0 >= first && rows[$0].partner != nil }
    guard !judged.isEmpty else { return }
    guard let callgrind = Callgrind() else {
      return leaveOut("\(driver.name): valgrind is not here: \(judged.count) goals not judged")
    }
    let all = isQuick ? try driver.list(isQuick: false) : known
    let plain = judged.map { index in all.first { $0.workload == rows[index].partner } }
    progress.begin("\(driver.name), instructions", judged.count)
    let progress = progress
    let counts = try callgrind.count(driver, judged.map { rows[$0] }, plain) { progress.step($0) }
    progress.end()
    for (index, count) in zip(judged, counts) { settle(index, count) }
  }

  private func settle(_ index: Int, _ count: Callgrind.Count) {
    switch count {
    case .counted(let instructions, let plain):
      rows[index].instructions = instructions
      rows[index].plainInstructions = plain
      if rows[index].checked != false { rows[index].met = rows[index].isMetByInstructions }
    case .failed(let reason): fail("\(rows[index].name), instructions: \(reason)")
    }
  }
}

extension Row {
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
