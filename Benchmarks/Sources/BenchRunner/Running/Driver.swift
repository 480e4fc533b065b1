/// Which rows are measured.
public struct Choice: Sendable {
  /// Whether only those of the table.
  public var isQuick: Bool
  /// Whether only those that have a goal.
  public var haveGoals: Bool
  /// Only those whose subject/name contains one of these; none: all.
  public var filters: [String]
  /// The surroundings that they are measured in; nil for a driver that has none.
  var within: Surroundings?

  /// Those of the table or all, as far as they contain one of `filters`.
  public init(isQuick: Bool, haveGoals: Bool = false, filters: [String] = []) {
    self.isQuick = isQuick
    self.haveGoals = haveGoals
    self.filters = filters
  }

  /// All rows.
  static let all = Choice(isQuick: false)

  /// As a driver takes it.
  var arguments: [String] {
    (isQuick ? ["--quick"] : []) + (haveGoals ? ["--goals"] : [])
      + filters.flatMap { ["--filter", $0] }
      + (within.map { ["--surroundings", $0.rawValue] } ?? [])
  }
}

extension Surroundings? {
  /// As the end of a driver's name.
  var words: String {
    switch self {
    case .program: " in a program"
    case .bare: ", bare"
    case nil: ""
    }
  }
}

/// A program that measures: it knows rows and prints one line for each.
public struct Driver: Sendable {
  /// Its name for people.
  public let name: String
  /// Where it is.
  public let path: String
  /// The arguments that it is always called with, before all else.
  public let arguments: [String]
  /// Whether it can measure in a program. Goals are of what it measures there.
  public let hasSurroundings: Bool

  /// The driver at `path`.
  public init(path: String, arguments: [String] = [], hasSurroundings: Bool = false) {
    self.path = path
    self.arguments = arguments
    self.hasSurroundings = hasSurroundings
    let file = path.split(separator: "/").last.map(String.init) ?? path
    name = ([file] + arguments).joined(separator: " ")
  }

  /// The words that tell it from all others.
  var call: [String] { [path] + arguments }

  /// A call of it.
  func child(_ arguments: [String]) -> Child {
    Child(path: path, arguments: self.arguments + arguments)
  }

  /// The surroundings that it measures in, those of the goals first; nil is one without a name.
  var conditions: [Surroundings?] { hasSurroundings ? [.program, .bare] : [nil] }

  /// The rows that it knows, without figures, as far as they are chosen.
  func list(_ choice: Choice) throws -> [Row] {
    var rows: [Row] = []
    var refused: LineError?
    let code = try child(choice.arguments + ["--list"]).run { line in
      do throws(LineError) { rows.append(try Row(line: line)) } catch { refused = error }
    }
    if let refused { throw refused }
    guard code == 0 else {
      throw ChildError(description: "\(name) --list failed with exit code \(code)")
    }
    return rows
  }
}
