extension Lessons {
  static let halfPairs = lesson(
    "half-pairs", PackageResources.half_pairs_lesson,
    choices: [
      { told($0) == [.init(old: .integer(0), new: .integer(36))] },
      { told($0)?.isEmpty == true },
      { told($0) == [.init(old: nil, new: .integer(36))] },
    ])

  private struct Told: Equatable {
    var old: Value?
    var new: Value?
  }

  /// The values that were told of the did alone; nil if there was none.
  private static func told(_ run: Run) -> [Told]? {
    run.step("did ada.age")?.deliveries.map { Told(old: $0.old?.value, new: $0.new?.value) }
  }
}
