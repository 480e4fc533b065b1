/// A file that a student begins with or is graded by, of which a level has a part.
///
/// The lines below `// @from 6` are there from level 6 on, those below `// @until 6` before it, and
/// those below `// @always` again at every level.
enum LevelText {
  static func read(_ text: String, _ level: Int) -> String {
    var isThere = true
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.filter { line in
      guard line.hasPrefix("// @"),
        let mark = line.wholeMatch(of: #/// @(from|until|always)(?: (\d+))?/#)
      else { return isThere }
      let from = mark.2.flatMap { Int($0) } ?? 0
      isThere = (level >= from) != (mark.1 == "until")
      return false
    }.joined(separator: "\n")
  }
}
