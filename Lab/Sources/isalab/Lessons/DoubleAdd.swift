extension Lessons {
  static let doubleAdd = lesson(
    "double-add", PackageResources.double_add_lesson,
    choices: [
      { !isRefused($0) && times($0) == 1 },
      { !isRefused($0) && times($0) == 2 },
      { isRefused($0) },
    ])

  private static func times(_ run: Run) -> Int { run.deliveries("ada.age = 36").count }

  private static func isRefused(_ run: Run) -> Bool {
    run.steps.filter { $0.text == "observe ada.age by o options(new)" }.contains(where: \.isRefused)
  }
}
