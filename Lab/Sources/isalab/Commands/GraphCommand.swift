import ArgumentParser

struct GraphCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: "Draw objects, classes and metaclasses, and who observes whom, after one step.",
    discussion: """
      Solid lines are isas, a swapped one is thick, red and says so; dashed lines lead to \
      superclasses, dotted ones from observers to what they observe.
      """)

  @Argument(help: "A scenario file; - is standard input.")
  var file: String

  @Option(
    parsing: .unconditional,
    help: "After which step; 0 is before the first line. Without it: after the last.")
  var at: Int?

  @Option(help: "svg, dot, mermaid or text.")
  var format = GraphRun.Format.text

  @Option(help: "The file to write, whole or not at all; - is standard output.")
  var output = "-"

  @OptionGroup var translation: TranslationArguments
  @OptionGroup var budget: BudgetArguments

  func run() throws {
    let run = GraphRun(
      format: format, step: at, output: output, translation: translation.language,
      console: .standard, limit: budget.limit)
    let code = run.run(file: file)
    if code != 0 { throw ExitCode(code) }
  }
}

extension GraphRun.Format: ExpressibleByArgument {}
