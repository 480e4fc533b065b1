import Foundation

/// The folder of an exported package, which only another one takes the place of.
struct ProgramFolder {
  var path: String

  /// - Returns: The reason if it cannot be written; the files before are still there then.
  func write(_ files: [OutputFolder.File]) -> Text? {
    let folder = OutputFolder(path: path)
    return folder.problem ?? refusal(folder.place) ?? folder.write(files)
  }

  /// A folder with anything else in it stays as it is.
  private func refusal(_ place: URL) -> Text? {
    let manager = FileManager.default
    guard manager.fileExists(atPath: place.path) else { return nil }
    let names = try? manager.contentsOfDirectory(atPath: place.path)
    let mark = place.appendingPathComponent("Sources/Scenario/Telling.swift").path
    if names?.isEmpty == true || manager.fileExists(atPath: mark) { return nil }
    return Text("file.program-expected", ["path": path])
  }
}
