import ArgumentParser
import Foundation

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Run scenarios and show what each line brings about.",
    discussion: """
      Exits with 0 if every expectation is met, with 1 if one is not, with 2 if a scenario cannot \
      be read or run. docs/scenarios.md explains the language.
      """)

  @Argument(help: "Scenario files; - is standard input.")
  var files: [String]

  @OptionGroup var text: TextArguments
  @OptionGroup var budget: BudgetArguments

  @Flag(help: "Show the runtime's event log below each step.")
  var trace = false

  func run() throws {
    var options = text.options
    options.showsTrace = trace
    let code = ScenarioRun(options: options, console: .standard, limit: budget.limit)
      .run(files: files)
    if code != 0 { throw ExitCode(code) }
  }
}

/// The arguments of every command that runs a scenario.
struct BudgetArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: "Stop a scenario that comes to more events than this.")
  var limit = Budget.defaultLimit

  func validate() throws {
    guard limit > 0 else { throw ValidationError("--limit \(limit), expected a number from 1") }
  }
}

/// The arguments of every command that prints steps.
struct TextArguments: ParsableArguments {
  @Flag(help: "Show real addresses, and machine code where 'imp' asks for a method.")
  var real = false

  @Option(
    help: ArgumentHelp(
      "The language: en or zh. Without it: zh where the locale is Chinese (LC_ALL, LC_MESSAGES "
        + "or LANG begins with zh), else en.",
      valueName: "en|zh"))
  var lang: Language?

  @OptionGroup var translation: TranslationArguments

  var options: TextOptions {
    let environment = ProcessInfo.processInfo.environment
    return TextOptions(
      style: .standard, language: lang ?? .suited(to: environment), showsAddresses: real,
      translation: translation.language)
  }
}

/// The argument of every command that shows a scenario's lines.
struct TranslationArguments: ParsableArguments {
  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "Show each line in Objective-C, Swift, Swift under Apple's names, or C as well.",
      valueName: "objc|swift|apple|c"))
  var language: ProgrammingLanguage?
}

extension Language: ExpressibleByArgument {}
extension ProgrammingLanguage: ExpressibleByArgument {}
