import ArgumentParser

@main
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Measures.")
}
