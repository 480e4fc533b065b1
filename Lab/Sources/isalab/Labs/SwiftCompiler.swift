import Foundation
import Synchronization

/// Swift's compiler, and the package manager that comes with it.
struct SwiftCompiler: Sendable {
  let executable: URL
  let packageManager: URL

  init(environment: [String: String] = ProcessInfo.processInfo.environment) throws(LabFailure) {
    guard let compiler = Tool.find("swiftc", environment: environment),
      let manager = Tool.find("swift", environment: environment)
    else {
      throw LabFailure(
        message: Text("lab.no-swift"))
    }
    executable = compiler
    packageManager = manager
  }

  /// Whether the modules in `files` are this very compiler's: no other one reads them.
  func wrote(_ files: [URL]) -> Bool {
    guard let version else { return false }
    return files.allSatisfy {
      let head = try? FileHandle(forReadingFrom: $0).read(upToCount: 1 << 16)
      return head?.range(of: Data(version.utf8)) != nil
    }
  }

  /// The words by which a module names it, near its beginning; asked of each compiler once.
  private var version: String? {
    SwiftCompiler.versions.withLock { versions in
      if let known = versions[executable] { return known }
      let told = tellVersion()
      versions[executable] = told
      return told
    }
  }
  private static let versions = Mutex<[URL: String]>([:])

  private func tellVersion() -> String? {
    let run = ChildProcess(executable: executable, seconds: 60).run(["--version"])
    guard let run, run.hasSucceeded else { return nil }
    return run.output.split(separator: "\n").lazy.compactMap { line in
      line.range(of: "Swift version ").map { String(line[$0.lowerBound...]) }
    }.first
  }

  /// Compiles and links, fast.
  ///
  /// - Throws: `complaint` and the compiler's words as `edited` leaves them, code 1.
  func compile(
    _ arguments: [String], _ complaint: Text, edited: (String) -> String
  ) throws(LabFailure) {
    let flags = [
      "-swift-version", "5", "-Onone", "-gline-tables-only", "-wmo", "-diagnostic-style",
      "llvm", "-package-name", "lab",
    ]
    var process = ChildProcess(executable: executable, seconds: 300)
    process.limits = .build
    let run = process.run(flags + arguments)
    guard let run else {
      throw LabFailure(message: Text("lab.cannot-run", ["path": executable.path]))
    }
    if run.hasSucceeded { return }
    let said = run.output + run.errors
    let errors = SwiftCompiler.errors(in: said)
    // Where the compiler has no complaint the linker has.
    throw errors.isEmpty
      ? LabFailure(Text("lab.does-not-build"), edited(said))
      : LabFailure(complaint, edited(errors.joined(separator: "\n")))
  }

  /// The errors and the notes to them, each once.
  private static func errors(in text: String) -> [String] {
    let lines = text.split(separator: "\n").map(String.init).filter {
      $0.hasPrefix("/") && ($0.contains(": error: ") || $0.contains(": note: "))
    }
    return lines.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
