extension Lessons {
  static let operation = lesson(
    "operation", PackageResources.operation_lesson,
    choices: [
      { isToldAtOnce($0) == true },
      { isToldAtOnce($0) == false && hears($0) == [2] },
      { isToldAtOnce($0) == false && hears($0) == [1, 2] },
    ])

  private static let registering = "observe player.status options(new) as late"

  private static func isToldAtOnce(_ run: Run) -> Bool? {
    run.step(registering).map { !$0.deliveries.isEmpty }
  }

  /// The statuses that late hears.
  private static func hears(_ run: Run) -> [Int] {
    run.steps.flatMap(\.deliveries).filter { $0.observer == "late" }.compactMap {
      if case .integer(let status)? = $0.new?.value { Int(status) } else { nil }
    }
  }
}
