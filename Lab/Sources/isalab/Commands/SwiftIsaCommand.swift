import ArgumentParser

struct SwiftIsaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swiftisa",
    abstract: Language.local.say("help.swiftisa"),
    discussion: Language.local.say("help.swiftisa-more"))

  @OptionGroup var words: LanguageArguments

  func run() throws {
    let code = SwiftIsaRun(console: .standard, style: .standard, language: words.language).run()
    if code != 0 { throw ExitCode(code) }
  }
}
