import ArgumentParser
import BenchRunner
import Foundation

struct Quick: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures this library's own table; prints one JSON object per line.")

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
    if session.exitCode != 0 { throw ExitCode(session.exitCode) }
  }
}
