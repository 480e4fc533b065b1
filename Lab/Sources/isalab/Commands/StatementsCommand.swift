import ArgumentParser

struct StatementsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "statements",
    abstract: Language.local.say("help.statements"),
    discussion: Language.local.say("help.statements-more"))

  @Argument(help: .words("help.statements-word", valueName: "word"))
  var word: String?

  @OptionGroup var words: LanguageArguments

  func run() throws {
    let options = TextOptions(style: .standard, language: words.language)
    let lines = StatementForm.lines(with: word, options)
    if lines.isEmpty {
      Console.standard.err(
        options.language.say("help.statements-none", ["word": (word ?? "").shown]))
      throw ExitCode(2)
    }
    for line in lines.dropFirst() { Console.standard.out(line) }
  }
}
