extension Lessons {
  static let swiftObjects = lesson(
    "swift-objects", PackageResources.swift_objects_lesson,
    choices: [
      { kinds($0)?.contains(.message) == true },
      { kinds($0)?.contains(.willChange) == false && isTold($0) },
      { kinds($0)?.contains(.message) == false && kinds($0)?.contains(.willChange) == true },
    ])

  private static func kinds(_ run: Run) -> [Event.Kind]? {
    run.step("panel.width = 300")?.events.map(\.kind)
  }

  private static func isTold(_ run: Run) -> Bool { !run.deliveries("panel.width = 300").isEmpty }
}
