/// How a scenario is run: by this engine, in this process; or under another design, in one of its own.
struct Execution: Sendable {
  /// Another design, and the program that runs it.
  struct Design: Sendable {
    var name: String
    var process: ChildProcess
  }

  /// How many events there may be before the run is stopped.
  var limit = Budget.defaultLimit
  /// Nil for this engine.
  var design: Design?

  /// Runs the program as far as it goes. A design's process that ends before the scenario leaves
  /// a run that can be looked at up to there.
  ///
  /// - Throws: that there is no process for the design.
  func run(_ program: Program) throws(DiagnosticList) -> Run {
    guard let design else { return Runner.run(program, limit: limit) }
    return try RecordedRun(program, design: design.name, in: design.process, limit: limit).run
  }

  /// A run that came to its end; says on the way which expectations are broken.
  ///
  /// - Throws: why it stopped before.
  func finished(
    _ program: Program, _ console: Console, _ language: Language
  ) throws(DiagnosticList) -> Run {
    console.warn(of: program, in: language)
    let run = try run(program)
    for diagnostic in run.mistakes { console.err(diagnostic.text(in: language)) }
    if let stopped = run.stopped { throw DiagnosticList(diagnostics: [stopped]) }
    return run
  }
}
