import Foundation

/// A program to run in a process of its own, which may crash or hang.
///
/// It and what it starts are a process group, which ends with it, or with this program as far as
/// that can see its end coming.
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
    var errors: String
    /// The text that it wrote to its file 3, where it was given one.
    var log = ""

    var hasSucceeded: Bool { end == .exit(0) }
  }

  var executable: URL
  /// How long it may take.
  var seconds: Double
  /// The limits of what others wrote.
  var limits: Limits?
  /// Variables besides this program's own.
  var variables: [String: String] = [:]

  /// How many bytes it may write to each of its outputs. A process that writes more is ended as
  /// SIGXFSZ would.
  static let mostOutput = 8 << 20

  /// This very program.
  static var executable: URL? {
    #if os(Linux)
      URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      Bundle.main.executableURL
    #endif
  }

  /// Whether this program was built with a sanitizer, without which its objects do not link.
  static var isSanitized: Bool {
    #if canImport(Darwin)
      let program = UnsafeMutableRawPointer(bitPattern: -2)
    #else
      let program: UnsafeMutableRawPointer? = nil
    #endif
    return dlsym(program, "__asan_init") != nil || dlsym(program, "__tsan_init") != nil
  }

  /// Runs it with `input` as standard input, in `folder` if that is given. Its output goes through
  /// files, so that neither side waits for the other.
  ///
  /// - Parameter hasLog: Whether it has one more output, which is its file 3.
  /// - Returns: nil if there can be no such process.
  func run(
    _ arguments: [String], input: String = "", in folder: URL? = nil, hasLog: Bool = false
  ) -> Result? {
    guard let room = try? TemporaryFolder() else { return nil }
    let outputs = ["out", "err"] + (hasLog ? ["log"] : [])
    let files = [room.file("in")] + outputs.map(room.file)
    for file in files {
      let text = file == files[0] ? input : ""
      guard (try? Data(text.utf8).write(to: file)) != nil else { return nil }
    }
    // Its temporary files go, however it ends.
    let environment = ChildProcess.environment.merging(["TMPDIR": room.url.path]) { $1 }
      .merging(variables) { $1 }
    guard let child = spawn(words(arguments, in: folder), files, environment) else { return nil }
    let end = wait(for: child, writing: Array(files.dropFirst()))
    return Result(
      end: end, output: text(in: files[1]), errors: text(in: files[2]),
      log: hasLog ? text(in: files[3]) : "")
  }

  /// The C library's way into another folder is not to be had everywhere.
  private func words(_ arguments: [String], in folder: URL?) -> [String] {
    var words = [executable.path] + arguments
    if let folder { words = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder.path] + words }
    return limits?.around(words) ?? words
  }

  /// Foundation's own class for processes loses memory with each, and reads where there is none.
  private func spawn(
    _ command: [String], _ files: [URL], _ environment: [String: String]
  ) -> pid_t? {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    posix_spawnattr_setflags(&attributes, Int16(flags))
    // The threads of a queue block signals, which a child would go on to.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var unignored = sigset_t()
    sigemptyset(&unignored)
    sigaddset(&unignored, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &unignored)
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, file) in files.enumerated() {
      let mode = number == 0 ? O_RDONLY : O_WRONLY
      posix_spawn_file_actions_addopen(&actions, Int32(number), file.path, mode, 0)
    }
    var words = command.map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + variables { free(text) } }
    var child: pid_t = 0
    let status = posix_spawn(&child, command[0], &actions, &attributes, &words, &variables)
    return status == 0 ? child : nil
  }

  /// A crash shows as a signal and its reason: no backtrace, no report of a leak.
  private static var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    environment["ASAN_OPTIONS"] = "abort_on_error=1:detect_leaks=0:disable_coredump=1"
    environment["TSAN_OPTIONS"] = "abort_on_error=1:report_signal_unsafe=0"
    environment["NO_COLOR"] = "1"
    return environment
  }

  private func wait(for child: pid_t, writing files: [URL]) -> End {
    Interruption.add(group: child)
    defer { Interruption.remove(group: child) }
    let hasEnded = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      // It is left for whoever ends it: its number is not given away meanwhile.
      var information = siginfo_t()
      while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      hasEnded.signal()
    }
    let end = DispatchTime.now() + seconds
    var early: End?
    while early == nil, hasEnded.wait(timeout: min(end, .now() + 0.05)) == .timedOut {
      if files.contains(where: { ChildProcess.size(of: $0) > ChildProcess.mostOutput }) {
        early = .signal(SIGXFSZ)
      } else if DispatchTime.now() >= end {
        early = .timeout
      }
    }
    if early != nil {
      kill(-child, SIGKILL)
      hasEnded.wait()
    }
    // Processes that it has started end with it.
    kill(-child, SIGKILL)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    return early ?? End(status: status)
  }

  private static func size(of file: URL) -> Int {
    var information = stat()
    return stat(file.path, &information) == 0 ? Int(information.st_size) : 0
  }

  /// The text of any bytes: a program under test may write anything. (Data's own way of reading a
  /// file loses memory with each empty one.)
  private func text(in file: URL) -> String {
    let data = try? FileHandle(forReadingFrom: file).read(upToCount: ChildProcess.mostOutput)
    return String(decoding: data ?? Data(), as: UTF8.self)
  }
}

extension ChildProcess.End {
  /// Reads what waitpid answers.
  fileprivate init(status: Int32) {
    let signal = status & 0x7f
    self = signal == 0 ? .exit(status >> 8 & 0xff) : .signal(signal)
  }

  /// The signal's name, as far as it is one of those that a crash brings.
  static func name(ofSignal number: Int32) -> Text {
    let names = [
      SIGSEGV: "SIGSEGV", SIGBUS: "SIGBUS", SIGABRT: "SIGABRT", SIGILL: "SIGILL",
      SIGTRAP: "SIGTRAP", SIGFPE: "SIGFPE",
    ]
    return names[number].map(Text.init(same:)) ?? Text("lab.signal", ["number": number])
  }
}
