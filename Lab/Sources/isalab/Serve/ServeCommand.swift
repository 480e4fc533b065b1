import ArgumentParser
import Foundation

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Write scenarios on a page in the browser, and see them run as you type.",
    discussion: """
      The page shows mistakes at their place, the run beside the scenario, all lessons and their \
      exercises, and writes a run as one file to share. It is served to this machine alone, and \
      asks nothing from elsewhere; Ctrl-C ends it. Exits with 2 for a file that cannot be read and \
      a port that cannot be had.
      """)

  @Argument(help: "Scenario files to open in the editor.")
  var files: [String] = []

  @Option(help: "The port; 0 is any that is free.")
  var port: UInt16 = 0

  @Flag(help: "Open the page in the browser.")
  var open = false

  @Option(help: "en or zh; without it, zh where the locale is Chinese, else en.")
  var lang: Language?

  @Option(parsing: .unconditional, help: "Seconds after which a scenario is ended.")
  var timeout = 10.0

  func validate() throws {
    if !(timeout > 0 && timeout <= 3600) {
      throw ValidationError("--timeout takes more than 0 seconds, at most 3600.")
    }
  }

  func run() throws {
    guard let executable = ChildProcess.executable else {
      Console.standard.err("this program cannot find its own file")
      throw ExitCode(2)
    }
    var process = ChildProcess(executable: executable, seconds: timeout)
    if !ChildProcess.isSanitized { process.limits = .scenario }
    let environment = ProcessInfo.processInfo.environment
    let serve = ServeRun(
      console: .standard, language: lang ?? .suited(to: environment), process: process, port: port,
      opensBrowser: open)
    throw ExitCode(serve.run(files))
  }
}
