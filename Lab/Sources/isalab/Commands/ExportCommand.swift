import ArgumentParser
import Foundation

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract:
      "Write a scenario as a page for the browser, or all the lessons as a folder of them.",
    discussion: """
      A page needs no network and nothing beside it; it opens by a double click. The link \
      OUT.html#step=7 opens it at step 7.
      """)

  @Argument(help: "A scenario file; - is standard input.")
  var file: String?

  @Option(help: ArgumentHelp("The page to write; - is standard output.", valueName: "out.html"))
  var html: String?

  @Option(
    help: ArgumentHelp(
      "The folder to write the lessons to; one that is there must be a lecture.",
      valueName: "dir"))
  var lecture: String?

  @Option(help: "en or zh; without it, zh where the locale is Chinese, else en.")
  var lang: Language?

  @OptionGroup var budget: BudgetArguments

  func validate() throws {
    let takesPage = file != nil && html != nil && lecture == nil
    let takesLecture = file == nil && html == nil && lecture != nil
    if !takesPage && !takesLecture {
      throw ValidationError("say FILE.kvo --html OUT.html, or --lecture DIR")
    }
  }

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    let export = ExportRun(
      language: lang ?? .suited(to: environment), console: .standard, limit: budget.limit)
    let code =
      lecture.map { export.lecture(to: $0) } ?? export.page(of: file ?? "", to: html ?? "")
    if code != 0 { throw ExitCode(code) }
  }
}
