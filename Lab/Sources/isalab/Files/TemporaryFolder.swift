import Foundation

/// A folder that goes with its last reference, and when a signal ends this program.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("isalab-\(UUID().uuidString)")
    Interruption.add(folder: url)
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    } catch {
      Interruption.remove(folder: url)
      throw error
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
    Interruption.remove(folder: url)
  }

  func file(_ name: String) -> URL { url.appendingPathComponent(name) }
}
