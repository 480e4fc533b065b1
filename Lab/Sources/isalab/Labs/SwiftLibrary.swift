import Foundation

/// The library's Swift modules as student code is compiled and linked with them: isalab's own, where
/// they are up to date, else those of a package in the cache.
struct SwiftLibrary: Sendable {
  let checkout: URL
  /// The folder in which the package manager leaves modules and objects.
  let products: URL

  /// The modules that student code may import.
  static let imported = ["IsaRuntime", "IsaKVO"]
  /// The same with the module below them, of which the package makes no product.
  static let modules = ["IsaKeyValue"] + imported
  private static let cTargets = ["CIsaHeader", "CSwiftRuntime", "CIsa"]

  /// Finds the library of the checkout at `path`, or of the one that isalab was built from.
  ///
  /// - Parameters:
  ///   - cache: Where a library is built that isalab does not lie beside.
  ///   - isChatty: Told before something that takes its time.
  static func find(
    at path: String?, compiler: SwiftCompiler, cache: URL, isChatty: (Text) -> Void
  ) throws(LabFailure) -> SwiftLibrary {
    let checkout = path.map { URL(fileURLWithPath: $0) } ?? CoreLibrary.ownCheckout
    guard CoreLibrary.isCheckout(checkout) else {
      throw LabFailure(
        message: Text("lab.no-checkout", ["path": checkout.path]))
    }
    if isOwn(checkout), !ChildProcess.isSanitized, let program = ChildProcess.executable,
      let own = beside(program, from: checkout, compiler)
    {
      return own
    }
    return try SwiftLibraryPackage(checkout: checkout, cache: cache).build(compiler, isChatty)
  }

  /// Whether isalab was built from `checkout`.
  private static func isOwn(_ checkout: URL) -> Bool {
    let own = CoreLibrary.ownCheckout.resolvingSymlinksInPath()
    return checkout.resolvingSymlinksInPath().path == own.path
  }

  /// The library of which `program` was built, in whose folder it still lies: of this checkout, by
  /// this compiler, and no source has changed since.
  static func beside(
    _ program: URL, from checkout: URL, _ compiler: SwiftCompiler
  ) -> SwiftLibrary? {
    let library = SwiftLibrary(
      checkout: checkout, products: program.deletingLastPathComponent())
    guard let built = program.modified, library.isComplete,
      library.sources.allSatisfy({ $0.modified.map { $0 <= built } ?? false }),
      compiler.wrote(modules.map(library.module))
    else { return nil }
    return library
  }

  // MARK: Parts

  /// The sources of the modules and of what they stand on.
  var sources: [URL] {
    (SwiftLibrary.cTargets + SwiftLibrary.modules).flatMap { target in
      let folder = checkout.appendingPathComponent("Sources/\(target)")
      return folder.files { $0.hasSuffix(".swift") || $0.hasSuffix(".c") || $0.hasSuffix(".h") }
    }
  }

  /// The file of module `name`.
  func module(_ name: String) -> URL {
    products.appendingPathComponent("Modules/\(name).swiftmodule")
  }

  /// The objects of the sources; those of sources that are gone may lie beside them.
  var objects: [URL] { cObjects + swiftObjects }

  private var cObjects: [URL] {
    SwiftLibrary.cTargets.flatMap { target in
      let folder = checkout.appendingPathComponent("Sources/\(target)").path + "/"
      return files(of: target, ".c").map { $0.path.dropFirst(folder.count) + ".o" }
        .map { products.appendingPathComponent("\(target).build/\($0)") }
    }
  }

  private var swiftObjects: [URL] {
    SwiftLibrary.modules.flatMap { target in
      files(of: target, ".swift").map {
        products.appendingPathComponent("\(target).build/\($0.lastPathComponent).o")
      }
    }
  }

  private func files(of target: String, _ suffix: String) -> [URL] {
    checkout.appendingPathComponent("Sources/\(target)").files { $0.hasSuffix(suffix) }
  }

  private var isComplete: Bool {
    let modules = SwiftLibrary.modules.map(module)
    return (modules + objects).allSatisfy { FileManager.default.fileExists(atPath: $0.path) }
  }

  // MARK: Flags

  /// The headers below the modules; the modules themselves are in a folder of the grader's.
  var compileFlags: [String] {
    SwiftLibrary.cTargets.flatMap { target in
      let include = checkout.appendingPathComponent("Sources/\(target)/include").path
      return ["-fmodule-map-file=\(include)/module.modulemap", "-I\(include)"]
    }.flatMap { ["-Xcc", $0] }
  }

  var linkFlags: [String] { objects.map(\.path) + CoreLibrary.ffiFlags }
}

extension URL {
  fileprivate var modified: Date? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
  }

  /// The files below this folder whose names suit, in a fixed order.
  func files(_ suits: (String) -> Bool) -> [URL] {
    let paths = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
    return paths.filter(suits).sorted().map(appendingPathComponent)
  }
}
