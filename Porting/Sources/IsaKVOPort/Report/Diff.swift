/// The unified difference of two texts.
struct Diff {
  /// A line with its sign: of both texts, of the old or of the new one.
  private struct Line {
    let sign: Character
    let text: Substring
  }

  private static let context = 3
  private let lines: [Line]

  init(_ old: String, _ new: String) {
    let before = Self.lines(of: old), after = Self.lines(of: new)
    let difference = after.difference(from: before)
    let removed = Set(difference.removals.map(Self.offset))
    let inserted = Set(difference.insertions.map(Self.offset))
    var lines: [Line] = [], first = 0, second = 0
    while first < before.count || second < after.count {
      if removed.contains(first), first < before.count {
        lines.append(Line(sign: "-", text: before[first]))
        first += 1
      } else if inserted.contains(second), second < after.count {
        lines.append(Line(sign: "+", text: after[second]))
        second += 1
      } else {
        lines.append(Line(sign: " ", text: before[first]))
        first += 1
        second += 1
      }
    }
    self.lines = lines
  }

  private static func offset(_ change: CollectionDifference<Substring>.Change) -> Int {
    switch change {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }

  /// Lines with their ends: one of Windows differs from one without.
  private static func lines(of text: String) -> [Substring] {
    var lines: [Substring] = [], start = text.unicodeScalars.startIndex
    for index in text.unicodeScalars.indices where text.unicodeScalars[index] == "\n" {
      let end = text.unicodeScalars.index(after: index)
      lines.append(text[start..<end])
      start = end
    }
    if start < text.endIndex { lines.append(text[start...]) }
    return lines
  }

  /// The difference as `patch` reads it; empty if there is none.
  func text(_ path: String) -> String {
    let changes = lines.indices.filter { lines[$0].sign != " " }
    guard !changes.isEmpty else { return "" }
    // A name with blanks ends with a tab.
    let name = path.contains(" ") ? path + "\t" : path
    var text = "--- \(name)\n+++ \(name)\n", start = changes[0], end = changes[0]
    for change in changes.dropFirst() {
      if change - end > 2 * Self.context {
        text += hunk(start, end)
        start = change
      }
      end = change
    }
    return text + hunk(start, end)
  }

  private func hunk(_ first: Int, _ last: Int) -> String {
    let range = max(0, first - Self.context)..<min(lines.count, last + Self.context + 1)
    let head = "-\(place(range, "+")) +\(place(range, "-"))"
    return "@@ \(head) @@\n"
      + lines[range].map { line in
        let isWhole = line.text.unicodeScalars.last == "\n"
        return "\(line.sign)\(line.text)" + (isWhole ? "" : "\n\\ No newline at end of file\n")
      }.joined()
  }

  /// The first line and the number of lines of a hunk, in the text that has no lines of `other`.
  private func place(_ range: Range<Int>, _ other: Character) -> String {
    let before = lines[..<range.lowerBound].count { $0.sign != other }
    let count = lines[range].count { $0.sign != other }
    return count == 0 ? "\(before),0" : "\(before + 1),\(count)"
  }
}

extension PortedFile {
  /// The unified difference to the file as it was; empty if nothing changes.
  package var diff: String {
    guard isChanged else { return "" }
    return Diff(String(decoding: before, as: UTF8.self), String(decoding: after, as: UTF8.self))
      .text(path)
  }
}
