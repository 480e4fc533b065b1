import ArgumentParser

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: Language.local.say("help.compare"),
    discussion: Language.local.say("help.compare-more") + "\n\n"
      + Designs.all.map { "\($0.name): \($0.title[.local])" }.joined(separator: "\n"))

  @Argument(help: .words("help.file"))
  var file: String?

  @Option(help: .words("help.compare-designs"))
  var designs: String?

  @Flag(help: .words("help.compare-sources"))
  var sources = false

  @OptionGroup var words: LanguageArguments
  @OptionGroup var child: ChildArguments

  func validate() throws {
    if file == nil, !sources { throw ValidationError(words: "help.compare-needs") }
  }

  func run() throws {
    if sources { DesignList(console: .standard, language: words.language).show() }
    guard let file else { return }
    let run = CompareRun(
      console: .standard, style: .standard, language: words.language,
      process: try child.process(words.language))
    let code = run.run(file: file, designs: designs)
    if code != 0 { throw ExitCode(code) }
  }
}
