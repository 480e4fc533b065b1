extension Lessons {
  static let keyPaths = lesson(
    "key-paths", PackageResources.key_paths_lesson,
    choices: [
      { moved($0) == 1 },
      { moved($0) == 2 },
      { moved($0) == 3 },
    ])

  private static func moved(_ run: Run) -> Int {
    let facts = run.step("observe ada.home.city options(old, new) as watcher")?.facts ?? []
    return facts.filter { if case .isa = $0 { true } else { false } }.count
  }
}
