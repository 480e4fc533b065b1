extension Lessons {
  static let bindings = lesson(
    "bindings", PackageResources.bindings_lesson,
    choices: [
      { echoes($0) == 1 && changes($0, of: "window") == 2 },
      { echoes($0) == 1 && changes($0, of: "window") == 1 },
      { echoes($0) == 0 && changes($0, of: "window") == 1 },
    ])

  private static func events(_ run: Run, _ kind: Event.Kind) -> [Event] {
    (run.step("window.width = 640")?.events ?? []).filter { $0.kind == kind }
  }

  /// How often the binding is told of the panel's change.
  private static func echoes(_ run: Run) -> Int {
    events(run, .notification).filter {
      $0.observer == "binding of panel.width" && $0.object == "panel"
    }.count
  }

  private static func changes(_ run: Run, of object: String) -> Int {
    events(run, .didChange).filter { $0.object == object }.count
  }
}
