import Foundation

/// Builds a student's Swift code together with the driver that plays scenes.
struct SwiftGrader {
  var level: Int
  var folder: URL
  var compiler: SwiftCompiler
  var library: SwiftLibrary
  /// Where the compiler keeps the modules of C that it has read.
  var cache: URL

  /// The program that plays scenes.
  private static let driver = [
    "World.swift": PackageResources.World_swift, "Stage.swift": PackageResources.Stage_swift,
    "main.swift": PackageResources.main_swift,
  ]

  private var own: URL { folder.appendingPathComponent("Sources/StudentKVO") }

  /// The student's own sources, in a fixed order, the interface apart.
  private var sources: [URL] {
    own.files { $0.hasSuffix(".swift") && $0 != SwiftGrader.interface }
  }
  private static let interface = "Interface.swift"

  /// Builds the program in `room`.
  ///
  /// - Throws: The compiler's words, code 1, where the student's code is to blame.
  func build(in room: URL) throws(LabFailure) -> URL {
    if sources.isEmpty {
      throw LabFailure(message: Text("lab.no-swift-code", ["folder": own.relativePath]))
    }
    let driver = try fill(room)
    let module = room.appendingPathComponent("StudentKVO.swiftmodule").path
    let object = room.appendingPathComponent("StudentKVO.o").path
    let interface = room.appendingPathComponent(SwiftGrader.interface).path
    let files = [interface] + sources.map(\.path)
    // The run that compiles the module writes it: nothing is read twice.
    try compile(
      ["-module-name", "StudentKVO", "-parse-as-library", "-no-emit-module-separately-wmo"]
        + ["-emit-module", "-emit-module-path", module, "-c", "-o", object] + files,
      in: room, Text("lab.does-not-build"))
    let program = room.appendingPathComponent("grade")
    try compile(
      ["-module-name", "Grade", "-I", room.path, "-o", program.path] + driver + [object]
        + library.linkFlags,
      in: room, Text("lab.misfit-level", ["level": level]))
    return program
  }

  /// Writes what the student's code is compiled with: the interface as it was handed out, the
  /// driver, and links to the modules that may be imported.
  ///
  /// - Returns: The driver's files.
  private func fill(_ room: URL) throws(LabFailure) -> [String] {
    let manager = FileManager.default
    let grader = room.appendingPathComponent("Grade")
    do {
      try Data(SwiftKit.interface(level).utf8)
        .write(to: room.appendingPathComponent(SwiftGrader.interface))
      try manager.createDirectory(at: grader, withIntermediateDirectories: false)
      for module in SwiftLibrary.modules.map(library.module) {
        try manager.createSymbolicLink(
          at: room.appendingPathComponent(module.lastPathComponent), withDestinationURL: module)
      }
      return try SwiftGrader.driver.sorted { $0.key < $1.key }.map { name, resource in
        let file = grader.appendingPathComponent(name)
        try Data(LevelText.read(resource, level).utf8).write(to: file)
        return file.path
      }
    } catch {
      throw LabFailure(
        message: Text(
          "lab.grader-cannot-write", ["path": room.path, "error": error.localizedDescription]))
    }
  }

  private func compile(
    _ arguments: [String], in room: URL, _ complaint: Text
  ) throws(LabFailure) {
    let modules = cache.appendingPathComponent("modules").path
    let flags = ["-I", room.path, "-module-cache-path", modules] + library.compileFlags
    // The room's changing name stays out of what the compiler says.
    try compiler.compile(flags + arguments, complaint) { text in
      text.replacingOccurrences(of: room.path + "/Grade/", with: "the grader's ")
        .replacingOccurrences(of: room.path + "/", with: own.path + "/")
    }
  }
}
