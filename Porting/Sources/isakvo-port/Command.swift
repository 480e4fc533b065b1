import ArgumentParser
import Foundation
import IsaKVOPort

/// The command: reads the sources, ports them, prints what the options ask for.
@main
struct Command: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "isakvo-port",
    abstract: "Ports Swift sources from Apple's key-value observing to IsaKVO.",
    discussion: """
      Prints a line for each thing that is left to do: FILE:LINE:COLUMN: what; why; what to write. \
      Nothing is changed without --write.

      It exits with 0 if nothing is left to do by hand, 1 if something is, 2 for a mistake in the \
      options or paths, and 3 if the syntax of a file is wrong or a file cannot be read or written.
      """)

  @Argument(help: "Files, folders, or folders of packages, whose targets' sources are taken.")
  var paths: [String]

  @Option(name: .customLong("target"), help: "A target of the packages; may be given repeatedly.")
  var targets: [String] = []

  @Flag(help: "Writes the edits into the files.")
  var write = false

  @Flag(help: "Prints the edits as a unified difference; the lines go to standard error.")
  var diff = false

  @Flag(help: "Prints one JSON object with edits and findings in the place of lines.")
  var json = false

  @Flag(help: "Prints numbers by rule in the place of lines.")
  var summary = false

  func validate() throws {
    if [diff, json, summary].count(where: { $0 }) > 1 {
      throw ValidationError("Give one of --diff, --json and --summary.")
    }
  }

  static func main() {
    do {
      var command = try parseAsRoot()
      guard let own = command as? Command else { return try command.run() }
      Foundation.exit(own.answer())
    } catch {
      let isHelp = exitCode(for: error).isSuccess
      say(fullMessage(for: error), to: isHelp ? .standardOutput : .standardError)
      Foundation.exit(isHelp ? 0 : 2)
    }
  }

  private func answer() -> Int32 {
    let inputs: Inputs
    do {
      inputs = try Inputs(paths, targets: targets)
    } catch {
      Self.say("isakvo-port: \(error)", to: .standardError)
      return 2
    }
    do {
      return try port(inputs)
    } catch {
      Self.say("isakvo-port: \(error)", to: .standardError)
      return 3
    }
  }

  private func port(_ inputs: Inputs) throws -> Int32 {
    let files = try inputs.files.map { Porter.File(path: $0, bytes: try Inputs.read($0)) }
    let port = Porter().port(files, movingFindings: write)
    let changed = port.files.filter(\.isChanged)
    if write {
      for file in changed { try Inputs.write(file.after, to: file.path) }
    }
    let packages = inputs.manifests.flatMap { $0.findings(portedFiles: port.portedPaths) }
    let report = Report(port, packages: packages, isWritten: write)
    try show(report)
    return report.exitCode
  }

  private func show(_ report: Report) throws {
    if json { return Self.say(try report.json(), to: .standardOutput) }
    if summary { return Self.say(report.summary, to: .standardOutput) }
    if diff { Self.say(report.files.map(\.diff).joined(), to: .standardOutput) }
    Self.say(report.lines + report.closing, to: diff ? .standardError : .standardOutput)
  }

  private static func say(_ text: String, to stream: FileHandle) {
    guard !text.isEmpty else { return }
    stream.write(Data((text.hasSuffix("\n") ? text : text + "\n").utf8))
  }
}
