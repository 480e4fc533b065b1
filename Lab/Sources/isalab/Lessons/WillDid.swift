extension Lessons {
  static let willDid = lesson(
    "will-did", PackageResources.will_did_lesson,
    choices: [
      { cause($0) == .willChange },
      { cause($0) == .didChange },
      { cause($0) == nil },
    ])

  /// The kind of the event in whose course the observer was told.
  private static func cause(_ run: Run) -> Event.Kind? {
    let events = run.step("ada.age = 36")?.events ?? []
    let notification = events.first { $0.kind == .notification }
    return events.first { $0.id == notification?.cause }?.kind
  }
}
