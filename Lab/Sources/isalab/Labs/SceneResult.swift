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
  /// How many lines more there were than anybody reads.
  var omitted = 0
  var trouble: Trouble?
  /// The lines on standard error, as far as anybody reads them.
  var said: [String] = []
  /// The lines on standard output, likewise.
  var printed: [String] = []
  /// Where the student's code was when it crashed, the innermost call first.
  var frames: [Text] = []

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
      throw LabFailure(message: Text("lab.student-cannot-run", ["path": program.file.path]))
    }
    let lines = run.log.split(separator: "\n")
    let own = lines.filter { $0.hasPrefix(key) }.map { $0.dropFirst(key.count) }
    let heard = timeline(own.filter { !$0.hasPrefix("@ ") })
    var result = SceneResult(
      scene: scene, heard: Array(heard.prefix(scene.expected.count + most)),
      trouble: trouble(run, program, hasEnded: own.last == "end", isOwn: own.count == lines.count))
    result.omitted = heard.count - result.heard.count
    result.said = shown(words(run.errors))
    result.printed = shown(run.output.split(separator: "\n"))
    result.frames = program.frames(
      at: own.filter { $0.hasPrefix("@ ") }.map { String($0.dropFirst(2)) }, run.errors)
    return result
  }

  private static func timeline(_ lines: [Substring]) -> [String] {
    (lines.last == "end" ? lines.dropLast() : lines[...]).map { String($0.prefix(400)).shown }
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

  /// The program's own words, behind the sentence.
  private func noted(_ said: String) -> Text {
    said.isEmpty ? Text(same: "") : Text("lab.said", ["text": said])
  }

  /// The trouble in a sentence.
  var troubleText: Text? {
    switch trouble {
    case nil: nil
    case .crashed(let signal, let said):
      Text("lab.crashed", ["signal": signal.signalName, "said": noted(said)])
    case .tookTooLong(let seconds):
      Text("lab.endless", ["seconds": seconds.formatted()])
    case .ended(let code, let said):
      Text("lab.ended", ["code": code, "said": noted(said)])
    case .forged: Text("lab.forged")
    }
  }
}

extension Int32 {
  /// A signal's name, such as `SIGSEGV`.
  var signalName: Text {
    let names = [
      SIGBUS: "SIGBUS", SIGILL: "SIGILL", SIGFPE: "SIGFPE", SIGTRAP: "SIGTRAP", SIGKILL: "SIGKILL",
    ]
    return switch self {
    case SIGSEGV: Text("lab.sigsegv")
    case SIGABRT: Text("lab.sigabrt")
    case SIGXFSZ: Text("lab.sigxfsz")
    default: names[self].map(Text.init(same:)) ?? Text("lab.signal", ["number": self])
    }
  }
}

extension Double {
  /// Without a fraction where there is none.
  fileprivate func formatted() -> String { self == rounded() ? String(Int(self)) : String(self) }
}
