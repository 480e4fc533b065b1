/// One case: what is done and what must come of it.
struct Scene: Hashable, Sendable {
  /// The case's ID in docs/behaviour.md.
  var id: String
  var title: Text
  /// The thing to think of when it fails.
  var hint: Text
  /// The whole expected timeline: `> ` before what is done, two blanks before what comes of it; what
  /// stands in braces is drawn.
  var expected: [String]

  /// The script that the driver reads: the lines that are done.
  var script: String {
    expected.filter { $0.hasPrefix("> ") }.map { $0.dropFirst(2) + "\n" }.joined()
  }

  /// Scenes apart by empty lines: the ID and title, the hint, each below in Chinese, the timeline.
  static func read(_ text: String) -> [Scene] {
    text.split(separator: "\n\n").map { block in
      let lines = block.split(separator: "\n").map(String.init)
      let heading = lines[0].split(separator: " ", maxSplits: 1).map(String.init)
      return Scene(
        id: heading[0],
        title: Text(english: heading[1], chinese: String(lines[1].dropFirst("zh: ".count))),
        hint: Text(
          english: String(lines[2].dropFirst("hint: ".count)),
          chinese: String(lines[3].dropFirst("hint zh: ".count))),
        expected: Array(lines[4...]))
    }
  }
}
