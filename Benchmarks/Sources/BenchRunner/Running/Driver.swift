/// Which rows are measured.
public struct Choice: Sendable {
  /// Whether only those of the table.
  public var isQuick: Bool
  /// Whether only those that have a goal.
  public var haveGoals: Bool
  /// Only those whose subject/name contains one of these; none: all.
  public var filters: [String]

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
  }
}

/// A program that measures: it knows rows and prints one line for each.
public struct Driver: Sendable {
  /// Its name for people.
  public let name: String
  /// Where it is.
  public let path: String

  /// The driver at `path`.
  public init(path: String) {
    self.path = path
    name = path.split(separator: "/").last.map(String.init) ?? path
  }

  /// The rows that it knows, without figures, as far as they are chosen.
  func list(_ choice: Choice) throws -> [Row] {
    var rows: [Row] = []
    var refused: LineError?
    let child = Child(path: path, arguments: choice.arguments + ["--list"])
    let code = try child.run { line in
      do throws(LineError) { rows.append(try Row(line: line)) } catch { refused = error }
    }
    if let refused { throw refused }
    guard code == 0 else {
      throw ChildError(description: "\(name) --list failed with exit code \(code)")
    }
    return rows
  }
}
