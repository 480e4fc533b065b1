extension Lessons {
  static let isaSwap = lesson(
    "isa-swap", PackageResources.isa_swap_lesson,
    choices: [
      { classChanges($0) },
      { moved($0) == ["ada", "bob"] },
      { !classChanges($0) && moved($0) == ["ada"] },
    ])

  private static let observing = "observe ada.age options(old, new) as watcher"

  private static func classChanges(_ run: Run) -> Bool {
    run.before(observing)?.cls("Person") != run.after(observing)?.cls("Person")
  }

  /// The objects whose isa the observation has moved.
  private static func moved(_ run: Run) -> [String] {
    ["ada", "bob"].filter {
      run.before(observing)?.object($0)?.isa != run.after(observing)?.object($0)?.isa
    }
  }
}
