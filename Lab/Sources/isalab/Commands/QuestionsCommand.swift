import ArgumentParser

struct QuestionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "questions",
    abstract: Language.local.say("help.questions"),
    discussion: Language.local.say("help.questions-more"))

  @Argument(help: .words("help.questions-name"))
  var question: String?

  @OptionGroup var text: TextArguments

  func run() throws {
    let code = QuestionsRun(options: text.options, console: .standard).run(question)
    if code != 0 { throw ExitCode(code) }
  }
}
