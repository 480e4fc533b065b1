import ArgumentParser

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: Language.local.say("help.serve"),
    discussion: Language.local.say("help.serve-more"))

  @Argument(help: .words("help.serve-files"))
  var files: [String] = []

  @Option(help: .words("help.serve-port"))
  var port: UInt16 = 0

  @Flag(help: .words("help.serve-open"))
  var open = false

  @Option(help: .words("help.serve-design"))
  var design = Designs.engine

  @OptionGroup var words: LanguageArguments

  @Option(parsing: .unconditional, help: .words("help.serve-timeout"))
  var timeout = 10.0

  func validate() throws {
    guard Designs.find(design) != nil else { throw ValidationError(unknownDesign: design) }
    if !(timeout > 0 && timeout <= 3600) {
      throw ValidationError(Language.local.say("help.serve-timeout-wrong"))
    }
  }

  func run() throws {
    guard let executable = ChildProcess.executable else {
      Console.standard.err(Language.local.say("help.no-own-file"))
      throw ExitCode(2)
    }
    var process = ChildProcess(executable: executable, seconds: timeout)
    if !ChildProcess.isSanitized { process.limits = .scenario }
    let serve = ServeRun(
      console: .standard, language: words.language, process: process, port: port,
      opensBrowser: open, design: design)
    throw ExitCode(serve.run(files))
  }
}
