import ArgumentParser

struct MuseumCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "museum",
    abstract: "See famous failures of observing happen, and not happen here.",
    discussion: """
      Each is a scenario that runs in processes of its own: under the design that fails, re-enacted \
      on this runtime, under the design that grew out of it, if there is one, and on this engine. Of \
      a wrong belief, the first run expects what is believed, the last one what happens. Without a \
      name, lists them. Exits with 0 if each failure is seen with the design and none with the \
      others, with 1 if not.
      """)

  @Argument(help: "The failure to see.")
  var name: String?

  @Flag(help: "See them all.")
  var all = false

  @Flag(help: "See the code of articles grow, each stage by the failure that forces the next.")
  var stages = false

  @OptionGroup var child: ChildArguments

  func validate() throws {
    let isMany = [name != nil, all, stages].filter(\.self).count > 1
    if isMany { throw ValidationError("Give a name, --stages or --all, one of them.") }
  }

  func run() throws {
    let run = MuseumRun(console: .standard, style: .standard, process: try child.process())
    let code = run.run(name, all: all, stages: stages)
    if code != 0 { throw ExitCode(code) }
  }
}

/// The arguments of every command that starts processes.
struct ChildArguments: ParsableArguments {
  @Option(parsing: .unconditional, help: "Seconds after which a process counts as hanging.")
  var timeout = 4.0

  func validate() throws {
    if !(timeout > 0 && timeout <= 3600) {
      throw ValidationError("--timeout takes more than 0 seconds, at most 3600.")
    }
  }

  func process() throws -> ChildProcess {
    guard let executable = ChildProcess.executable else {
      Console.standard.err("this program cannot find its own file")
      throw ExitCode(2)
    }
    return ChildProcess(executable: executable, seconds: timeout)
  }
}
