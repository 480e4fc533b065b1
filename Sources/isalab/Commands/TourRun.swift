/// `isalab tour`: runs the tour's scenario and shows it lesson by lesson.
struct TourRun {
  var options: TextOptions
  var console: Console

  /// - Returns: as `isalab run`; the tour expects things of itself too.
  func run() -> Int32 {
    do throws(DiagnosticList) {
      let program = try Checker.check(try Parser.parse(Tour.scenario, file: "tour"))
      let run = Runner.run(program)
      for line in TourView(options).lines(of: run) { console.out(line) }
      for diagnostic in run.broken + (run.stopped.map { [$0] } ?? []) {
        console.err(diagnostic.description)
      }
      return run.exitCode
    } catch {
      console.err(error.description)
      return 2
    }
  }
}
