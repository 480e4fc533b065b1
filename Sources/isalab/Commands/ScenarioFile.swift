import Foundation

/// A scenario as commands are given it: the name of a file, or `-` for standard input.
struct ScenarioFile {
  var name: String

  /// Reads and checks it.
  ///
  /// - Throws: what is wrong in it, or that it cannot be read.
  func program() throws(DiagnosticList) -> Program {
    guard let text = read() else {
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

  private func read() -> String? {
    let data =
      name == "-"
      ? FileHandle.standardInput.readDataToEndOfFile()
      : FileManager.default.contents(atPath: name)
    return data.flatMap { String(data: $0, encoding: .utf8) }
  }
}
