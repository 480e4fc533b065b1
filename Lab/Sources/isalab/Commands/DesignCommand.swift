import ArgumentParser
import Foundation

/// The command that `museum` and `compare` run in a process of its own.
struct DesignCommand: ParsableCommand {
  static let name = "design"
  static let configuration = CommandConfiguration(commandName: name, shouldDisplay: false)

  @Option var design: String
  @Option var file = "stdin"
  /// Whether it is code of the museum that runs, by the name in `file`, and no scenario.
  @Flag var demonstration = false
  /// Whether all is reported that a page shows.
  @Flag var recorded = false
  /// How many events there may be.
  @Option var events = Budget.defaultLimit
  /// Seconds after which it ends by a signal, even if nobody waits for it any more.
  @Option var limit: UInt32 = 0
  @Option var lang = Language.english

  func run() throws {
    endByItself()
    if design == NativeDesign.name {
      NativeDesign.report(lang, DesignChild().write)
      return
    }
    if demonstration {
      guard let code = Demonstration.find(file) else { throw ExitCode(2) }
      code.report(isHere: design == Designs.engine, lang, DesignChild().write)
      return
    }
    guard let info = Designs.find(design) else { throw ExitCode(2) }
    let text = String(
      decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
    let code = DesignChild(isRecorded: recorded, limit: events).run(
      text, file: file, design: info, lang)
    if code != 0 { throw ExitCode(code) }
  }

  /// A thread of the starter's may have had the signal blocked, and that is inherited.
  private func endByItself() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGALRM)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    signal(SIGALRM, SIG_DFL)
    alarm(limit)
  }
}
