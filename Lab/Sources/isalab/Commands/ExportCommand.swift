import ArgumentParser

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: Language.local.say("help.export"),
    discussion: Language.local.say("help.export-more"))

  @Argument(help: .words("help.file"))
  var file: String?

  @Option(help: .words("help.export-html", valueName: "out.html"))
  var html: String?

  @Option(
    help: .words("help.export-lecture", valueName: "dir"))
  var lecture: String?

  @Option(
    help: .words("help.export-swift", valueName: "dir"))
  var swift: String?

  @OptionGroup var translation: TranslationArguments

  @Option(
    help: .words("help.export-c", valueName: "out.c"))
  var c: String?

  @OptionGroup var words: LanguageArguments

  @OptionGroup var budget: BudgetArguments

  func validate() throws {
    let ofScenario = [html, swift, c].compactMap { $0 }.count
    let takesScenario = file != nil && ofScenario == 1 && lecture == nil
    let takesLecture = file == nil && ofScenario == 0 && lecture != nil
    if !takesScenario && !takesLecture {
      throw ValidationError(words: "help.export-needs")
    }
    if let language = translation.language, swift == nil || ![.swift, .apple].contains(language) {
      throw ValidationError(words: "help.export-as")
    }
  }

  func run() throws {
    let export = ExportRun(
      language: words.language, console: .standard, limit: budget.limit,
      process: ChildProcess.executable.map { ChildProcess(executable: $0, seconds: 4) })
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
