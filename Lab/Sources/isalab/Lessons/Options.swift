extension Lessons {
  static let options = lesson(
    "options", PackageResources.options_lesson,
    choices: [
      { times($0) == 1 },
      { times($0) == 2 },
      { times($0) == 3 },
    ])

  private static func times(_ run: Run) -> Int {
    run.steps.flatMap(\.deliveries).filter { $0.observer == "curious" }.count
  }
}
