import ArgumentParser

struct LabCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lab",
    abstract: "Write a small key-value observing yourself, in eight levels, and have it graded.",
    subcommands: [LabList.self, LabStart.self, LabGrade.self], defaultSubcommand: LabList.self)
}

struct LabList: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show the levels.")

  func run() throws { try finish(LabRun(console: .standard).list()) }
}

struct LabStart: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: "Write a level's task and skeleton to a new folder.")

  @Argument(help: "The level, 1 to 8.")
  var level: Int

  @Option(help: "The folder to make; lab-LEVEL unless given.")
  var dir: String?

  @Option(help: "What you write in: c or swift.")
  var language = "c"

  func run() throws {
    try finish(LabRun(console: .standard).start(level, language: language, folder: dir))
  }
}

struct LabGrade: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "grade",
    abstract: "Build a folder's code, play the level's cases with it, show the first that fails.",
    discussion: """
      Exits with 0 if all cases pass, with 1 if one fails or the code does not build, with 2 for \
      a wrong call or where something is missing.
      """)

  @Argument(help: "The level, 1 to 8.")
  var level: Int

  @Option(help: "The folder with your code; lab-LEVEL unless given.")
  var dir: String?

  @Option(help: "The library: a checkout, or the prefix it was installed under.")
  var isakvo: String?

  func run() throws {
    let lab = LabRun(console: .standard, style: .standard, library: isakvo)
    try finish(lab.grade(level, folder: dir))
  }
}

private func finish(_ code: Int32) throws {
  if code != 0 { throw ExitCode(code) }
}
