import Foundation

/// Builds a student's C code together with the driver that plays scenes.
struct CGrader {
  var level: Int
  var folder: URL
  var compiler: URL
  var core: CoreLibrary

  private static let standard = [
    "-std=c17", "-Wall", "-Wextra", "-g", "-D_GNU_SOURCE", "-DISA_UNCHECKED",
  ]

  /// The compiler that `CC` names, or the system's.
  static func findCompiler(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(LabFailure) -> URL {
    if let named = environment["CC"], !named.isEmpty {
      guard let compiler = Tool.find(named, environment: environment) else {
        throw LabFailure(message: Text("lab.no-named-compiler", ["name": named]))
      }
      return compiler
    }
    for name in ["cc", "clang", "gcc"] {
      if let compiler = Tool.find(name, environment: environment) { return compiler }
    }
    throw LabFailure(
      message:
        Text("lab.no-c-compiler"))
  }

  /// The student's own sources, in a fixed order.
  static func sources(in folder: URL) -> [URL] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".c") }.sorted().map { folder.appendingPathComponent($0) }
      .filter {
        let place = $0.resolvingSymlinksInPath().path
        let type = try? FileManager.default.attributesOfItem(atPath: place)[.type]
        return type as? FileAttributeType == .typeRegular
      }
  }

  /// The program that plays scenes, and the header read before the student's code: what is being
  /// built may not be used to build it.
  static let driver = [
    "guard.h": PackageResources.guard_h, "world.h": PackageResources.world_h,
    "world.c": PackageResources.world_c, "driver.c": PackageResources.driver_c,
  ]

  /// Builds the program in `room`.
  ///
  /// - Parameter guarded: Whether the runtime's own observing is out of bounds.
  /// - Throws: The compiler's words, code 1: the student's code is to blame, or the header that it
  ///   changed.
  func build(in room: URL, guarded: Bool = true) throws(LabFailure) -> URL {
    try write(CGrader.driver, to: room)
    let own = CGrader.sources(in: folder)
    let objects = own.map { $0.lastPathComponent + ".o" }
    for (source, object) in zip(own, objects) {
      try compile(
        (guarded ? ["-include", "guard.h"] : []) + ["-c", source.path, "-o", object], in: room,
        Text("lab.does-not-compile"))
    }
    try compile(
      ["driver.c"] + objects + ["-o", "grade"] + core.linkFlags + ["-ldl"], in: room,
      Text("lab.misfit-header", ["level": level]))
    return room.appendingPathComponent("grade")
  }

  private func write(_ files: [String: String], to room: URL) throws(LabFailure) {
    do {
      for (name, text) in files {
        try Data(text.utf8).write(to: room.appendingPathComponent(name))
      }
    } catch {
      throw LabFailure(
        message: Text("lab.grader-cannot-write", ["path": room.path, "error": "\(error)"]))
    }
  }

  /// Compiles in `room`, whose changing name stays out of what the compiler says.
  private func compile(
    _ arguments: [String], in room: URL, _ complaint: Text
  ) throws(LabFailure) {
    let flags =
      CGrader.standard + ["-DLAB_LEVEL=\(level)", "-I\(folder.path)", "-I."] + core.compileFlags
    var process = ChildProcess(executable: compiler, seconds: 120)
    process.limits = .build
    guard let run = process.run(flags + arguments, in: room) else {
      throw LabFailure(message: Text("lab.compiler-cannot-run", ["path": compiler.path]))
    }
    if !run.hasSucceeded {
      throw LabFailure(complaint, run.errors)
    }
  }
}
