import CIsa
import CIsa.Testing

// Scenarios of isalab, whatever stands in them: a mistake has a place in the text; a run comes to
// its end, can be shown in each language, and leaves no object.

/// One input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  do throws(DiagnosticList) {
    let program = try ScenarioFile.program(of: text, file: "fuzzed.kvo")
    let before = isa_testing_live_counts().objects
    show(Runner.run(program, limit: 500))
    precondition(isa_testing_live_counts().objects == before)
  } catch {
    let lines = text.sourceLines.count
    for mistake in error.diagnostics {
      precondition((1...lines + 1).contains(mistake.location.line) && mistake.location.column > 0)
      for language in Language.allCases { precondition(!mistake.text(in: language).isEmpty) }
    }
  }
  return 0
}

private func show(_ run: Run) {
  for language in Language.allCases {
    let view = StepView(TextOptions(language: language))
    for step in run.steps { precondition(!view.lines(of: step).isEmpty) }
    _ = GraphRun.text(of: run, at: Moment(step: run.steps.count), .text, nil, language)
  }
}
