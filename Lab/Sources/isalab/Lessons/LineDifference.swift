/// The lines that two texts have in common, and those in which they differ.
struct LineDifference: Hashable, Sendable {
  enum Mark: Hashable, Sendable {
    case kept, gone, come
  }

  struct Line: Hashable, Sendable {
    var mark: Mark
    var text: String
  }

  private(set) var lines: [Line] = []

  init(from before: [String], to after: [String]) {
    let difference = after.difference(from: before)
    let gone = Set(difference.removals.map(\.offset))
    let come = Set(difference.insertions.map(\.offset))
    var (old, new) = (0, 0)
    while old < before.count || new < after.count {
      if gone.contains(old) {
        lines.append(Line(mark: .gone, text: before[old]))
        old += 1
      } else if come.contains(new) {
        lines.append(Line(mark: .come, text: after[new]))
        new += 1
      } else {
        lines.append(Line(mark: .kept, text: after[new]))
        (old, new) = (old + 1, new + 1)
      }
    }
  }
}

extension CollectionDifference.Change {
  var offset: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}

extension Lesson.Turn {
  /// The changes of the line, computed from the states before it and after it.
  func difference(in run: Run, _ language: Language) -> [LineDifference] {
    guard let before = run.before(line), let after = run.after(line) else { return [] }
    let text = StateText(language: language)
    return subjects.map {
      LineDifference(from: text.lines(of: $0, in: before), to: text.lines(of: $0, in: after))
    }
  }
}
