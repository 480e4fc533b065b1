/// How the scenes of a level went with one student's code.
struct Grade: Sendable {
  /// The number from which the values were drawn.
  var seed: UInt32
  var results: [SceneResult] = []
  /// Cases that were left out, after two that did not end.
  var skipped = 0

  var total: Int { results.count + skipped }
  var passed: Int { results.filter(\.hasPassed).count }
  var hasPassed: Bool { passed == total && total > 0 }

  /// Plays `scenes`, each in a process of its own.
  static func play(
    _ scenes: [Scene], _ program: SceneProgram, seed: UInt32
  ) throws(LabFailure) -> Grade {
    var grade = Grade(seed: seed)
    for scene in scenes {
      grade.results.append(try SceneResult.play(scene.drawn(seed: seed), program))
      if grade.results.filter(\.isEndless).count == 2 { break }
    }
    grade.skipped = scenes.count - grade.results.count
    return grade
  }
}
