import Foundation

/// The text that a command reads a scenario from.
struct ScenarioFile {
  /// The file's name; `-` is standard input.
  var name: String

  /// Reads and checks it.
  ///
  /// - Throws: what is wrong in it, or that it cannot be read.
  func program() throws(DiagnosticList) -> Program {
    try ScenarioFile.program(of: try text(), file: name)
  }

  /// Checks a scenario that was read already.
  static func program(of text: String, file: String) throws(DiagnosticList) -> Program {
    try Checker.check(try Parser.parse(text, file: file))
  }

  /// What stands in it. A pipe is read like a file, as the shell's `<(…)` is one.
  ///
  /// - Throws: that it cannot be read, or where it is no text.
  func text() throws(DiagnosticList) -> String {
    let handle = name == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: name)
    guard let handle, let data = try? handle.readToEnd() ?? Data() else {
      throw unreadable("cannot be read: \(reason)", SourceLocation(line: 1, column: 1))
    }
    if let text = String(data: data, encoding: .utf8) { return text }
    throw unreadable("cannot be read: a byte that is no text", ScenarioFile.firstFault(in: data))
  }

  private func unreadable(_ problem: String, _ location: SourceLocation) -> DiagnosticList {
    DiagnosticList(diagnostics: [
      Diagnostic(
        file: name, location: location, problem: problem, expected: "a file of UTF-8 text")
    ])
  }

  private var reason: String {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: name, isDirectory: &isFolder) else {
      return "there is no such file"
    }
    return isFolder.boolValue ? "it is a folder" : "it may not be read"
  }

  /// Where the first byte stands that is no UTF-8.
  private static func firstFault(in data: Data) -> SourceLocation {
    var decoder = UTF8()
    var bytes = data.makeIterator()
    var text = ""
    while case .scalarValue(let scalar) = decoder.decode(&bytes) {
      text.unicodeScalars.append(scalar)
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return SourceLocation(line: lines.count, column: (lines.last?.count ?? 0) + 1)
  }
}
