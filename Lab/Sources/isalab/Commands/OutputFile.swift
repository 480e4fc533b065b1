import Foundation

/// A file that a command writes: whole or not at all. `-` is standard output.
struct OutputFile {
  var path: String
  var console: Console
  /// The file that it is made of, which it must not take the place of.
  var source = "-"

  /// - Parameter text: Whole lines.
  /// - Returns: The reason if it cannot be written; the file before is still there then.
  func write(_ text: String) -> Text? {
    if path == "-" {
      console.out(String(text.dropLast()))
      return nil
    }
    let place = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    if source != "-", URL(fileURLWithPath: source).resolvingSymlinksInPath() == place {
      return Text("file.is-scenario", ["path": path])
    }
    let type = try? FileManager.default.attributesOfItem(atPath: place.path)[.type]
    // A device or a pipe is written to; a file beside it would take its place.
    let isSpecial = (type as? FileAttributeType).map { $0 != .typeRegular } ?? false
    do {
      try Data(text.utf8).write(to: place, options: isSpecial ? [] : .atomic)
      return nil
    } catch {
      return Text("file.unwritten", ["path": path])
    }
  }
}
