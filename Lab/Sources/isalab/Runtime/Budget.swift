/// How long a run may go on: a scenario may loop, and its observers may set each other off.
///
/// Once it is exceeded nothing more is carried out or recorded, so that all that runs comes to its
/// end by itself.
final class Budget {
  enum Excess: Hashable, Sendable {
    case events, depth
    /// A computed property, by class and name.
    case getters(String)
  }

  static let defaultLimit = 10_000
  /// How many observers may act inside each other's callbacks, and getters be called by each other.
  static let deepest = 64
  /// How many computed properties may be worked out in one statement.
  private static let mostGetters = 100_000

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

  /// Whether one more computed property may be worked out, `depth` inside others and after `count`
  /// in the same statement: they may be computed from each other in a circle, or each twice from
  /// the next.
  func spendGetter(_ name: String, depth: Int, count: Int) -> Bool {
    guard !isExceeded else { return false }
    if depth >= Budget.deepest || count >= Budget.mostGetters {
      excess = (.getters(name), location)
    }
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

  /// The words for the excess; nil if there is none.
  func diagnostic(file: String) -> Diagnostic? {
    excess.map { excess in
      let (problem, expected) =
        switch excess.kind {
        case .events:
          (Text("outcome.no-end"), Text("outcome.most-events", ["limit": limit]))
        case .depth:
          (
            Text("outcome.callbacks-without-end"),
            Text("outcome.most-inside", ["count": Budget.deepest])
          )
        case .getters(let name):
          (
            Text("outcome.computed-from-itself", ["name": name]),
            Text("outcome.most-computed", ["count": Budget.deepest, "most": Budget.mostGetters])
          )
        }
      return Diagnostic(
        file: file, location: excess.location, problem: problem, expected: expected)
    }
  }
}
