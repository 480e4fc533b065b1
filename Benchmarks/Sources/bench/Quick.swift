import ArgumentParser
import BenchRunner
import Foundation

struct Quick: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures this library's own table; prints one JSON object per line.",
    discussion: """
      At the end, standard error says how many goals are met, and which are not. The exit code is 1 \
      where a check or a driver failed.
      """)

  @OptionGroup var sampling: Sampling

  /// Until when a goal just missed is tried again.
  private static let seconds = 52.0

  func run() throws {
    let end = Date(timeIntervalSinceNow: Quick.seconds)
    let session = Session(progress: Progress())
    let drivers = ownEngines
    let samples = sampling.samples ?? 5
    let choice = Choice(isQuick: true, haveGoals: true, filters: sampling.filter)
    session.measure(
      drivers, choice, rounds: sampling.rounds ?? 4, bareRounds: 2, samples: samples)
    session.repeatMissed(drivers, samples: samples, until: end)
    let rows = session.rows.filter { $0.goal != nil }
    try sampling.check(rows, session)
    for line in quickLines(of: session.rows) { print(line) }
    // Not among the rows, which may be read by a program.
    FileHandle.standardError.write(Data((goalSummary(of: session.rows) + "\n").utf8))
    if session.hasFailed { throw ExitCode(1) }
  }
}
