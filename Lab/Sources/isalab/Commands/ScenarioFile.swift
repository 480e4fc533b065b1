import Foundation

/// The text that a command reads a scenario from.
struct ScenarioFile {
  /// The file's name; `-` is standard input.
  var name: String

  /// How many bytes it may have: a file that never ends is refused too.
  private static let mostBytes = 4 << 20

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

  /// The text in it. A pipe is read like a file, as the shell's `<(…)` is one.
  ///
  /// - Throws: that it cannot be read, or where it is no text.
  func text() throws(DiagnosticList) -> String {
    let handle = name == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: name)
    guard let handle, let data = ScenarioFile.read(handle) else {
      throw unreadable(
        Text("file.unreadable", ["reason": reason]), SourceLocation(line: 1, column: 1))
    }
    if data.count > ScenarioFile.mostBytes {
      throw unreadable(Text("file.too-long"), SourceLocation(line: 1, column: 1))
    }
    if let text = String(data: data, encoding: .utf8) { return text }
    throw unreadable(Text("file.no-text"), ScenarioFile.firstFault(in: data))
  }

  /// All of it, or one byte more than it may have; nil if it cannot be read.
  private static func read(_ handle: FileHandle) -> Data? {
    var data = Data()
    while data.count <= mostBytes {
      guard let part = try? handle.read(upToCount: mostBytes + 1 - data.count) ?? Data() else {
        return nil
      }
      if part.isEmpty { break }
      data += part
    }
    return data
  }

  private func unreadable(_ problem: Text, _ location: SourceLocation) -> DiagnosticList {
    DiagnosticList(diagnostics: [
      Diagnostic(
        file: name, location: location, problem: problem,
        expected: Text("file.utf-8"))
    ])
  }

  private var reason: Text {
    if name == "-" { return Text("file.no-input") }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: name, isDirectory: &isFolder) else {
      return Text("file.no-file")
    }
    return isFolder.boolValue ? Text("file.is-folder") : Text("file.not-allowed")
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
