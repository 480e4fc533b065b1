import ArgumentParser
import Foundation

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Tell whether a scenario solves a lesson's exercise.",
    discussion: """
      Runs the scenario with the lesson's lines behind it. Exits with 0 if it is solved, with 1 if \
      it is not, with 2 for a wrong call or a scenario that cannot be read.
      """)

  @Argument(help: "The lesson's name or number, as isalab tour --list has them.")
  var lesson: String

  @Argument(help: "The file with your scenario; - is standard input.")
  var file: String

  @Option(help: "en or zh; without it, zh where the locale is Chinese, else en.")
  var lang: Language?

  func run() throws {
    let language = lang ?? .suited(to: ProcessInfo.processInfo.environment)
    let code = CheckRun(console: .standard, language: language).check(lesson, file: file)
    if code != 0 { throw ExitCode(code) }
  }
}
