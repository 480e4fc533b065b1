import Foundation

/// How a scene went with the student's code.
struct SceneResult: Sendable {
  /// The trouble that came instead of the scene's end.
  enum Trouble: Hashable, Sendable {
    case crashed(signal: Int32, said: String)
    case tookTooLong(seconds: Double)
    case ended(code: Int32, said: String)
  }

  var scene: Scene
  /// The timeline as it was, without the line that ends it.
  var heard: [String]
  var trouble: Trouble?
  /// The lines on standard error, as far as anybody reads them.
  var said: [String] = []

  var hasPassed: Bool { trouble == nil && heard == scene.expected }

  /// How many lines are read beyond the expected ones.
  private static let most = 20

  /// Plays `scene` in a process of its own.
  static func play(_ scene: Scene, program: URL, limit: Double) throws(LabFailure) -> SceneResult {
    let process = ChildProcess(executable: program, seconds: limit)
    guard let run = process.run([], input: scene.script) else {
      throw LabFailure(message: "the student's program cannot be run: \(program.path)")
    }
    var lines = run.output.split(separator: "\n")
    let hasEnded = lines.last == "end"
    if hasEnded { lines.removeLast() }
    let rest = lines.count - scene.expected.count - most
    var heard = (rest > 0 ? lines.dropLast(rest) : lines).map { String($0.prefix(400)).shown }
    if rest > 0 { heard.append("… and \(rest) more lines") }
    let said = run.errors.split(separator: "\n").prefix(most).map { String($0.prefix(200)).shown }
    return SceneResult(
      scene: scene, heard: heard,
      trouble: hasEnded && run.hasSucceeded ? nil : trouble(run, limit: limit), said: said)
  }

  private static func trouble(_ run: ChildProcess.Result, limit: Double) -> Trouble {
    let lines = run.errors.split(separator: "\n").map(String.init)
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
    case nil, .tookTooLong: said
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
