import Foundation

/// Builds a student's Swift code together with the driver that plays scenes, in a package that is
/// kept, so that the library is built once.
struct SwiftGrader {
  var folder: URL
  /// A checkout of the library, if not the one that isalab was built from.
  var library: String?
  var cache: URL

  private static let program = """

          .executableTarget(
            name: "Grade",
            dependencies: ["StudentKVO", .product(name: "IsaKVO", package: "IsaKVO")]),
    """

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
    let package = cache.appendingPathComponent("swift-\(checkout.path.stableHash)")
    do {
      try fill(package, checkout)
    } catch {
      throw LabFailure(
        message: "the grader's package cannot be written: \(error.localizedDescription)")
    }
    return try build(package, swift)
  }

  private func fill(_ package: URL, _ checkout: URL) throws {
    let manager = FileManager.default
    let sources = package.appendingPathComponent("Sources")
    try? manager.removeItem(at: sources)
    let grade = sources.appendingPathComponent("Grade")
    try manager.createDirectory(at: grade, withIntermediateDirectories: true)
    try manager.copyItem(
      at: folder.appendingPathComponent("Sources/StudentKVO"),
      to: sources.appendingPathComponent("StudentKVO"))
    // The interface as it was handed out.
    try Data((SwiftKit.interface + "\n").utf8)
      .write(to: sources.appendingPathComponent("StudentKVO/Interface.swift"))
    try Data((SwiftDriver.source + "\n").utf8)
      .write(to: grade.appendingPathComponent("main.swift"))
    let manifest = SwiftKit.manifest(
      name: "LabGrade", checkout: checkout, targets: SwiftGrader.program)
    try Data(manifest.utf8).write(to: package.appendingPathComponent("Package.swift"))
  }

  private func build(_ package: URL, _ swift: URL) throws(LabFailure) -> URL {
    let run = try? TimedProcess.run(
      swift, ["build", "--quiet", "--package-path", package.path, "--product", "Grade"], limit: 900)
    guard let run else { throw LabFailure(message: "\(swift.path) cannot be run") }
    if !run.hasSucceeded {
      throw LabFailure(
        message: "your code does not build:\n\(said(by: run, in: package))", code: 1)
    }
    return package.appendingPathComponent(".build/debug/Grade")
  }

  /// The compiler's errors, with the student's file names instead of those of the copies.
  private func said(by run: TimedProcess, in package: URL) -> String {
    let lines = (run.output + run.errors).split(separator: "\n").filter { $0.hasPrefix("/") }
    let text = lines.isEmpty ? run.output + run.errors : lines.joined(separator: "\n")
    return text.replacingOccurrences(of: package.path, with: folder.path)
  }
}
