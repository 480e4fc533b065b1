extension Lessons {
  static let fault = lesson(
    "fault", PackageResources.fault_lesson,
    choices: [
      { isa($0) == "Person" },
      { isa($0) == "NSKVONotifying_Person" && told($0) == true },
      { isa($0) == "NSKVONotifying_Person" && told($0) == false },
    ])

  /// Where Bob's isa leads once his name was read.
  private static func isa(_ run: Run) -> String? { run.after("bob.name")?.object("bob")?.isa }

  /// Whether somebody was told meanwhile.
  private static func told(_ run: Run) -> Bool? {
    run.step("bob.name").map { !$0.deliveries.isEmpty }
  }
}
