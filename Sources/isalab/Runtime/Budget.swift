/// How long a run may go on: a scenario may loop, and its observers may set each other off.
///
/// Once it is exceeded nothing more is carried out or recorded, so that all that runs comes to its
/// end by itself.
final class Budget {
  enum Excess: Hashable, Sendable {
    case events, depth
  }

  static let defaultLimit = 10_000
  /// How many observers may act inside each other's callbacks.
  static let deepest = 64

  let limit: Int
  /// Where the statement stands that is being carried out.
  var location = SourceLocation(line: 1, column: 1)
  private(set) var excess: (kind: Excess, location: SourceLocation)?
  private var used = 0
  private var depth = 0

  init(limit: Int = Budget.defaultLimit) { self.limit = limit }

  var isExceeded: Bool { excess != nil }

  /// Counts an event, or one repetition of a statement; answers whether there is room for it.
  func spend() -> Bool {
    guard !isExceeded else { return false }
    used += 1
    if used > limit { excess = (.events, location) }
    return !isExceeded
  }

  /// Runs what an observer does inside its callback, unless too many act inside each other.
  func nest(_ body: () -> Void) {
    guard !isExceeded else { return }
    guard depth < Budget.deepest else {
      excess = (.depth, location)
      return
    }
    depth += 1
    defer { depth -= 1 }
    body()
  }

  /// What to say of the excess; nil if there is none.
  func diagnostic(file: String) -> Diagnostic? {
    excess.map { excess in
      let (problem, expected) =
        switch excess.kind {
        case .events:
          ("the run does not come to an end", "at most \(limit) events, or a higher --limit")
        case .depth:
          (
            "observers act inside each other's callbacks without end",
            "at most \(Budget.deepest) inside each other"
          )
        }
      return Diagnostic(
        file: file, location: excess.location, problem: problem, expected: expected)
    }
  }
}
