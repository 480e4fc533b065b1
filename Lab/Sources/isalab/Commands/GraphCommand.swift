import ArgumentParser

struct GraphCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: Language.local.say("help.graph"),
    discussion: Language.local.say("help.graph-more"))

  @Argument(help: .words("help.file"))
  var file: String

  @Option(
    parsing: .unconditional,
    help: .words("help.graph-at"))
  var at: Stop?

  @Option(help: .words("help.graph-format"))
  var format = GraphRun.Format.text

  @Option(help: .words("help.graph-output"))
  var output = "-"

  @OptionGroup var words: LanguageArguments
  @OptionGroup var translation: TranslationArguments
  @OptionGroup var running: RunningArguments

  func run() throws {
    let run = GraphRun(
      format: format, stop: at, output: output, translation: translation.language,
      console: .standard, language: words.language, execution: try running.execution)
    let code = run.run(file: file)
    if code != 0 { throw ExitCode(code) }
  }
}

extension GraphRun.Format: ExpressibleByArgument {}
