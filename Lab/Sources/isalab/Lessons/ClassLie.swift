extension Lessons {
  static let classLie = lesson(
    "class-lie", PackageResources.class_lie_lesson,
    choices: [
      { claimOfAda($0) == "Person" },
      { claimOfAda($0) == "NSKVONotifying_Person" },
      { claimOfAda($0) == "IsaObject" },
    ])

  private static func claimOfAda(_ run: Run) -> String? {
    if case .claimedClass(_, let name) = run.answer("class ada") { name } else { nil }
  }
}
