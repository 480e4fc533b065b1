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
          try lines(of: driver, filters, take)
        }
      }
    }
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
