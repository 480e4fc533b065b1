import ArgumentParser

struct ArticleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "article",
    abstract: Language.local.say("help.article"),
    discussion: Language.local.say("help.article-more"))

  @Argument(help: .words("help.article-name"))
  var name: String?

  @Argument(help: .words("help.article-claim"))
  var claim: Int?

  @Flag(help: .words("help.article-check"))
  var check = false

  @Option(help: .words("help.article-html", valueName: "out.html"))
  var html: String?

  @OptionGroup var words: LanguageArguments
  @OptionGroup var child: ChildArguments

  func validate() throws {
    if [claim != nil, check, html != nil].filter(\.self).count > 1 {
      throw ValidationError(words: "help.article-one")
    }
    if html != nil, name == nil { throw ValidationError(words: "help.article-needs") }
  }

  func run() throws {
    let run = ArticleRun(
      console: .standard, style: .standard, language: words.language,
      process: try child.process(words.language))
    let code = perform(run)
    if code != 0 { throw ExitCode(code) }
  }

  private func perform(_ run: ArticleRun) -> Int32 {
    if check { return run.check(name) }
    guard let name else { return run.list() }
    if let html { return run.page(of: name, to: html) }
    return claim.map { run.show(name, claim: $0) } ?? run.show(name)
  }
}
