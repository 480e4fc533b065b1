import ArgumentParser

struct MuseumCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "museum",
    abstract: Language.local.say("help.museum"),
    discussion: Language.local.say("help.museum-more"))

  @Argument(help: .words("help.museum-name"))
  var name: String?

  @Flag(help: .words("help.museum-all"))
  var all = false

  @Flag(help: .words("help.museum-stages"))
  var stages = false

  @OptionGroup var words: LanguageArguments
  @OptionGroup var child: ChildArguments

  func validate() throws {
    let isMany = [name != nil, all, stages].filter(\.self).count > 1
    if isMany { throw ValidationError(words: "help.museum-one") }
  }

  func run() throws {
    let run = MuseumRun(
      console: .standard, style: .standard, language: words.language,
      process: try child.process(words.language))
    let code = run.run(name, all: all, stages: stages)
    if code != 0 { throw ExitCode(code) }
  }
}

/// The arguments of every command that starts processes.
struct ChildArguments: ParsableArguments {
  @Option(parsing: .unconditional, help: .words("help.timeout"))
  var timeout = 4.0

  func validate() throws {
    if !(timeout > 0 && timeout <= 3600) {
      throw ValidationError(words: "help.timeout-range")
    }
  }

  func process(_ language: Language) throws -> ChildProcess {
    guard let executable = ChildProcess.executable else {
      Console.standard.err(language.say("help.no-own-file"))
      throw ExitCode(2)
    }
    return ChildProcess(executable: executable, seconds: timeout)
  }
}
