import Foundation

@testable import IsaKVOPort

/// Folders of this repository.
enum Folder {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  static let fixtures = root.appendingPathComponent("Porting/Tests/Fixtures")
  static let example = root.appendingPathComponent("Examples/Port")
}

/// The text of a file.
func read(_ url: URL) throws -> String { try String(contentsOf: url, encoding: .utf8) }

/// The names of the Swift files in a folder, sorted.
func swiftFiles(in folder: URL) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder.path)
    .filter { $0.hasSuffix(".swift") }.sorted()
}

/// The outcome for one text.
func port(_ text: String, moved: Bool = false) -> PortedFile {
  port([("A.swift", text)], moved: moved)[0]
}

/// The outcome for several files that belong together.
func port(_ files: [(path: String, text: String)], moved: Bool = false) -> [PortedFile] {
  let given = files.map { Porter.File(path: $0.path, bytes: Array($0.text.utf8)) }
  return Porter().port(given, movingFindings: moved).files
}

extension PortedFile {
  /// The text as it is to be.
  var text: String { String(decoding: after, as: UTF8.self) }

  /// The findings as LINE:COLUMN KIND RULE.
  var places: [String] {
    findings.map { "\($0.line):\($0.column) \($0.kind.rawValue) \($0.rule.rawValue)" }
  }
}

/// A folder that goes away with the value.
final class TemporaryFolder {
  let path: String

  init() throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("isakvo-port-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file, with the folders that it stands in, and answers its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let url = URL(fileURLWithPath: path).appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    return url.path
  }
}
