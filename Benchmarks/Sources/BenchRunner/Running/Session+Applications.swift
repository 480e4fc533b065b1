extension Session {
  /// The applications' drivers among the peers that were built into a folder.
  public func applicationDrivers(in folder: String) -> [Driver] {
    drivers(in: folder + "/applications")
  }

  /// Has each driver run its applications, in turn, round after round: what the machine does for a
  /// while meets all of them. An answer that is wrong is a failure.
  public func run(_ drivers: [Driver], filters: [String], rounds: Int) {
    let filters = filters.flatMap { ["--filter", $0] }
    for round in 1...rounds {
      for driver in drivers where !broken.contains(driver.call) {
        attempt(driver) {
          let count = try lines(of: driver, filters + ["--list"]) { _ in }
          guard count > 0 else { return }
          progress.begin("\(driver.name), round \(round) of \(rounds)", count)
          var runs: [Application] = []
          // A driver that stops in the middle keeps the runs that it has printed.
          let end = Result { try lines(of: driver, filters) { runs.append($0) } }
          for run in runs { take(steadied(run, driver)) }
          _ = try end.get()
        }
      }
    }
  }

  /// The run, or the next one where the machine was not steady meanwhile, a few times at most; every
  /// answer counts.
  private func steadied(_ run: Application, _ driver: Driver) -> Application {
    var run = run
    for _ in 0..<3 where run.steady == false && run.right != false {
      progress.say("\(run.name): taken again, \(run.unsteadiness)")
      var next: Application?
      attempt(driver) {
        try lines(of: driver, ["--filter", run.name]) { if $0.name == run.name { next = $0 } }
      }
      guard let next else { return run }
      run = next
    }
    if run.steady == false { progress.say("\(run.name): kept, though \(run.unsteadiness)") }
    return run
  }

  /// Hands over each line of a driver; returns how many there were.
  @discardableResult private func lines(
    of driver: Driver, _ arguments: [String], _ take: (Application) -> Void
  ) throws -> Int {
    var count = 0
    var refused: LineError?
    let code = try driver.child(arguments).run { line in
      count += 1
      do throws(LineError) { take(try Application(line: line)) } catch { refused = error }
    }
    if let refused { throw refused }
    // The lines say what 1 says.
    guard [0, 1].contains(code) else { throw ChildError(description: "exit code \(code)") }
    return count
  }

  private func take(_ run: Application) {
    progress.step(run.name)
    if run.right == false { fail("\(run.name): its answer is wrong") }
    if let index = applications.firstIndex(where: { $0.name == run.name }) {
      applications[index].pool(run)
    } else {
      applications.append(run)
    }
  }
}
