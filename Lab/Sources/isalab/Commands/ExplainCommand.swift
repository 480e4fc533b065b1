import ArgumentParser

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: Language.local.say("help.explain"),
    discussion: Language.local.say("help.explain-more"))

  @Argument(help: .words("help.explain-code"))
  var code: String?

  @Option(help: .words("help.explain-log", valueName: "file"))
  var log: String?

  @OptionGroup var words: LanguageArguments

  func validate() throws {
    if code != nil, log != nil { throw ValidationError(words: "help.explain-either") }
  }

  func run() throws {
    let explain = ExplainRun(
      console: .standard, style: .standard, language: words.language)
    let result = log.map { explain.run(log: $0) } ?? explain.run(code)
    if result != 0 { throw ExitCode(result) }
  }
}
