import Foundation

/// The folder of a lecture, which only another lecture takes the place of.
struct LectureFolder {
  var path: String

  /// - Returns: The reason if it cannot be written; the files before are still there then.
  func write(_ pages: [OutputFolder.File]) -> String? {
    let folder = OutputFolder(path: path)
    return folder.problem ?? refusal(folder.place) ?? folder.write(pages)
  }

  /// A folder with anything else in it stays as it is.
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
}
