import Foundation

/// The runtime's C core as student code is compiled and linked with it.
struct CoreLibrary: Hashable, Sendable {
  var compileFlags: [String]
  var linkFlags: [String]

  /// Where isalab was built from or, should that have moved, the checkout that it lies in.
  static let ownCheckout: URL = {
    let sources = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let here = ChildProcess.executable.flatMap { checkout(around: $0) }
    return isCheckout(sources) ? sources : here ?? sources
  }()

  /// The nearest folder above `file` that is a checkout.
  static func checkout(around file: URL) -> URL? {
    var folder = file.deletingLastPathComponent()
    while folder.pathComponents.count > 1 {
      if isCheckout(folder) { return folder }
      folder.deleteLastPathComponent()
    }
    return nil
  }

  /// Finds the core: at `path`, in the sources that isalab was built from, or as pkg-config knows
  /// it.
  ///
  /// - Parameters:
  ///   - path: A checkout, or the prefix that it was installed under; nil to look for one.
  ///   - cache: Where a checkout's core is built; it is built once.
  ///   - isChatty: Told before something that takes its time.
  static func find(
    at path: String?, compiler: URL, cache: URL, isChatty: (Text) -> Void
  ) throws(LabFailure) -> CoreLibrary {
    if let path {
      let place = URL(fileURLWithPath: path)
      if isCheckout(place) { return try build(place, compiler, cache, isChatty) }
      if let installed = installed(under: place) { return installed }
      throw LabFailure(
        message: Text("lab.no-library-at", ["path": path]))
    }
    if isCheckout(ownCheckout) { return try build(ownCheckout, compiler, cache, isChatty) }
    if let prefix = Tool.packageWords(["--variable=prefix", "isakvo"])?.first,
      let installed = installed(under: URL(fileURLWithPath: prefix))
    {
      return installed
    }
    throw LabFailure(
      message: Text("lab.no-library"))
  }

  static func isCheckout(_ place: URL) -> Bool {
    exists(place.appendingPathComponent("Sources/CIsa/include/isa.h"))
  }

  /// The folders of a checkout's public headers.
  static func headers(of checkout: URL) -> [String] {
    ["Sources/CIsa/include", "Sources/CIsaHeader/include"]
      .map { checkout.appendingPathComponent($0).path }
  }

  private static func exists(_ file: URL) -> Bool {
    FileManager.default.fileExists(atPath: file.path)
  }

  static var ffiFlags: [String] { Tool.packageWords(["--libs", "libffi"]) ?? ["-lffi"] }

  private static func installed(under prefix: URL) -> CoreLibrary? {
    let library = prefix.appendingPathComponent("lib/libisakvo.a")
    let headers = prefix.appendingPathComponent("include/isakvo")
    guard exists(library), exists(headers.appendingPathComponent("isa.h")) else { return nil }
    return CoreLibrary(
      compileFlags: ["-I\(headers.path)"], linkFlags: [library.path] + ffiFlags + ["-pthread"])
  }

  /// Lets make build what is not up to date, in a folder of its own for each checkout.
  private static func build(
    _ checkout: URL, _ compiler: URL, _ cache: URL, _ isChatty: (Text) -> Void
  ) throws(LabFailure) -> CoreLibrary {
    guard let make = Tool.find("make") else {
      throw LabFailure(message: Text("lab.no-make"))
    }
    let objects = cache.appendingPathComponent("core-\(checkout.path.stableHash)")
    let place = place(of: objects, from: checkout)
    let library = objects.appendingPathComponent("isakvo.o")
    if !exists(library) { isChatty(Text("lab.building-core")) }
    let jobs = ProcessInfo.processInfo.activeProcessorCount
    let run = ChildProcess(executable: make, seconds: 600).run([
      "-s", "-j\(jobs)", "-C", checkout.path, "OBJECTS=\(place)", "CC=\(compiler.path)",
      "CFLAGS=-O1 -w", "\(place)/isakvo.o",
    ])
    guard let run, run.hasSucceeded else {
      throw LabFailure(message: Text("lab.core-fails") + "\n" + (run?.errors ?? ""))
    }
    return CoreLibrary(
      compileFlags: headers(of: checkout).map { "-I\($0)" },
      linkFlags: [library.path] + ffiFlags + ["-pthread"])
  }

  /// The name by which make calls `folder` when it works in `checkout`: a checkout may be in a
  /// folder of any name, but make knows no name with a blank in it.
  private static func place(of folder: URL, from checkout: URL) -> String {
    let above = checkout.path + "/"
    return folder.path.hasPrefix(above) ? String(folder.path.dropFirst(above.count)) : folder.path
  }

  /// The user's cache, or a folder of the system's where its path would not do for make.
  static var defaultCache: URL {
    let environment = ProcessInfo.processInfo.environment
    let base = environment["XDG_CACHE_HOME"] ?? environment["HOME"].map { $0 + "/.cache" }
    let folder = base.map { URL(fileURLWithPath: $0).appendingPathComponent("isalab") }
    func suits(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || "/._-+".contains(character)
    }
    guard let folder, folder.path.allSatisfy(suits),
      (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true))
        != nil
    else { return FileManager.default.temporaryDirectory.appendingPathComponent("isalab") }
    return folder
  }
}

extension String {
  /// The same for the same text in every process (FNV-1a).
  var stableHash: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}
