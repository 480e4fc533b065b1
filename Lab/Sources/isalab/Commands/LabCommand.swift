import ArgumentParser

struct LabCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lab",
    abstract: Language.local.say("help.lab"),
    subcommands: [LabList.self, LabStart.self, LabPlay.self, LabGrade.self],
    defaultSubcommand: LabList.self)
}

struct LabList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: Language.local.say("help.lab-list"))

  @OptionGroup var words: LanguageArguments

  func run() throws {
    try finish(LabRun(console: .standard, language: words.language).list())
  }
}

struct LabStart: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: Language.local.say("help.lab-start"))

  @Argument(help: .words("help.lab-level"))
  var level: Int

  @Option(help: .words("help.lab-start-dir"))
  var dir: String?

  @Option(help: .words("help.lab-start-language"))
  var language = "c"

  @OptionGroup var words: LanguageArguments

  func run() throws {
    let lab = LabRun(console: .standard, language: words.language)
    try finish(lab.start(level, language: language, folder: dir))
  }
}

struct LabGrade: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grade",
    abstract: Language.local.say("help.lab-grade"),
    discussion: Language.local.say("help.lab-grade-more"))

  @Argument(help: .words("help.lab-own-level"))
  var level: Int?

  @OptionGroup var place: LabPlace

  @Option(help: .words("help.lab-all"))
  var all: String?

  @Option(help: .words("help.lab-report"))
  var report: String?

  func validate() throws {
    if all != nil, place.dir != nil { throw ValidationError(words: "help.lab-all-or-dir") }
    if all == nil, report != nil { throw ValidationError(words: "help.lab-report-needs") }
  }

  func run() throws {
    let lab = place.lab
    guard let all else { return try finish(lab.grade(level, folder: place.dir)) }
    try finish(ClassRun(lab: lab).grade(level, folders: all, report: report))
  }
}

struct LabPlay: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: Language.local.say("help.lab-run"),
    discussion: Language.local.say("help.lab-run-more"))

  @Argument(help: .words("help.lab-case"))
  var id: String

  @Option(help: .words("help.lab-own-level"))
  var level: Int?

  @OptionGroup var place: LabPlace

  @Option(help: .words("help.lab-keep"))
  var keep: String?

  func run() throws {
    try finish(place.lab.run(id, level: level, folder: place.dir, kept: keep))
  }
}

/// The options that grading and playing have in common.
struct LabPlace: ParsableArguments {
  @Option(help: .words("help.lab-dir"))
  var dir: String?

  @Option(help: .words("help.lab-isakvo"))
  var isakvo: String?

  @Option(help: .words("help.lab-seed"))
  var seed: UInt32?

  @OptionGroup var words: LanguageArguments

  var lab: LabRun {
    LabRun(
      console: .standard, style: .standard, language: words.language, library: isakvo, seed: seed)
  }
}

private func finish(_ code: Int32) throws {
  if code != 0 { throw ExitCode(code) }
}
