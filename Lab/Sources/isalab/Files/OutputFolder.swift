import Foundation

/// A folder that a command writes: made whole beside its place, then put there.
struct OutputFolder {
  struct File: Hashable, Sendable {
    /// Below the folder.
    var path: String
    var text: String
  }

  let path: String
  /// Where it is, links followed: a link to it stays one.
  let place: URL

  init(path: String) {
    self.path = path
    place = URL(fileURLWithPath: path, isDirectory: true).resolvingSymlinksInPath()
  }

  /// The mistake in the name: a shell in a folder that gives way stands nowhere.
  var problem: Text? {
    path.isEmpty || place.path == FileManager.default.currentDirectoryPath
      ? Text("file.folder-other", ["path": path]) : nil
  }

  /// Writes it in the place of the one that may be there.
  ///
  /// - Returns: The reason if it cannot be written; the files before are still there then.
  func write(_ files: [File]) -> Text? {
    if let problem { return problem }
    let manager = FileManager.default
    let made = place.deletingLastPathComponent().appendingPathComponent(
      ".\(place.lastPathComponent)-\(UUID().uuidString)", isDirectory: true)
    defer { try? manager.removeItem(at: made) }
    do {
      try manager.createDirectory(at: made, withIntermediateDirectories: false)
      for file in files { try write(file, below: made) }
      try put(made)
      return nil
    } catch {
      return Text("file.folder-unwritten", ["path": path])
    }
  }

  private func write(_ file: File, below folder: URL) throws {
    let target = folder.appendingPathComponent(file.path)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(file.text.utf8).write(to: target)
  }

  /// The old folder goes when the new one is there, and comes back if that fails.
  private func put(_ made: URL) throws {
    let manager = FileManager.default
    guard manager.fileExists(atPath: place.path) else {
      return try manager.moveItem(at: made, to: place)
    }
    let old = made.appendingPathExtension("old")
    try manager.moveItem(at: place, to: old)
    do { try manager.moveItem(at: made, to: place) } catch {
      try manager.moveItem(at: old, to: place)
      throw error
    }
    try manager.removeItem(at: old)
  }
}
