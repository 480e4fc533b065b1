import ArgumentParser

struct SwiftIsaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swiftisa",
    abstract: "Swap the isa of a native Swift object, and see why nothing relies on that.",
    discussion: """
      Exits with 0 if it was done and undone, with 1 where this program does not know how Swift \
      lays out its classes.
      """)

  func run() throws {
    let code = SwiftIsaRun(console: .standard, style: .standard).run()
    if code != 0 { throw ExitCode(code) }
  }
}
