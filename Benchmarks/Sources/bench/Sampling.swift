import ArgumentParser
import BenchRunner

/// The rows that are measured, and how often.
struct Sampling: ParsableArguments {
  @Option(
    help: """
      How often the table is measured, its samples being pooled (default: 4 of quick, else 3).
      """)
  var rounds: Int?

  @Option(help: "How many samples a row and round (default: 5 of quick, else 31).")
  var samples: Int?

  @Option(
    help: """
      Only rows whose subject/name contains this, and applications whose subject/application-name \
      does; may be repeated.
      """)
  var filter: [String] = []

  func validate() throws {
    guard rounds ?? 1 > 0, samples ?? 1 > 0 else { throw ValidationError("at least one of each") }
  }

  /// Refuses filters that chose none of the rows, of a session in which nothing else went wrong.
  func check(_ rows: [Row], _ session: Session) throws {
    guard rows.isEmpty, session.exitCode == 0 else { return }
    let names = filter.map { "'\($0)'" }.joined(separator: " or ")
    throw ValidationError("no row has \(names) in its name; a driver's --list prints them")
  }
}
