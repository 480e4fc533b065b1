import ArgumentParser

/// What is measured, and how often.
struct Sampling: ParsableArguments {
  @Option(help: "How often the whole table is measured; the samples are pooled.")
  var rounds = 3

  @Option(help: "How many samples a row and round (default: 15 of quick, else 31).")
  var samples: Int?

  @Option(help: "Only rows whose subject/name contains this; may be repeated.")
  var filter: [String] = []

  func validate() throws {
    guard rounds > 0, samples ?? 1 > 0 else { throw ValidationError("at least one of each") }
  }
}
