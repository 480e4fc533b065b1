import ArgumentParser
import BenchRunner

struct Quick: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures this library's own table; prints one JSON object per line.")

  @Option(help: "How often the whole table is measured; the samples are pooled.")
  var rounds = 3

  @Option(help: "How many samples a row and round.")
  var samples = 15

  @Option(help: "Only rows whose subject/name contains this; may be repeated.")
  var filter: [String] = []

  func validate() throws {
    guard rounds > 0, samples > 0 else { throw ValidationError("at least one of each") }
  }

  func run() throws {
    let session = Session(progress: Progress())
    session.measure(
      [ownDriver("engine-c"), ownDriver("engine-swift")], Choice(isQuick: true, filters: filter),
      rounds: rounds, samples: samples)
    for row in session.rows { print(row.quickLine) }
    if session.exitCode != 0 { throw ExitCode(session.exitCode) }
  }
}
