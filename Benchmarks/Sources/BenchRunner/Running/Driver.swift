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

  /// The rows that it knows, without figures; those of the table only, if asked.
  func list(isQuick: Bool) throws -> [Row] {
    var rows: [Row] = []
    var refused: LineError?
    let child = Child(path: path, arguments: (isQuick ? ["--quick"] : []) + ["--list"])
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
