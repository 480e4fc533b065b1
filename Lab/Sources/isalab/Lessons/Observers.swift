extension Lessons {
  static let observers = lesson(
    "observers", PackageResources.observers_lesson,
    choices: [
      { order($0) == ["early", "middle", "late"] },
      { order($0) == ["early", "late", "middle"] },
      { order($0) == ["late", "middle", "early"] },
    ])

  private static func order(_ run: Run) -> [String] {
    run.deliveries("ada.age = 36").filter { $0.phase == .change }.map(\.observer)
  }
}
