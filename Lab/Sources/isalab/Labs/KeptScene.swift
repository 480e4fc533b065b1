import Foundation

/// A program and its scenes, left in a folder for a debugger.
struct KeptScene {
  /// Made if it is not there.
  var folder: String
  var language: LabLanguage

  /// - Returns: The debugger's command, a line for each scene.
  func keep(_ program: URL, _ scenes: [Scene]) throws(LabFailure) -> [Text] {
    let place = URL(fileURLWithPath: folder)
    let copy = place.appendingPathComponent("grade")
    let manager = FileManager.default
    do {
      try manager.createDirectory(at: place, withIntermediateDirectories: true)
      try? manager.removeItem(at: copy)
      try manager.copyItem(at: program, to: copy)
      return try scenes.enumerated().map { index, scene in
        let name = scene.id + (index == 0 ? "" : "-\(index + 1)") + ".scene"
        let file = place.appendingPathComponent(name)
        // The key of a scene that is played by hand.
        try Data("-\n\(scene.script)".utf8).write(to: file)
        return Text("lab.to-debug") + line(copy.relativePath, file.relativePath)
      }
    } catch {
      throw LabFailure(
        message: Text("lab.nothing-kept", ["folder": folder, "reason": error.localizedDescription]))
    }
  }

  private func line(_ program: String, _ scene: String) -> String {
    let names = language == .c ? ["gdb", "lldb"] : ["lldb", "gdb"]
    let debugger = names.first { Tool.find($0) != nil } ?? names[0]
    return debugger == "gdb"
      ? "gdb -ex 'run <\(scene)' \(program)"
      : "lldb -o 'process launch -i \(scene)' \(program)"
  }
}
