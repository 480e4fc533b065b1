import Foundation

/// A scenario as commands are given it: the name of a file, or `-` for standard input.
struct ScenarioFile {
  var name: String

  /// Reads and checks it.
  ///
  /// - Throws: what is wrong in it, or that it cannot be read.
  func program() throws(DiagnosticList) -> Program {
    guard let text = text() else {
      throw DiagnosticList(diagnostics: [
        Diagnostic(
          file: name, location: SourceLocation(line: 1, column: 1), problem: "cannot be read",
          expected: "a file of UTF-8 text, or - for standard input")
      ])
    }
    return try ScenarioFile.program(of: text, file: name == "-" ? "stdin" : name)
  }

  /// Checks a scenario that was read already; `file` is what its messages name.
  static func program(of text: String, file: String) throws(DiagnosticList) -> Program {
    try Checker.check(try Parser.parse(text, file: file))
  }

  /// What stands in it; nil if it cannot be read, or is no text. A pipe is read like a file, as
  /// the shell's `<(…)` is one.
  func text() -> String? {
    let handle = name == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: name)
    guard let handle, let data = try? handle.readToEnd() ?? Data() else { return nil }
    return String(data: data, encoding: .utf8)
  }
}
