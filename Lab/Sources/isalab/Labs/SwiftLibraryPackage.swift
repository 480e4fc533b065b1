import Foundation

/// A package in the cache that has the library built: for an isalab that does not lie where it was
/// built, for another checkout, and for sources that have changed since.
struct SwiftLibraryPackage {
  var checkout: URL
  var cache: URL

  /// Lets the package manager build what is not up to date. It has one process at a time do so.
  func build(
    _ compiler: SwiftCompiler, _ isChatty: (Text) -> Void
  ) throws(LabFailure) -> SwiftLibrary {
    let library = SwiftLibrary(
      checkout: checkout, products: place.appendingPathComponent(".build/debug"))
    do {
      try fill()
    } catch {
      throw LabFailure(
        message: Text("lab.package-unwritten", ["reason": error.localizedDescription]))
    }
    if !FileManager.default.fileExists(atPath: library.products.path) {
      isChatty(Text("lab.building-library"))
    }
    let run = ChildProcess(executable: compiler.packageManager, seconds: 900).run(
      ["build", "--quiet", "--package-path", place.path])
    guard let run, run.hasSucceeded else {
      throw LabFailure(
        message: Text("lab.library-fails", ["path": checkout.path])
          + "\n\(run.map { $0.output + $0.errors } ?? "")")
    }
    return library
  }

  /// The package's folder, links followed, as in what the compiler says. It is another one for other
  /// files of the library, of which a package that has been built takes no notice, and where the
  /// cache was moved to.
  private var place: URL {
    let cache = cache.resolvingSymlinksInPath()
    let sources = SwiftLibrary(checkout: checkout, products: cache).sources
    let key = ([cache.path, checkout.path] + sources.map(\.path)).joined(separator: "\n")
    return cache.appendingPathComponent("swift-\(key.stableHash)")
  }

  /// Writes what is not there yet, at once whole: another process may do the same.
  private func fill() throws {
    let sources = place.appendingPathComponent("Sources/Library")
    let imports = SwiftLibrary.imported.map { "import \($0)\n" }.joined()
    let manifest = SwiftKit.manifest(name: "Library", kind: "executableTarget", checkout: checkout)
    try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
    for (file, text) in [
      (place.appendingPathComponent("Package.swift"), manifest),
      (sources.appendingPathComponent("main.swift"), imports),
    ] where (try? Data(contentsOf: file)) != Data(text.utf8) {
      try Data(text.utf8).write(to: file, options: .atomic)
    }
  }
}
