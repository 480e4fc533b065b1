extension Lessons {
  static let selectors = lesson(
    "selectors", PackageResources.selectors_lesson,
    choices: [
      { selectorsMeet($0) && !codeMeets($0) },
      { selectorsMeet($0) && codeMeets($0) },
      { !selectorsMeet($0) },
    ])

  private static func setters(_ run: Run) -> [ImplementationView] {
    ["Person", "Tower"].compactMap { run.steps.last?.state.implementation("setAge:", in: $0) }
  }

  private static func selectorsMeet(_ run: Run) -> Bool { setters(run).count == 2 }

  private static func codeMeets(_ run: Run) -> Bool {
    Set(setters(run).map(\.owner)).count == 1 || Set(setters(run).map(\.address)).count == 1
  }
}
