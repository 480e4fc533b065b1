import ArgumentParser

struct StepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "step",
    abstract: Language.local.say("help.step"),
    discussion: Language.local.say("help.step-more"))

  @Argument(help: .words("help.step-file"))
  var file: String

  @OptionGroup var words: LanguageArguments

  @OptionGroup var translation: TranslationArguments
  @OptionGroup var running: RunningArguments

  func run() throws {
    let run = StepRun(
      style: .standard, translation: translation.language, console: .standard,
      execution: try running.execution, language: words.language)
    let code = run.run(file)
    if code != 0 { throw ExitCode(code) }
  }
}
