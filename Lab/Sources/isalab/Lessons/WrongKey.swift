extension Lessons {
  static let wrongKey = lesson(
    "wrong-key", PackageResources.wrong_key_lesson,
    choices: [
      { run in run.step(registering)?.isRefused == true },
      { run in run.step(registering)?.isRefused == false && isSwapped(run) && told(run) == 0 },
      { run in run.step(registering)?.isRefused == false && told(run) > 0 },
    ])

  private static let registering = "observe ada.agee by typo options()"

  private static func isSwapped(_ run: Run) -> Bool {
    run.before(registering)?.object("ada")?.isa != run.after(registering)?.object("ada")?.isa
  }

  private static func told(_ run: Run) -> Int { run.deliveries("ada.age = 36").count }
}
