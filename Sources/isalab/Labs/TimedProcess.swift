import Foundation

/// A program that was run to its end, or to the end of its time.
struct TimedProcess: Sendable {
  enum End: Hashable, Sendable {
    case exited(Int32)
    case killed(signal: Int32)
    case tookTooLong
  }

  var end: End
  var output: String
  var errors: String

  var hasSucceeded: Bool { end == .exited(0) }

  /// Runs a program. What it writes goes through files, so that neither side waits for the other.
  ///
  /// - Parameter limit: Seconds after which it is killed.
  /// - Throws: What Foundation says of a program that cannot be started.
  static func run(
    _ program: URL, _ arguments: [String], input: String = "", in folder: URL? = nil,
    limit: Double
  ) throws -> TimedProcess {
    let room = try TemporaryFolder()
    let files = ["in", "out", "err"].map { room.url.appendingPathComponent($0) }
    for (file, text) in zip(files, [input, "", ""]) { try Data(text.utf8).write(to: file) }
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = TimedProcess.environment
    let handles = [
      try FileHandle(forReadingFrom: files[0]), try FileHandle(forWritingTo: files[1]),
      try FileHandle(forWritingTo: files[2]),
    ]
    // A process keeps its handles open for as long as it is remembered.
    defer { for handle in handles { try? handle.close() } }
    process.standardInput = handles[0]
    process.standardOutput = handles[1]
    process.standardError = handles[2]
    let isInTime = try runsInTime(process, limit: limit)
    return TimedProcess(
      end: isInTime ? end(of: process) : .tookTooLong, output: text(in: files[1]),
      errors: text(in: files[2]))
  }

  /// A crash is to be a signal and its reason: no backtrace of Swift's, which takes its time.
  private static var environment: [String: String] {
    ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
  }

  private static func runsInTime(_ process: Process, limit: Double) throws -> Bool {
    let hasEnded = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in hasEnded.signal() }
    try process.run()
    if hasEnded.wait(timeout: .now() + limit) == .success { return true }
    kill(process.processIdentifier, SIGKILL)
    hasEnded.wait()
    return false
  }

  private static func end(of process: Process) -> End {
    process.terminationReason == .exit
      ? .exited(process.terminationStatus) : .killed(signal: process.terminationStatus)
  }

  /// Whatever its bytes are: a program under test may write anything.
  private static func text(in file: URL) -> String {
    String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
  }
}

/// A folder that goes with its last reference.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("isalab-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// Something that ends a command with a sentence.
struct LabFailure: Error, Hashable, Sendable {
  var message: String
  /// 1 where the student's code is to blame, 2 where the call or the machine is.
  var code: Int32 = 2
}

/// Finds programs where the shell would.
enum Tool {
  static func find(
    _ name: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> URL? {
    if name.contains("/") { return isProgram(name) ? URL(fileURLWithPath: name) : nil }
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    return folders.lazy.map { "\($0)/\(name)" }.first(where: isProgram)
      .map { URL(fileURLWithPath: $0) }
  }

  private static func isProgram(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
  }

  /// What pkg-config answers, a word each; nil if it or the package is not there.
  static func packageWords(_ arguments: [String]) -> [String]? {
    guard let tool = find("pkg-config"),
      let run = try? TimedProcess.run(tool, arguments, limit: 10), run.hasSucceeded
    else { return nil }
    return run.output.split(whereSeparator: \.isWhitespace).map(String.init)
  }
}
