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

  @Option(help: .words("help.export-compare", valueName: "a,b,c"))
  var compare: String?

  @Option(help: .words("help.export-page", valueName: "name"))
  var page: String?

  @Option(
    help: .words("help.export-swift", valueName: "dir"))
  var swift: String?

  @OptionGroup var translation: TranslationArguments

  @Option(
    help: .words("help.export-c", valueName: "out.c"))
  var c: String?

  @OptionGroup var words: LanguageArguments

  @OptionGroup var running: RunningArguments

  func validate() throws {
    let ofScenario = [html, swift, c].compactMap { $0 }.count
    let takesScenario = file != nil && ofScenario == 1 && lecture == nil
    let takesLecture = file == nil && ofScenario == 0 && lecture != nil
    let takesPage = file == nil && ofScenario == 1 && html != nil && lecture == nil
    if page == nil ? !takesScenario && !takesLecture : !takesPage {
      throw ValidationError(words: "help.export-needs")
    }
    if compare != nil, !takesScenario || html == nil {
      throw ValidationError(words: "help.export-compare-needs")
    }
    if let language = translation.language, swift == nil || ![.swift, .apple].contains(language) {
      throw ValidationError(words: "help.export-as")
    }
  }

  func run() throws {
    let export = ExportRun(
      language: words.language, console: .standard, execution: try running.execution,
      process: ChildProcess.executable.map { ChildProcess(executable: $0, seconds: 4) })
    let code =
      lecture.map { export.lecture(to: $0) }
      ?? page.map { export.lecturePage($0, to: html ?? "") } ?? self.export(file ?? "", by: export)
    if code != 0 { throw ExitCode(code) }
  }

  private func export(_ file: String, by export: ExportRun) -> Int32 {
    if let swift {
      let names: SwiftTranslator.Names = translation.language == .apple ? .apple : .own
      return export.swiftPackage(of: file, to: swift, names)
    }
    if let c { return export.cProgram(of: file, to: c) }
    if let compare { return export.comparison(of: file, under: compare, to: html ?? "") }
    return export.page(of: file, to: html ?? "")
  }
}
