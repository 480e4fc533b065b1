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

  @Option(help: "The script that builds the programs that are measured as a whole, into a folder.")
  var programsScript: String?

  @Option(help: "That folder.")
  var programs = ".build-programs"

  @Option(help: "How often applications run.")
  var applicationRounds = 5

  @OptionGroup var sampling: Sampling

  func validate() throws {
    guard applicationRounds > 0 else { throw ValidationError("at least one round") }
  }

  func run() throws {
    let session = Session(progress: Progress())
    var drivers = ownEngines + [ownDriver("peers-swift")]
    if let peersScript { drivers += session.peers(building: peersScript, into: peers) }
    let choice = Choice(isQuick: false, filters: sampling.filter)
    if let programsScript {
      let driver = Driver(path: ownDriver("programs-swift").path, arguments: [programs])
      if session.hasRows(driver, choice) {
        session.build("programs", by: programsScript, into: programs)
        drivers.append(driver)
      }
    }
    session.measure(
      drivers, choice, rounds: sampling.rounds ?? 3, samples: sampling.samples ?? 31)
    let applications = peersScript == nil ? [] : session.applicationDrivers(in: peers)
    session.run(
      applications + ownApplications, filters: sampling.filter, rounds: applicationRounds)
    if session.applications.isEmpty { try sampling.check(session.rows, session) }
    let results = Results(of: session)
    do {
      try results.write(to: output)
      try results.writeCharts(to: charts)
    } catch {
      throw refuse(error)
    }
    if !results.rows.isEmpty { print(table(of: results.rows)) }
    if !session.applications.isEmpty { print(table(of: session.applications)) }
    print(
      "\(output): \(results.rows.count) rows, \(session.applications.count) applications; "
        + "charts in \(charts)")
    if !results.rows.isEmpty { print(goalSummary(of: results.rows)) }
    for what in results.missing { print("left out: \(what)") }
    if session.exitCode != 0 { throw ExitCode(session.exitCode) }
  }
}
