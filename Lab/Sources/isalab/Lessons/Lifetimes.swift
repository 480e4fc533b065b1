extension Lessons {
  static let lifetimes = lesson(
    "lifetimes", PackageResources.lifetimes_lesson,
    choices: [
      { fate($0) == .skipped },
      { fate($0) == .told },
      { fate($0) == .stopped },
    ])

  private enum Fate { case told, skipped, stopped }

  private static func fate(_ run: Run) -> Fate {
    guard let step = run.step("ada.age = 2"), run.stopped == nil else { return .stopped }
    return step.deliveries.isEmpty ? .skipped : .told
  }
}
