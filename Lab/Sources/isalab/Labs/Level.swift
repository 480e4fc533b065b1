/// One of the eight exercises.
struct Level: Sendable {
  var number: Int
  var title: Text
  /// The student's task, in a paragraph or two.
  var task: Text
  /// Functions of the runtime that help, each with why.
  var tools: [Text]
  /// The same in Swift.
  var swiftTools: [Text]
  var scenes: [Scene]

  /// The tour's lessons to have seen before.
  var lessons: Text

  static func find(_ number: Int) -> Level? { all.first { $0.number == number } }

  /// The cases of one ID.
  func scenes(_ id: String) throws(LabFailure) -> [Scene] {
    let found = scenes.filter { $0.id == id.uppercased() }
    if !found.isEmpty { return found }
    let ids = scenes.map(\.id)
    let known = ids.enumerated().filter { ids.firstIndex(of: $0.element) == $0.offset }
    let cases = known.map(\.element).joined(separator: ", ")
    throw LabFailure(
      message: Text("lab.no-case", ["level": number, "id": id, "cases": cases]))
  }

  static let all = builtIn { () throws(Diagnostic) in
    let fields = try TextFields(
      PackageResources.levels_txt, file: "levels.txt",
      keys: [
        "level", "level zh", "lessons", "lessons zh", "task", "task zh", "tool", "tool zh",
        "tool swift", "swift zh",
      ])
    var levels: [Level] = []
    for (part, scenes) in zip(fields.parts("level"), scenes) {
      levels.append(try Level(levels.count + 1, part, Scene.read(scenes)))
    }
    return levels
  }

  private static let scenes = [
    PackageResources.level_1_scenes, PackageResources.level_2_scenes,
    PackageResources.level_3_scenes, PackageResources.level_4_scenes,
    PackageResources.level_5_scenes, PackageResources.level_6_scenes,
    PackageResources.level_7_scenes, PackageResources.level_8_scenes,
  ]
}

extension Level {
  private init(_ number: Int, _ fields: TextFields, _ scenes: [Scene]) throws(Diagnostic) {
    self.init(
      number: number, title: try fields.words("level"), task: try fields.words("task"),
      tools: Level.texts(fields, "tool", "tool zh"),
      swiftTools: Level.texts(fields, "tool swift", "swift zh"), scenes: scenes,
      lessons: try fields.words("lessons"))
  }

  private static func texts(_ fields: TextFields, _ english: String, _ chinese: String) -> [Text] {
    zip(fields.texts(english), fields.texts(chinese)).map { Text(english: $0, chinese: $1) }
  }
}
