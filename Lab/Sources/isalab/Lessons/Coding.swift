extension Lessons {
  static let coding = lesson(
    "coding", PackageResources.coding_lesson,
    choices: [
      { label($0) == .text("label") },
      { label($0) == .text("getLabel") },
      { label($0) == .text("ivar") },
    ])

  private static func label(_ run: Run) -> Value? {
    guard case .property(_, let value) = run.answer("get parcel.label") else { return nil }
    return value
  }
}
