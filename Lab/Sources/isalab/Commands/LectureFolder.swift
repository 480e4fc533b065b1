import Foundation

/// The folder of a lecture, which only another lecture takes the place of.
struct LectureFolder {
  var path: String

  /// - Returns: The reason if it cannot be written; the files before are still there then.
  func write(_ pages: [OutputFolder.File]) -> Text? {
    let folder = OutputFolder(path: path)
    return folder.problem ?? refusal(folder.place) ?? folder.write(pages)
  }

  /// A folder with anything else in it stays as it is.
  private func refusal(_ place: URL) -> Text? {
    let manager = FileManager.default
    var isFolder: ObjCBool = false
    guard manager.fileExists(atPath: place.path, isDirectory: &isFolder) else { return nil }
    let expected = Text("file.lecture-expected")
    guard isFolder.boolValue, let names = try? manager.contentsOfDirectory(atPath: place.path)
    else { return Text("file.no-folder", ["path": path, "expected": expected]) }
    for name in names.sorted() {
      let text = manager.contents(atPath: place.appendingPathComponent(name).path)
        .map { String(decoding: $0.prefix(4096), as: UTF8.self) }
      if !name.hasSuffix(".html") || text?.contains(Page.generator) != true {
        return Text("file.no-page", ["path": path, "name": name, "expected": expected])
      }
    }
    return nil
  }
}
