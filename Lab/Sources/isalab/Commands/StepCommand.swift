import ArgumentParser
import Foundation

struct StepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "step",
    abstract: "Walk through a scenario step by step, forward and back, in the terminal.",
    discussion: "? shows the keys. Needs 60 columns and 16 rows; NO_COLOR is respected.")

  @Argument(help: "A scenario file.")
  var file: String

  @Option(help: "en or zh; without it, zh where the locale is Chinese, else en.")
  var lang: Language?

  @OptionGroup var translation: TranslationArguments
  @OptionGroup var budget: BudgetArguments

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    let run = StepRun(
      style: .standard, translation: translation.language, console: .standard,
      limit: budget.limit, language: lang ?? .suited(to: environment))
    let code = run.run(file)
    if code != 0 { throw ExitCode(code) }
  }
}
