import ArgumentParser

struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Run a scenario under several designs and show where they differ.",
    discussion: """
      Each design runs in a process of its own, which may crash or hang. The designs:

      \(Designs.all.map { "\($0.name): \($0.title)" }.joined(separator: "\n"))
      """)

  @Argument(help: "A scenario file; - is standard input.")
  var file: String?

  @Option(help: "Designs with commas between them, or stages; without, all.")
  var designs: String?

  @Flag(help: "Say of each design what it is and where the facts come from.")
  var sources = false

  @OptionGroup var child: ChildArguments

  func validate() throws {
    if file == nil, !sources { throw ValidationError("Give a scenario file, or --sources.") }
  }

  func run() throws {
    if sources { DesignList(console: .standard).show() }
    guard let file else { return }
    let run = CompareRun(console: .standard, style: .standard, process: try child.process())
    let code = run.run(file: file, designs: designs)
    if code != 0 { throw ExitCode(code) }
  }
}
