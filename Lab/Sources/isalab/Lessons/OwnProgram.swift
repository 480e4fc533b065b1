extension Lessons {
  static let ownProgram = lesson(
    "own-program", PackageResources.own_program_lesson,
    choices: [
      { causes($0)?.isEmpty == true },
      { causes($0)?.first == "text" },
      { causes($0) == ["found", "finder", "text"] },
    ])

  /// The changes and notifications that led to what status was told, the nearest first: the keys and
  /// observers. Nil if it was not told.
  private static func causes(_ run: Run) -> [String]? {
    let events = run.step("search.text = \"m\"")?.events ?? []
    guard let told = events.last(where: { $0.observer == "status" }) else { return nil }
    return Array(
      sequence(first: told) { event in events.first { $0.id == event.cause } }.dropFirst()
        .compactMap {
          switch $0.kind {
          case .didChange: $0.name
          case .notification: $0.observer
          default: nil
          }
        })
  }
}
