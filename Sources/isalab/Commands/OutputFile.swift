import Foundation

/// A file that a command writes: whole or not at all.
struct OutputFile {
  var path: String

  /// - Returns: What is wrong, if it cannot be written; what was there before is still there then.
  func write(_ text: String) -> String? {
    do {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
      return nil
    } catch {
      return "\(path): cannot be written, expected a file in a folder that exists and may be "
        + "written to"
    }
  }
}
