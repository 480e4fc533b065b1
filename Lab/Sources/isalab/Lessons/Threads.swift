extension Lessons {
  static let threads = lesson(
    "threads", PackageResources.threads_lesson,
    choices: [
      { changes($0).count == 1 },
      { changes($0) == [false, true] },
      { changes($0) == [true, false] },
    ])

  /// Of each change that watcher heard, whether it was told on the second thread.
  private static func changes(_ run: Run) -> [Bool] {
    run.deliveries("clicks.count = 1").filter { $0.observer == "watcher" }.map(\.isElsewhere)
  }
}
