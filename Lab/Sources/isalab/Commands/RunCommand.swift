import ArgumentParser

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: Language.local.say("help.run"),
    discussion: Language.local.say("help.run-more"))

  @Argument(help: .words("help.run-files"))
  var files: [String]

  @OptionGroup var text: TextArguments
  @OptionGroup var running: RunningArguments

  @Flag(help: .words("help.run-trace"))
  var trace = false

  func run() throws {
    var options = text.options
    options.showsTrace = trace
    let code = ScenarioRun(
      options: options, console: .standard, execution: try running.execution
    ).run(files: files)
    if code != 0 { throw ExitCode(code) }
  }
}

/// The arguments of every command that runs a scenario.
struct RunningArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: .words("help.limit"))
  var limit = Budget.defaultLimit

  @Option(help: .words("help.design-name"))
  var design = Designs.engine

  @OptionGroup var child: ChildArguments

  func validate() throws {
    guard limit > 0 else { throw ValidationError(words: "help.limit-range", ["limit": limit]) }
    guard Designs.find(design) != nil else { throw ValidationError(unknownDesign: design) }
  }

  var execution: Execution {
    get throws {
      let other =
        design == Designs.engine
        ? nil : Execution.Design(name: design, process: try child.process(.local))
      return Execution(limit: limit, design: other)
    }
  }
}

/// The arguments of every command that prints steps.
struct TextArguments: ParsableArguments {
  @Flag(help: .words("help.real"))
  var real = false

  @OptionGroup var words: LanguageArguments
  @OptionGroup var translation: TranslationArguments

  var options: TextOptions {
    TextOptions(
      style: .standard, language: words.language, showsAddresses: real,
      translation: translation.language)
  }
}

/// The argument of every command that shows a scenario's lines.
struct TranslationArguments: ParsableArguments {
  @Option(
    name: .customLong("as"),
    help: .words("help.as", valueName: "objc|swift|apple|c"))
  var language: ProgrammingLanguage?
}

extension ProgrammingLanguage: ExpressibleByArgument {}
