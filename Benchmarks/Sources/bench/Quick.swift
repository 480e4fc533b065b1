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
      Choice(isQuick: true, filters: sampling.filter),
      rounds: sampling.rounds, samples: sampling.samples ?? 15)
    for row in session.rows { print(row.quickLine) }
    if session.exitCode != 0 { throw ExitCode(session.exitCode) }
  }
}
