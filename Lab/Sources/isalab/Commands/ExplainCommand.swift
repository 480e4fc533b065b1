import ArgumentParser

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain an error: what it means, why it comes, how to be rid of it.",
    discussion: """
      Without a code, the list. Each explanation runs a few lines that bring the error about, \
      and shows what is said. Exits with 2 for a code that there is not.
      """)

  @Argument(help: "A status by name or number, an exception's name, or a report's words.")
  var code: String?

  func run() throws {
    let code = ExplainRun(console: .standard, style: .standard).run(code)
    if code != 0 { throw ExitCode(code) }
  }
}
