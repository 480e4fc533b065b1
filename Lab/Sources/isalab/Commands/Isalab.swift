import ArgumentParser
import Foundation
import IsaRuntime

@main
struct Isalab: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "isalab",
    abstract: Language.local.say("help.isalab"),
    version: KeyValueSettings.version,
    subcommands: [
      RunCommand.self, TourCommand.self, InspectCommand.self, DiffCommand.self, WhyCommand.self,
      DispatchCommand.self, ThunkCommand.self, StepCommand.self, GraphCommand.self,
      ExportCommand.self, MuseumCommand.self, ArticleCommand.self, QuestionsCommand.self,
      CompareCommand.self, SwiftIsaCommand.self, CheckCommand.self, LabCommand.self,
      ExplainCommand.self, ServeCommand.self, StatementsCommand.self, TraceCommand.self,
    ])

  /// As the parser's own, except that wrong usage exits with 2, as every wrong input here.
  static func main() {
    // A file that may not grow any more is told as one that cannot be written.
    signal(SIGXFSZ, SIG_IGN)
    do {
      var command = try command(Array(CommandLine.arguments.dropFirst()))
      try command.run()
      leave(0)
    } catch {
      let code = exitCode(for: error)
      let console = Console.standard
      if !(error is ExitCode) {
        let message = ParserWords(language: .local).translated(fullMessage(for: error))
        (code.isSuccess ? console.out : console.err)(message)
      }
      leave(code == .validationFailure ? 2 : code.rawValue)
    }
  }

  /// A run's own process is none of the commands that are shown, and is there sooner without them.
  private static func command(_ arguments: [String]) throws -> any ParsableCommand {
    arguments.first == DesignCommand.name
      ? try DesignCommand.parse(Array(arguments.dropFirst())) : try parseAsRoot(arguments)
  }

  /// Ends the process; with 2 if what was printed cannot be written, as on a full disk.
  private static func leave(_ code: Int32) -> Never {
    guard fflush(nil) != 0 else { Foundation.exit(code) }
    Console.standard.err(Language.local.say("help.unwritten"))
    Foundation.exit(2)
  }
}
