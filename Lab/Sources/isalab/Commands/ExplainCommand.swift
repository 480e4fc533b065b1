import ArgumentParser
import Foundation

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain an error, or what a crash report or a log says: why it comes, what helps.",
    discussion: """
      Without a code, the list. Each explanation runs a few lines that bring the error about, \
      and shows what is said. A log may be one line or a whole crash report, of Apple's KVO, of \
      Swift's runtime or of a sanitizer, and tell of several mistakes: each is explained, and the \
      frames of KVO in it are named. Exits with 2 for what is unknown.
      """)

  @Argument(help: "A status by name or number, an exception's name, or the words of a log.")
  var code: String?

  @Option(help: ArgumentHelp("A log or crash report; - is standard input.", valueName: "file"))
  var log: String?

  @Option(help: "en or zh; without it, zh where the locale is Chinese, else en.")
  var lang: Language?

  func validate() throws {
    if code != nil, log != nil { throw ValidationError("give a code or --log FILE, one of them") }
  }

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    let explain = ExplainRun(
      console: .standard, style: .standard, language: lang ?? .suited(to: environment))
    let result = log.map { explain.run(log: $0) } ?? explain.run(code)
    if result != 0 { throw ExitCode(result) }
  }
}
