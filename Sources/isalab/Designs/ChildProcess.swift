import Foundation

/// Runs this program again in a process of its own, which may crash or hang.
struct ChildProcess {
  /// How it ended.
  enum End: Hashable, Sendable {
    case exit(Int32)
    case signal(Int32)
    /// It had to be ended.
    case timeout
  }

  struct Result: Hashable, Sendable {
    var end: End
    var output: String
  }

  var executable: URL
  var seconds: Double

  /// This very program.
  static var executable: URL? {
    #if os(Linux)
      URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      Bundle.main.executableURL
    #endif
  }

  /// Runs it with `input` as standard input.
  ///
  /// - Returns: nil if there can be no such process.
  func run(_ arguments: [String], input: String) -> Result? {
    guard let file = InputFile(input) else { return nil }
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ChildProcess.environment
    let pipe = Pipe()
    process.standardInput = file.handle
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    do { try process.run() } catch { return nil }
    let reader = Reader(pipe.fileHandleForReading)
    let isLate = ended.wait(timeout: .now() + seconds) == .timedOut
    if isLate {
      kill(process.processIdentifier, SIGKILL)
      ended.wait()
    }
    let output = reader.wait()
    if isLate { return Result(end: .timeout, output: output) }
    let status = process.terminationStatus
    let isSignal = process.terminationReason == .uncaughtSignal
    return Result(end: isSignal ? .signal(status) : .exit(status), output: output)
  }

  /// A crash is to be a signal and nothing else: no backtrace, no report of a leak.
  private static var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    environment["ASAN_OPTIONS"] = "abort_on_error=1:detect_leaks=0:disable_coredump=1"
    environment["NO_COLOR"] = "1"
    return environment
  }
}

/// Reads a pipe to its end while the writer is waited for.
private final class Reader: @unchecked Sendable {
  private let handle: FileHandle
  private let done = DispatchSemaphore(value: 0)
  private var data = Data()

  init(_ handle: FileHandle) {
    self.handle = handle
    Thread.detachNewThread { [self] in
      data = handle.readDataToEndOfFile()
      done.signal()
    }
  }

  func wait() -> String {
    done.wait()
    return String(decoding: data, as: UTF8.self)
  }
}

/// A text as a file that has no name any more.
private struct InputFile {
  let handle: FileHandle

  init?(_ text: String) {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    guard (try? Data(text.utf8).write(to: url, options: .withoutOverwriting)) != nil,
      let handle = try? FileHandle(forReadingFrom: url)
    else { return nil }
    try? FileManager.default.removeItem(at: url)
    self.handle = handle
  }
}

extension ChildProcess.End {
  /// The signal's name, as far as it is one of those that a crash brings.
  static func name(ofSignal number: Int32) -> String {
    let names = [
      SIGSEGV: "SIGSEGV", SIGBUS: "SIGBUS", SIGABRT: "SIGABRT", SIGILL: "SIGILL",
      SIGTRAP: "SIGTRAP", SIGFPE: "SIGFPE",
    ]
    return names[number] ?? "signal \(number)"
  }
}
