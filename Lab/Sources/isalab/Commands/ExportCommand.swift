import ArgumentParser
import Foundation

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract:
      "Write a scenario as a page, a Swift package or a C program, or the lessons as pages.",
    discussion: """
      A page needs no network and nothing beside it; it opens by a double click. The link \
      OUT.html#step=7 opens it at step 7. A program prints what its observers hear, in the words \
      of isalab run: 'swift run' in the folder of the package; the C file says at its top how it \
      is compiled.
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

  @Option(
    help: ArgumentHelp(
      "The folder to write the scenario to as a Swift package; one that is there must be such.",
      valueName: "dir"))
  var swift: String?

  @OptionGroup var translation: TranslationArguments

  @Option(
    help: ArgumentHelp(
      "The C file to write the scenario to; - is standard output.", valueName: "out.c"))
  var c: String?

  @Option(help: "en or zh; without it, zh where the locale is Chinese, else en.")
  var lang: Language?

  @OptionGroup var budget: BudgetArguments

  func validate() throws {
    let ofScenario = [html, swift, c].compactMap { $0 }.count
    let takesScenario = file != nil && ofScenario == 1 && lecture == nil
    let takesLecture = file == nil && ofScenario == 0 && lecture != nil
    if !takesScenario && !takesLecture {
      throw ValidationError(
        "say FILE.kvo --html OUT.html, FILE.kvo --swift DIR, FILE.kvo --c OUT.c, or --lecture DIR")
    }
    if let language = translation.language, swift == nil || ![.swift, .apple].contains(language) {
      throw ValidationError("--as says whose names a package has: --swift DIR --as swift or apple")
    }
  }

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    let export = ExportRun(
      language: lang ?? .suited(to: environment), console: .standard, limit: budget.limit)
    let code = lecture.map { export.lecture(to: $0) } ?? self.export(file ?? "", by: export)
    if code != 0 { throw ExitCode(code) }
  }

  private func export(_ file: String, by export: ExportRun) -> Int32 {
    if let swift {
      let names: SwiftTranslator.Names = translation.language == .apple ? .apple : .own
      return export.swiftPackage(of: file, to: swift, names)
    }
    if let c { return export.cProgram(of: file, to: c) }
    return export.page(of: file, to: html ?? "")
  }
}
