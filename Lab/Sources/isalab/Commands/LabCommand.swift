import ArgumentParser

struct LabCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lab",
    abstract: "Write a small key-value observing yourself, in eight levels, and have it graded.",
    subcommands: [LabList.self, LabStart.self, LabPlay.self, LabGrade.self],
    defaultSubcommand: LabList.self)
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

  @Argument(help: "The level, 1 to 8; the one that the folder's Makefile names unless given.")
  var level: Int?

  @OptionGroup var place: LabPlace

  @Option(help: "A folder of folders, one for each student: grades them all.")
  var all: String?

  @Option(help: "With --all: the file to write, .csv, .json, or .xml for JUnit.")
  var report: String?

  func validate() throws {
    if all != nil, place.dir != nil { throw ValidationError("--all names the folders, not --dir") }
    if all == nil, report != nil { throw ValidationError("--report goes with --all") }
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
    abstract: "Play one case with a folder's code, and show what happened.",
    discussion: """
      Shows both timelines whether the case passes or not, what the code printed, and for a crash \
      where it was. Exits as grade does.
      """)

  @Argument(help: "The case's ID, such as REG-01; the folder's README.md lists them.")
  var id: String

  @Option(help: "The level, 1 to 8; the one that the folder's Makefile names unless given.")
  var level: Int?

  @OptionGroup var place: LabPlace

  @Option(help: "A folder to leave the program and the scene in, for a debugger.")
  var keep: String?

  func run() throws {
    try finish(place.lab.run(id, level: level, folder: place.dir, kept: keep))
  }
}

/// The options that grading and playing have in common.
struct LabPlace: ParsableArguments {
  @Option(help: "The folder with your code; lab-LEVEL, or the one you are in, unless given.")
  var dir: String?

  @Option(help: "The library: a checkout, or the prefix it was installed under.")
  var isakvo: String?

  @Option(help: "The number that the values in the cases are drawn from; another one each time.")
  var seed: UInt32?

  var lab: LabRun {
    LabRun(console: .standard, style: .standard, library: isakvo, seed: seed)
  }
}

private func finish(_ code: Int32) throws {
  if code != 0 { throw ExitCode(code) }
}
