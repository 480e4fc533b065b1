import ArgumentParser

struct StepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "step",
    abstract: "Walk through a scenario step by step, forward and back, in the terminal.",
    discussion: "? shows the keys. Needs 60 columns and 16 rows; NO_COLOR is respected.")

  @Argument(help: "A scenario file.")
  var file: String

  @OptionGroup var translation: TranslationArguments
  @OptionGroup var budget: BudgetArguments

  func run() throws {
    let code = StepRun(
      style: .standard, translation: translation.language, console: .standard, limit: budget.limit
    ).run(file)
    if code != 0 { throw ExitCode(code) }
  }
}
