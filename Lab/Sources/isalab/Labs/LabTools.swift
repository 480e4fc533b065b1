import Foundation

/// The machine's part in grading: compilers and the library as they link with it. It is found
/// when it is first needed, and once.
final class LabTools: @unchecked Sendable {
  /// Where the library is, if not where isalab was built.
  let library: String?
  let cache: URL
  private let isChatty: (Text) -> Void
  private let lock = NSLock()
  private var c: Result<(URL, CoreLibrary), LabFailure>?
  private var swift: Result<(SwiftCompiler, SwiftLibrary), LabFailure>?

  init(library: String?, cache: URL, isChatty: @escaping (Text) -> Void) {
    self.library = library
    self.cache = cache
    self.isChatty = isChatty
  }

  /// Builds the code of `folder` together with the driver of that level, in `room`.
  func build(_ folder: LabFolder, level: Int, in room: URL) throws(LabFailure) -> URL {
    switch folder.language {
    case .c:
      let (compiler, core) = try forC()
      return try CGrader(level: level, folder: folder.url, compiler: compiler, core: core)
        .build(in: room)
    case .swift:
      let (compiler, found) = try forSwift()
      return try SwiftGrader(
        level: level, folder: folder.url, compiler: compiler, library: found, cache: cache
      ).build(in: room)
    }
  }

  private func forC() throws(LabFailure) -> (URL, CoreLibrary) {
    lock.lock()
    defer { lock.unlock() }
    if c == nil {
      c = Result { () throws(LabFailure) in
        let compiler = try CGrader.findCompiler()
        let core = try CoreLibrary.find(
          at: library, compiler: compiler, cache: cache, isChatty: isChatty)
        return (compiler, core)
      }
    }
    return try c!.get()
  }

  private func forSwift() throws(LabFailure) -> (SwiftCompiler, SwiftLibrary) {
    lock.lock()
    defer { lock.unlock() }
    if swift == nil {
      swift = Result { () throws(LabFailure) in
        let compiler = try SwiftCompiler()
        let found = try SwiftLibrary.find(
          at: library, compiler: compiler, cache: cache, isChatty: isChatty)
        return (compiler, found)
      }
    }
    return try swift!.get()
  }
}
