import ArgumentParser
import BenchRunner
import Foundation

@main
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures IsaKVO and its peers, and compares and draws what was measured.",
    discussion: """
      Exit codes: 0; 1, a check or a driver failed, or compare found a regression; 2, a file or an \
      argument is wrong; 3, all is well but something is missing. A goal that is missed is a result \
      like others.
      """,
    subcommands: [Run.self, Quick.self, Compare.self, Charts.self, Page.self])

  /// As ArgumentParser's, with 2 for a command line that is wrong.
  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch {
      guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
      FileHandle.standardError.write(Data((fullMessage(for: error) + "\n").utf8))
      Foundation.exit(2)
    }
  }
}

/// The driver of that name, built beside this program.
func ownDriver(_ name: String, hasSurroundings: Bool = false) -> Driver {
  let own = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
  return Driver(
    path: own.deletingLastPathComponent().appendingPathComponent(name).path,
    hasSurroundings: hasSurroundings)
}

/// The drivers of this library's own rows.
var ownEngines: [Driver] {
  ["engine-c", "engine-swift"].map { ownDriver($0, hasSurroundings: true) }
}

/// The drivers of the applications in Swift, one for each subject.
var ownApplications: [Driver] {
  ["isakvo-swift", "didset", "swift-observation", "opencombine"].map {
    Driver(path: ownDriver("applications-swift").path, arguments: [$0])
  }
}

/// Says what is wrong with a file and ends with the code for it.
func refuse(_ error: any Error) -> ExitCode {
  FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
  return ExitCode(2)
}
