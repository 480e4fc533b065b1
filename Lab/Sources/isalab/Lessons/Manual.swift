extension Lessons {
  static let manual = lesson(
    "manual", PackageResources.manual_lesson,
    choices: [
      { told($0) == [] },
      { told($0) == ["eager"] },
      { told($0) == ["calm", "eager"] },
    ])

  /// The observers that are told by will; nil if there is none.
  private static func told(_ run: Run) -> [String]? {
    run.step("will account.balance")?.deliveries.map(\.observer).sorted()
  }
}
