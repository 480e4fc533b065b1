/// Shows how a level went: a line for each case, the first failing one as two timelines, the score.
struct GradeView {
  var style = TextStyle()
  var language = Language.english

  private static let column = 37

  private func say(_ key: String, _ places: Places = [:]) -> String { language.say(key, places) }

  func lines(level: Level, _ grade: Grade) -> [String] {
    let (results, skipped) = (grade.results, grade.skipped)
    let failed = results.filter { !$0.hasPassed }
    var lines = [style.heading(say("grade.level", ["number": level.number, "title": level.title]))]
    lines += [say("grade.seed", ["seed": grade.seed]), ""]
    lines += results.map(line)
    if let first = failed.first { lines += [""] + timelines(first) }
    lines.append("")
    if skipped > 0 { lines.append(say("grade.not-played", ["count": skipped])) }
    let total = results.count + skipped
    let passed = results.count - failed.count
    lines.append(
      passed == total
        ? style.good(say("grade.all-passed", ["count": total]))
        : style.bad(say("grade.not-passed", ["passed": passed, "count": total])))
    return lines
  }

  /// Each case as two timelines, whether it passes or not.
  func lines(cases grade: Grade) -> [String] {
    [say("grade.seed", ["seed": grade.seed])]
      + grade.results.flatMap { result in
        let end =
          result.hasPassed ? style.good(say("grade.passes")) : style.bad(say("grade.fails"))
        return [""] + timelines(result) + ["", end]
      }
  }

  private func line(_ result: SceneResult) -> String {
    let name = "\(padded(result.scene.id, 8)) \(result.scene.title[language])"
    let word = say(result.hasPassed ? "lab.ok" : "lab.failed")
    let blanks = String(repeating: " ", count: max(0, 6 - word.columns))
    return "  \(result.hasPassed ? style.good(word) : style.bad(word))\(blanks)  \(name)"
  }

  /// The expected timeline beside the one that came, row by row.
  func timelines(_ result: SceneResult) -> [String] {
    var lines = [style.heading("\(result.scene.id): \(result.scene.title[language])"), ""]
    let head = padded(say("grade.expected"), GradeView.column) + "| " + say("grade.happened")
    lines.append("    " + head)
    lines.append("    " + String(repeating: "-", count: GradeView.column) + "+--------------------")
    for (expected, heard) in Alignment.rows(result.scene.expected, result.heard) {
      let mark = expected == heard ? " " : "*"
      for (left, right) in folded(expected ?? "", heard ?? "") {
        let row = " \(mark)  " + padded(left, GradeView.column) + "| " + right
        lines.append(
          expected == heard ? row.withoutTrailingBlanks : style.bad(row.withoutTrailingBlanks))
      }
    }
    if result.omitted > 0 {
      lines.append("    " + say("lab.more-lines", ["count": result.omitted]))
    }
    if let trouble = result.troubleText {
      lines += ["", say("grade.trouble", ["text": trouble])].flatMap { wrapped($0) }
    }
    lines += block(say("grade.frames"), result.frames.map { $0[language] })
    lines += block(say("grade.output"), result.printed)
    lines += block(say("grade.errors"), result.shownWords)
    return lines + ["", say("grade.hint", ["text": result.scene.hint])].flatMap { wrapped($0) }
  }

  private func block(_ title: String, _ words: [String]) -> [String] {
    if words.isEmpty { return [] }
    return ["", say("lab.complaint", ["complaint": title])]
      + words.flatMap { wrapped($0, width: 76) }.map { "  " + $0 }
  }

  /// Both sides broken to the width of a column.
  private func folded(_ left: String, _ right: String) -> [(String, String)] {
    let lefts = pieces(left)
    let rights = pieces(right)
    return (0..<max(lefts.count, rights.count)).map {
      ($0 < lefts.count ? lefts[$0] : "", $0 < rights.count ? rights[$0] : "")
    }
  }

  private func pieces(_ text: String) -> [String] {
    let indent = String(text.prefix { $0 == " " })
    let lines = wrapped(text, width: GradeView.column - 1, indent: indent)
    return [lines[0]] + lines.dropFirst().map { "  " + $0 }
  }
}

/// Puts two timelines of one script side by side: what is done stands in one row.
enum Alignment {
  static func rows(_ expected: [String], _ heard: [String]) -> [(String?, String?)] {
    let left = blocks(expected)
    let right = blocks(heard)
    return (0..<max(left.count, right.count)).flatMap { index -> [(String?, String?)] in
      let one = index < left.count ? left[index] : []
      let other = index < right.count ? right[index] : []
      return (0..<max(one.count, other.count)).map {
        ($0 < one.count ? one[$0] : nil, $0 < other.count ? other[$0] : nil)
      }
    }
  }

  /// Each line that is done, with the lines that come of it.
  private static func blocks(_ lines: [String]) -> [[String]] {
    lines.reduce(into: []) { blocks, line in
      if line.hasPrefix("> ") || blocks.isEmpty {
        blocks.append([line])
      } else {
        blocks[blocks.count - 1].append(line)
      }
    }
  }
}
