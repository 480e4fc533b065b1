import Foundation

/// `isalab run`: reads, checks and runs scenarios.
struct ScenarioRun {
  var options: TextOptions
  var console: Console

  /// Runs each file; `-` is standard input.
  ///
  /// - Returns: 0 if all is as expected, 1 if an expectation is broken, 2 if a scenario cannot be
  ///   read or run; the highest of several files.
  func run(files: [String]) -> Int32 {
    var code: Int32 = 0
    for file in files {
      if files.count > 1 { console.out(options.style.heading("== \(file.withVisibleControls)")) }
      code = max(code, run(file: file))
    }
    return code
  }

  private func run(file: String) -> Int32 {
    guard let text = read(file) else {
      let start = SourceLocation(line: 1, column: 1)
      console.err(
        Diagnostic(
          file: file, location: start, problem: "cannot be read",
          expected: "a file of UTF-8 text, or - for standard input"
        ).description)
      return 2
    }
    return run(text, file: file == "-" ? "stdin" : file)
  }

  /// Runs a scenario that was read already.
  func run(_ text: String, file: String) -> Int32 {
    do throws(DiagnosticList) {
      let program = try Checker.check(try Parser.parse(text, file: file))
      return show(Runner.run(program))
    } catch {
      console.err(error.description)
      return 2
    }
  }

  private func show(_ run: Run) -> Int32 {
    for line in RunView(options).lines(of: run) { console.out(line) }
    for diagnostic in run.broken { console.err(diagnostic.description) }
    if let stopped = run.stopped { console.err(stopped.description) }
    return run.exitCode
  }

  private func read(_ file: String) -> String? {
    let data =
      file == "-"
      ? FileHandle.standardInput.readDataToEndOfFile()
      : FileManager.default.contents(atPath: file)
    return data.flatMap { String(data: $0, encoding: .utf8) }
  }
}
