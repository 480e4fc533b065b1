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
    guard let file = InputFile(input), let pipe = OneWayPipe() else { return nil }
    defer { close(pipe.reading) }
    let child = spawn(arguments, file.handle.fileDescriptor, pipe)
    close(pipe.writing)
    guard let child else { return nil }
    let (output, isLate) = pipe.readAll(for: seconds)
    // Its output has ended, and with it the process, or it is ended now.
    if isLate { kill(child, SIGKILL) }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return Result(end: isLate ? .timeout : End(status: status), output: output)
  }

  /// Foundation's own class for processes loses a piece of memory with each.
  private func spawn(_ arguments: [String], _ input: Int32, _ pipe: OneWayPipe) -> pid_t? {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, pipe.writing, 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var words = ([executable.path] + arguments).map { strdup($0) } + [nil]
    var variables = ChildProcess.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var child: pid_t = 0
    let status = posix_spawn(&child, executable.path, &actions, nil, &words, &variables)
    return status == 0 ? child : nil
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

/// A pipe whose ends no other process inherits by accident.
private struct OneWayPipe {
  let reading: Int32
  let writing: Int32

  init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }

  /// Reads until nobody writes any more, or time is up.
  func readAll(for seconds: Double) -> (text: String, isLate: Bool) {
    let deadline = Date().addingTimeInterval(seconds)
    var bytes: [UInt8] = []
    var isLate = false
    while !isLate {
      var wait = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
      let rest = Int32((max(0, deadline.timeIntervalSinceNow) * 1000).rounded(.up))
      let count = poll(&wait, 1, rest)
      if count > 0, !append(to: &bytes) { break }
      isLate = deadline.timeIntervalSinceNow <= 0
    }
    return (String(decoding: bytes, as: UTF8.self), isLate)
  }

  /// Reads what is there; false at the end.
  private func append(to bytes: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = read(reading, &buffer, buffer.count)
    if count > 0 { bytes += buffer[..<count] }
    return count > 0 || (count < 0 && errno == EINTR)
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
  /// Reads what waitpid answers.
  fileprivate init(status: Int32) {
    let signal = status & 0x7f
    self = signal == 0 ? .exit(status >> 8 & 0xff) : .signal(signal)
  }

  /// The signal's name, as far as it is one of those that a crash brings.
  static func name(ofSignal number: Int32) -> String {
    let names = [
      SIGSEGV: "SIGSEGV", SIGBUS: "SIGBUS", SIGABRT: "SIGABRT", SIGILL: "SIGILL",
      SIGTRAP: "SIGTRAP", SIGFPE: "SIGFPE",
    ]
    return names[number] ?? "signal \(number)"
  }
}
