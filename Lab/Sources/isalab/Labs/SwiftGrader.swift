import Foundation

/// Builds a student's Swift code together with the driver that plays scenes, in a package that is
/// kept, so that the library is built once.
struct SwiftGrader {
  var level: Int
  var folder: URL
  /// A checkout of the library, if not the one that isalab was built from.
  var library: String?
  var cache: URL

  private static let program = """

          .executableTarget(
            name: "Grade",
            dependencies: ["StudentKVO", .product(name: "IsaRuntime", package: "IsaKVO")]),
    """

  /// The program that plays scenes.
  private static let driver = [
    "World.swift": PackageResources.World_swift, "Stage.swift": PackageResources.Stage_swift,
    "main.swift": PackageResources.main_swift,
  ]

  func build() throws(LabFailure) -> URL {
    guard let swift = Tool.find("swift") else {
      throw LabFailure(message: "there is no Swift compiler: swift was looked for in PATH")
    }
    let checkout = library.map { URL(fileURLWithPath: $0) } ?? CoreLibrary.ownCheckout
    guard CoreLibrary.isCheckout(checkout) else {
      throw LabFailure(
        message: "\(checkout.path) is no checkout of the library, which Swift code needs: name one "
          + "with --isakvo PATH")
    }
    let own = folder.appendingPathComponent("Sources/StudentKVO")
    let paths = SwiftGrader.files(in: own)
    if paths.isEmpty { throw LabFailure(message: "there is no Swift code in \(own.relativePath)") }
    let package = place(for: checkout)
    do {
      try fill(package, checkout, own, paths)
    } catch {
      throw LabFailure(
        message: "the grader's package cannot be written: \(error.localizedDescription)")
    }
    return try build(package, swift)
  }

  /// The package's folder, links followed, as in what the compiler says. It is another one for other
  /// files of the library, of which a package that has been built takes no notice, and where the
  /// cache was moved to.
  private func place(for checkout: URL) -> URL {
    let cache = cache.resolvingSymlinksInPath()
    let library = ["CIsa", "CIsaHeader", "CSwiftRuntime", "IsaKVO", "IsaRuntime"].flatMap {
      target in
      let sources = checkout.appendingPathComponent("Sources/\(target)").path
      return ((try? FileManager.default.subpathsOfDirectory(atPath: sources)) ?? []).sorted()
    }
    let key = ([cache.path, checkout.path] + library).joined(separator: "\n")
    return cache.appendingPathComponent("swift-\(key.stableHash)")
  }

  private func fill(_ package: URL, _ checkout: URL, _ own: URL, _ paths: [String]) throws {
    var files: [String: Data] = [:]
    for path in paths {
      files["Sources/StudentKVO/\(path)"] = try Data(contentsOf: own.appendingPathComponent(path))
    }
    // The interface as it was handed out.
    files["Sources/StudentKVO/Interface.swift"] = Data(SwiftKit.interface(level).utf8)
    for (path, resource) in SwiftGrader.driver {
      files["Sources/Grade/\(path)"] = Data(LevelText.read(resource, level).utf8)
    }
    let manifest = SwiftKit.manifest(
      name: "LabGrade", checkout: checkout, targets: SwiftGrader.program)
    files["Package.swift"] = Data(manifest.utf8)
    try SwiftGrader.write(files, to: package)
  }

  private static func files(in folder: URL) -> [String] {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return paths.filter { $0.hasSuffix(".swift") }
  }

  /// Writes what is not there yet, so that only that is built, and removes what was there before.
  private static func write(_ files: [String: Data], to package: URL) throws {
    let manager = FileManager.default
    let sources = package.appendingPathComponent("Sources")
    for path in SwiftGrader.files(in: sources) where files["Sources/\(path)"] == nil {
      try manager.removeItem(at: sources.appendingPathComponent(path))
    }
    for (path, data) in files {
      let target = package.appendingPathComponent(path)
      if (try? Data(contentsOf: target)) == data { continue }
      try manager.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: target)
    }
  }

  private func build(_ package: URL, _ swift: URL) throws(LabFailure) -> URL {
    let run = ChildProcess(executable: swift, seconds: 900).run(
      ["build", "--quiet", "--package-path", package.path, "--product", "Grade"])
    guard let run else { throw LabFailure(message: "\(swift.path) cannot be run") }
    if !run.hasSucceeded { throw failure(of: run, in: package) }
    return package.appendingPathComponent(".build/debug/Grade")
  }

  private func failure(of run: ChildProcess.Result, in package: URL) -> LabFailure {
    let own = package.appendingPathComponent("Sources/StudentKVO").path
    let grader = package.appendingPathComponent("Sources/Grade").path + "/"
    let errors = SwiftGrader.errors(in: run.output + run.errors)
    let isTogether = errors.isEmpty || errors.contains { $0.hasPrefix(own) }
    let complaint =
      isTogether
      ? "your code does not build" : "your code does not go together with level \(level)"
    let text = errors.isEmpty ? run.output + run.errors : errors.joined(separator: "\n")
    let said = text.replacingOccurrences(
      of: own, with: folder.appendingPathComponent("Sources/StudentKVO").path
    ).replacingOccurrences(of: grader, with: "the grader's ")
    return LabFailure(message: "\(complaint):\n\(said)", code: 1)
  }

  /// The compiler's errors and the notes to them, each once.
  private static func errors(in text: String) -> [String] {
    let lines = text.split(separator: "\n").map(String.init).filter {
      $0.hasPrefix("/") && ($0.contains(": error: ") || $0.contains(": note: "))
    }
    return lines.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
