import ArgumentParser
import BenchRunner

struct Quick: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures this library's own table; prints one JSON object per line.")

  @OptionGroup var sampling: Sampling

  func run() throws {
    let session = Session(progress: Progress())
    session.measure(
      [ownDriver("engine-c"), ownDriver("engine-swift")],
      Choice(isQuick: true, haveGoals: true, filters: sampling.filter),
      rounds: sampling.rounds ?? 4, samples: sampling.samples ?? 5)
    for row in session.rows where row.goal != nil { print(row.quickLine) }
    if session.exitCode != 0 { throw ExitCode(session.exitCode) }
  }
}
