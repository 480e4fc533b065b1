import ArgumentParser
import BenchRunner
import Foundation

struct Run: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures everything: this library and its peers.")

  @Option(help: "Where the results go.")
  var output = "results.json"

  @Option(help: "The folder where the charts go.")
  var charts = "results-charts"

  @Option(help: "The script that builds the peers that are not Swift into a folder.")
  var peersScript: String?

  @Option(help: "That folder.")
  var peers = ".build-peers"

  @Option(help: "How often the table is measured; the samples are pooled.")
  var rounds = 3

  @Option(help: "How many samples a row and round.")
  var samples = 31

  @Option(help: "Only rows whose subject/name contains this; may be repeated.")
  var filter: [String] = []

  func validate() throws {
    guard rounds > 0, samples > 0 else { throw ValidationError("at least one of each") }
  }

  func run() throws {
    let session = Session(progress: Progress())
    var drivers = ["engine-c", "engine-swift", "peers-swift"].map(ownDriver)
    if let peersScript { drivers += session.peers(building: peersScript, into: peers) }
    let choice = Choice(isQuick: false, filters: filter)
    session.measure(drivers, choice, rounds: rounds, samples: samples)
    let results = Results(of: session)
    do {
      try results.write(to: output)
      try results.writeCharts(to: charts)
    } catch {
      throw refuse(error)
    }
    print(table(of: results.rows))
    print("\(output): \(results.rows.count) rows; charts in \(charts)")
    for what in results.missing { print("left out: \(what)") }
    if session.exitCode != 0 { throw ExitCode(session.exitCode) }
  }
}
