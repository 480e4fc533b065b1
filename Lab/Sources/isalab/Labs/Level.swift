/// One of the eight exercises.
struct Level: Sendable {
  var number: Int
  var title: String
  /// The student's task, in a paragraph or two.
  var task: String
  /// Functions of the runtime that help, each with why.
  var tools: [String]
  /// The same in Swift.
  var swiftTools: [String]
  var scenes: [Scene]

  /// The tour's lessons to have seen before.
  var lessons: String

  static func find(_ number: Int) -> Level? { all.first { $0.number == number } }

  /// The cases of one ID.
  func scenes(_ id: String) throws(LabFailure) -> [Scene] {
    let found = scenes.filter { $0.id == id.uppercased() }
    if !found.isEmpty { return found }
    let ids = scenes.map(\.id)
    let known = ids.enumerated().filter { ids.firstIndex(of: $0.element) == $0.offset }
    throw LabFailure(
      message: "level \(number) has no case '\(id)', expected one of "
        + known.map(\.element).joined(separator: ", "))
  }

  static let all = builtIn { () throws(Diagnostic) in
    let fields = try TextFields(
      String(resource: PackageResources.levels_txt), file: "levels.txt",
      keys: ["level", "lessons", "task", "tool", "tool swift"])
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
      number: number, title: try fields.text("level"), task: try fields.text("task"),
      tools: fields.texts("tool"), swiftTools: fields.texts("tool swift"), scenes: scenes,
      lessons: try fields.text("lessons"))
  }
}
