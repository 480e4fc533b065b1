extension Lessons {
  static let deathOrder = lesson(
    "death-order", PackageResources.death_order_lesson,
    choices: [
      { dead($0) == ["ada", "cat", "keeper"] },
      { dead($0) == ["ada", "keeper", "cat"] },
      { dead($0) == ["ada"] },
    ],
    isSolved: { run in
      let given = run.step("release o")?.number ?? .max
      return run.steps.contains { step in
        step.number > given && step.deliveries.contains { $0.observer == "o" }
      }
    })

  private static func dead(_ run: Run) -> [String] {
    (run.step("release ada")?.events ?? []).filter { $0.kind == .deallocated }.compactMap(\.object)
  }
}
