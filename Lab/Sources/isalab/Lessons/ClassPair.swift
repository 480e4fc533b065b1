extension Lessons {
  static let classPair = lesson(
    "class-pair", PackageResources.class_pair_lesson,
    choices: [
      { gainedMethods($0) == 0 },
      { gainedMethods($0) == 4 },
      { gainedMethods($0) == 6 },
    ])

  private static func gainedMethods(_ run: Run) -> Int? {
    run.after("observe ada.age as watcher")?.cls("NSKVONotifying_Person")?.methods.count
  }
}
