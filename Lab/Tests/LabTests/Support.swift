// The live counts are the core's own, hence CIsa.
import CIsa
import CIsa.Testing
import Foundation
import IsaRuntime

@testable import isalab

/// The output of a command.
final class Output {
  private(set) var out: [String] = []
  private(set) var err: [String] = []
  /// The text written without an end of line, such as a question.
  private var begun = ""

  var console: Console {
    Console(
      out: {
        self.out.append(self.begun + $0)
        self.begun = ""
      }, err: { self.err.append($0) })
  }

  func write(_ text: String) { begun += text }

  var text: String { out.map { $0 + "\n" }.joined() }
}

/// Runs a scenario given as text; `file` is what its messages name.
func runScenario(
  _ text: String, file: String = "test.kvo", _ options: TextOptions = TextOptions()
) -> (code: Int32, output: Output) {
  let output = Output()
  let code = ScenarioRun(options: options, console: output.console).run(text, file: file)
  return (code, output)
}

/// Runs a scenario that must be right, for looking at its steps.
func steps(_ text: String) throws -> [Step] {
  let run = Runner.run(try Checker.check(try Parser.parse(text, file: "test.kvo")))
  if let stopped = run.stopped { throw stopped }
  return run.steps
}

/// The things that the runtime keeps alive and a scenario must give back.
func liveCounts() -> [Int64] {
  // The classes of boxes come with it, and stay. So do those of Swift's own objects.
  _ = RuntimeClass.root
  try? SwiftView.prepare()
  let counts = isa_testing_live_counts()
  return [
    counts.objects, counts.classes, counts.side_records, counts.registrations, counts.lists,
    counts.pending, counts.trampolines,
  ]
}

/// The folders beside this file and at the top of the checkout.
enum Folder {
  static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  static let transcripts = tests.appendingPathComponent("Transcripts")
  static let lab = tests.deletingLastPathComponent().deletingLastPathComponent()
  static let checkout = tests.deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let scenarios = checkout.appendingPathComponent("Examples/scenarios")
  /// Of the lessons' exercises, one for each lesson.
  static let solutions = checkout.appendingPathComponent("Examples/solutions")
}

/// Compares with a recorded transcript. `ISALAB_RECORD=1` records instead.
func matchesTranscript(_ text: String, _ name: String) throws -> Bool {
  let file = Folder.transcripts.appendingPathComponent(name + ".txt")
  if ProcessInfo.processInfo.environment["ISALAB_RECORD"] == "1" {
    try Data(text.utf8).write(to: file)
  }
  return try String(contentsOf: file, encoding: .utf8) == text
}

extension Stop: ExpressibleByIntegerLiteral {
  /// The end of a step.
  public init(integerLiteral value: Int) { self.init(step: value) }
}
