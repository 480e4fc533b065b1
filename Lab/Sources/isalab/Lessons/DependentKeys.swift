extension Lessons {
  static let dependentKeys = lesson(
    "dependent-keys", PackageResources.dependent_keys_lesson,
    choices: [
      { wrapped($0) == [] },
      { wrapped($0) == ["setFull:"] },
      { wrapped($0) == ["setFirst:", "setLast:"] },
    ])

  private static let observingGreeting = "observe ada.greeting options(old, new) as letter"

  private static func wrapped(_ run: Run) -> [String]? {
    run.after(observingGreeting)?.cls("NSKVONotifying_Person")?.methods
      .filter { $0.kind != .method }.map(\.selector).sorted()
  }
}
