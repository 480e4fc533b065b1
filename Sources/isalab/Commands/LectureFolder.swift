import Foundation

/// The folder of a lecture: made whole beside its place, then put there.
struct LectureFolder {
  var path: String

  /// - Returns: What is wrong, if it cannot be written; what was there before is still there then.
  func write(_ pages: [(file: String, html: String)]) -> String? {
    let manager = FileManager.default
    let place = URL(fileURLWithPath: path, isDirectory: true).resolvingSymlinksInPath()
    if let problem = refusal(place) { return problem }
    let made = place.deletingLastPathComponent().appendingPathComponent(
      ".\(place.lastPathComponent)-\(UUID().uuidString)", isDirectory: true)
    defer { try? manager.removeItem(at: made) }
    do {
      try manager.createDirectory(at: made, withIntermediateDirectories: false)
      for page in pages {
        try Data(page.html.utf8).write(to: made.appendingPathComponent(page.file))
      }
      try put(made, at: place)
      return nil
    } catch {
      return
        "\(path): cannot be written, expected a folder in one that exists and may be written to"
    }
  }

  /// Only a lecture gives way to another: a folder with anything else in it stays as it is.
  private func refusal(_ place: URL) -> String? {
    let manager = FileManager.default
    var isFolder: ObjCBool = false
    guard manager.fileExists(atPath: place.path, isDirectory: &isFolder) else { return nil }
    let expected = "expected the folder of a lecture, an empty one, or one that is not there yet"
    guard isFolder.boolValue, let names = try? manager.contentsOfDirectory(atPath: place.path)
    else { return "\(path): is no folder, \(expected)" }
    for name in names.sorted() {
      let text = manager.contents(atPath: place.appendingPathComponent(name).path)
        .map { String(decoding: $0.prefix(4096), as: UTF8.self) }
      if !name.hasSuffix(".html") || text?.contains(Page.generator) != true {
        return "\(path): has a file '\(name)' that is no page of a lecture, \(expected)"
      }
    }
    return nil
  }

  /// The old folder goes when the new one is there, and comes back if that fails.
  private func put(_ made: URL, at place: URL) throws {
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
