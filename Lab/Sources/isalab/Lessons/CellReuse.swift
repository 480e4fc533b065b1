extension Lessons {
  static let cellReuse = lesson(
    "cell-reuse", PackageResources.cell_reuse_lesson,
    choices: [
      { $0.step(late)?.deliveries.isEmpty == true },
      { $0.stopped == nil && told($0) == ["first"] },
      { $0.stopped != nil && told($0) == ["first"] },
    ])

  private static let late = "first.text = \"Late\""

  /// The objects of which the cell is told.
  private static func told(_ run: Run) -> [String] { run.deliveries(late).map(\.object) }
}
