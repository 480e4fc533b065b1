import Foundation

/// How a scene went with the student's code.
struct SceneResult: Sendable {
  /// The trouble that came instead of the scene's end.
  enum Trouble: Hashable, Sendable {
    case crashed(signal: Int32, said: String)
    case tookTooLong(seconds: Double)
    case ended(code: Int32, said: String)
    /// Something else than the grader's driver wrote the timeline.
    case forged
  }

  /// The scene as it was played, its values drawn.
  var scene: Scene
  /// The timeline as it was, without the line that ends it.
  var heard: [String]
  var trouble: Trouble?
  /// The lines on standard error, as far as anybody reads them.
  var said: [String] = []
  /// The lines on standard output, likewise.
  var printed: [String] = []
  /// Where the student's code was when it crashed, the innermost call first.
  var frames: [String] = []

  var hasPassed: Bool { trouble == nil && heard == scene.expected }

  /// How many lines are read beyond the expected ones.
  private static let most = 20

  /// Plays a scene in a process of its own.
  static func play(_ scene: Scene, _ program: SceneProgram) throws(LabFailure) -> SceneResult {
    var process = ChildProcess(executable: program.file, seconds: program.seconds)
    process.limits = .scene
    process.variables = program.variables
    let key = String(UInt64.random(in: 0 ... .max), radix: 16) + "|"
    guard let run = process.run([], input: "\(key)\n\(scene.script)", hasLog: true) else {
      throw LabFailure(message: "the student's program cannot be run: \(program.file.path)")
    }
    let lines = run.log.split(separator: "\n")
    let own = lines.filter { $0.hasPrefix(key) }.map { $0.dropFirst(key.count) }
    var result = SceneResult(
      scene: scene, heard: timeline(own.filter { !$0.hasPrefix("@ ") }, of: scene),
      trouble: trouble(run, program, hasEnded: own.last == "end", isOwn: own.count == lines.count))
    result.said = shown(words(run.errors))
    result.printed = shown(run.output.split(separator: "\n"))
    result.frames = program.frames(
      at: own.filter { $0.hasPrefix("@ ") }.map { String($0.dropFirst(2)) }, run.errors)
    return result
  }

  private static func timeline(_ lines: [Substring], of scene: Scene) -> [String] {
    let lines = lines.last == "end" ? lines.dropLast() : lines[...]
    let rest = lines.count - scene.expected.count - most
    let heard = (rest > 0 ? lines.dropLast(rest) : lines).map { String($0.prefix(400)).shown }
    return rest > 0 ? heard + ["… and \(rest) more lines"] : heard
  }

  private static func shown(_ lines: [Substring]) -> [String] {
    lines.prefix(most).map { String($0.prefix(200)).shown }
  }

  /// Standard error without a backtrace of Swift's, which is read apart.
  private static func words(_ errors: String) -> [Substring] {
    let lines = errors.split(separator: "\n")
    return Array(lines.prefix { !$0.hasPrefix("*** ") && !$0.hasPrefix("💣") })
  }

  private static func trouble(
    _ run: ChildProcess.Result, _ program: SceneProgram, hasEnded: Bool, isOwn: Bool
  ) -> Trouble? {
    if !isOwn { return .forged }
    return hasEnded && run.hasSucceeded ? nil : trouble(run, limit: program.seconds)
  }

  private static func trouble(_ run: ChildProcess.Result, limit: Double) -> Trouble {
    let lines = words(run.errors).map(String.init)
    // Below Swift's reason for a stop there are addresses, which are others each time.
    let said = lines.last { $0.contains("Fatal error") } ?? lines.last ?? ""
    let shown = String(said.prefix(200)).shown
    return switch run.end {
    case .exit(let code): .ended(code: code, said: shown)
    case .signal(let signal): .crashed(signal: signal, said: shown)
    case .timeout: .tookTooLong(seconds: limit)
    }
  }

  /// Whether the case took all its time, or wrote more than anybody reads.
  var isEndless: Bool {
    switch trouble {
    case .tookTooLong, .crashed(signal: SIGXFSZ, said: _): true
    default: false
    }
  }

  /// The words of it that are worth showing: a crash's or an early end's reason is in its sentence.
  var shownWords: [String] {
    switch trouble {
    case nil, .tookTooLong, .forged: said
    case .crashed, .ended: []
    }
  }

  /// The trouble in a sentence.
  var troubleText: String? {
    switch trouble {
    case nil: nil
    case .crashed(let signal, let said):
      "it crashed: \(signal.signalName)" + (said.isEmpty ? "" : " (\(said))")
    case .tookTooLong(let seconds):
      "it did not end within \(seconds.formatted()) s: a loop without end, or a lock that is held"
    case .ended(let code, let said):
      "it ended the process with code \(code)" + (said.isEmpty ? "" : " (\(said))")
    case .forged: "something else than the grader wrote into the grader's log"
    }
  }
}

extension Int32 {
  /// A signal's name, such as `SIGSEGV`.
  var signalName: String {
    let names = [
      SIGSEGV: "SIGSEGV, memory that is not its own or a recursion without end", SIGBUS: "SIGBUS",
      SIGABRT: "SIGABRT, it gave up",
      SIGILL: "SIGILL", SIGFPE: "SIGFPE", SIGTRAP: "SIGTRAP", SIGKILL: "SIGKILL",
      SIGXFSZ: "SIGXFSZ, it wrote without end",
    ]
    return names[self] ?? "signal \(self)"
  }
}

extension Double {
  /// Without a fraction where there is none.
  fileprivate func formatted() -> String { self == rounded() ? String(Int(self)) : String(self) }
}
