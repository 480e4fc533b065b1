import ArgumentParser

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: Language.local.say("help.check"),
    discussion: Language.local.say("help.check-more"))

  @Argument(help: .words("help.check-lesson"))
  var lesson: String

  @Argument(help: .words("help.check-file"))
  var file: String

  @OptionGroup var words: LanguageArguments

  func run() throws {
    let code = CheckRun(console: .standard, language: words.language).check(lesson, file: file)
    if code != 0 { throw ExitCode(code) }
  }
}
