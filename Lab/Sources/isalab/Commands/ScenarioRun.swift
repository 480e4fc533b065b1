/// `isalab run`: reads, checks and runs scenarios.
struct ScenarioRun {
  var options: TextOptions
  var console: Console
  var execution = Execution()

  /// Runs each file; `-` is standard input.
  ///
  /// - Returns: 0 if all is as expected, 1 if an expectation is broken, 2 if a scenario cannot be
  ///   read or run; the highest of several files.
  func run(files: [String]) -> Int32 {
    var code: Int32 = 0
    for file in files {
      if files.count > 1 { console.out(options.style.heading("== \(file.shown)")) }
      code = max(
        code, run { () throws(DiagnosticList) in try ScenarioFile(name: file).program() })
    }
    return code
  }

  /// Runs a scenario that was read already.
  func run(_ text: String, file: String) -> Int32 {
    run { () throws(DiagnosticList) in try ScenarioFile.program(of: text, file: file) }
  }

  private func run(_ program: () throws(DiagnosticList) -> Program) -> Int32 {
    do throws(DiagnosticList) {
      let program = try program()
      console.warn(of: program, in: options.language)
      return show(try execution.run(program))
    } catch {
      console.err(error.text(in: options.language))
      return 2
    }
  }

  private func show(_ run: Run) -> Int32 {
    for line in RunView(options).lines(of: run) { console.out(line) }
    for diagnostic in run.mistakes { console.err(diagnostic.text(in: options.language)) }
    if let stopped = run.stopped { console.err(stopped.text(in: options.language)) }
    return run.exitCode
  }
}
