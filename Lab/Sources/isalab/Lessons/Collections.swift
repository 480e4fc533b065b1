extension Lessons {
  static let collections = lesson(
    "collections", PackageResources.collections_lesson,
    choices: [
      { $0.deliveries(inserting).isEmpty },
      { $0.deliveries(inserting).map(\.kind) == [.setting] },
      { $0.deliveries(inserting).map(\.kind) == [.insertion] },
    ])

  private static let inserting = "insert \"Dawn\" into list.songs at 0"
}
