extension Lessons {
  static let methodSwizzling = lesson(
    "method-swizzling", PackageResources.method_swizzling_lesson,
    choices: [
      { toldOfBob($0) == [] },
      { toldOfBob($0) == ["logger", "watcher"] },
      { toldOfBob($0) == ["logger"] },
    ])

  private static func toldOfBob(_ run: Run) -> Set<String>? {
    (run.step("bob.age = 42")?.deliveries.map(\.observer)).map { Set($0) }
  }
}
