import Foundation

// embed-texts OUTPUT FILE…: writes text files into a Swift file, each as a string that is called as
// its file is, and all of them by their files' names. The package manager's own way, an array of bytes, takes the compiler a minute.

/// A name that Swift takes: `graph.css` is `graph_css`.
func identifier(_ file: URL) -> String {
  file.lastPathComponent.replacingOccurrences(
    of: "[^A-Za-z0-9]", with: "_", options: .regularExpression)
}

/// A raw literal of several lines stands for each byte as it is, but for the ends of lines.
func declaration(_ file: URL) throws -> String {
  let text = try String(contentsOf: file, encoding: .utf8)
  let quotes = "\"\"\""
  guard !text.contains(quotes + "####"), !text.utf8.contains(13) else {
    throw CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: file.path])
  }
  return "  static let \(identifier(file)) = ####\(quotes)\n\(text)\n\(quotes)####\n"
}

let paths = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
do {
  let declarations = try paths.dropFirst().map(declaration).joined(separator: "\n")
  let entries = paths.dropFirst().map { "    \"\($0.lastPathComponent)\": \(identifier($0)),\n" }
  let all = "\n  static let all: [String: String] = [\n\(entries.joined())  ]\n"
  try "enum PackageResources {\n\(declarations)\(all)}\n"
    .write(to: paths[0], atomically: true, encoding: .utf8)
} catch {
  FileHandle.standardError.write(Data("embed-texts: \(error)\n".utf8))
  exit(1)
}
