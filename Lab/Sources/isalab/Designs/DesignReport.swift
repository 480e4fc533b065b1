import Foundation

/// The reports of a child process on the scenario that it runs, one line of JSON each, as soon as
/// it is so: the process may end at any moment.
enum DesignReport: Hashable, Sendable, Codable {
  /// A statement is about to be carried out; what comes of it may be the end.
  case begins(DesignMoment)
  case step(DesignStep)
  /// How all stood at first, each event as it happens, and each step: all that a page shows.
  case start(WorldState)
  case event(Event)
  case recorded(Step)
  /// An exception that nobody catches: the process ends.
  case raised(String)
  case ended(DesignEnding, exitCode: Int32, stopped: String?)

  var line: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  init?(line: some StringProtocol) {
    let report = try? JSONDecoder().decode(DesignReport.self, from: Data(line.utf8))
    guard let report else { return nil }
    self = report
  }
}

/// A statement's place in the scenario.
struct DesignMoment: Hashable, Sendable, Codable {
  var line: Int
  var text: String
}

extension DesignMoment {
  init(_ statement: Statement) {
    self.init(line: statement.location.line, text: statement.whole)
  }
}

/// A step as a design carried it out.
struct DesignStep: Hashable, Sendable, Codable {
  var number: Int
  /// The line in the scenario.
  var line: Int
  var text: String
  /// The events, as `isalab run` shows them.
  var shown: [String]
  /// How many times an observer was told, and how many of them on another thread.
  var heard: Int
  var elsewhere: Int
  /// The part of the statement that the design cannot express.
  var unsupported: String?
  var isExpectation: Bool
  /// Expectations that are not met.
  var isBroken: Bool
  var isRefused: Bool
  /// Whether the misuse handler was told of something.
  var isReported = false
  /// Whether it is an expectation that is met.
  var isMet: Bool { isExpectation && !isBroken }
}

extension DesignStep {
  /// The columns that a view leaves when it sets a step in.
  private static let width = 73

  init(_ step: Step, _ language: Language, unsupported: String?) {
    let view = StepView(TextOptions(language: language))
    self.init(
      number: step.number, line: step.location.line, text: step.whole,
      shown: step.facts.filter(\.isOutcome).flatMap { view.lines(of: $0, DesignStep.width) },
      heard: step.deliveries.count, elsewhere: step.deliveries.filter(\.isElsewhere).count,
      unsupported: unsupported, isExpectation: step.isExpectation,
      isBroken: step.facts.contains { if case .broken = $0 { true } else { false } },
      isRefused: step.facts.contains { if case .refused = $0 { true } else { false } },
      isReported: step.facts.flattened.contains { if case .misuse = $0 { true } else { false } })
  }
}

/// The child's side: runs a scenario under a design and reports on standard output.
struct DesignChild {
  var isRecorded = false
  var limit = Budget.defaultLimit
  var write: (String) -> Void = { FileHandle.standardOutput.write(Data(($0 + "\n").utf8)) }

  /// - Returns: as `isalab run`, if the process lives to see it.
  func run(
    _ text: String, file: String, design: DesignInfo, _ language: Language
  ) -> Int32 {
    do throws(DiagnosticList) {
      var program = try Checker.check(try Parser.parse(text, file: file))
      design.adapt(&program)
      return run(program, design, language)
    } catch {
      Console.standard.err(error.text(in: language))
      return 2
    }
  }

  private func run(_ program: Program, _ design: DesignInfo, _ language: Language) -> Int32 {
    let session = DesignSession(design, language, isRecorded: isRecorded) { write($0.line) }
    let run = Runner.run(program, session, limit: limit)
    let stopped = run.stopped.map { $0.problem[language] }
    write(DesignReport.ended(session.ending, exitCode: run.exitCode, stopped: stopped).line)
    return run.exitCode
  }
}

extension Fact {
  /// Whether it is something that designs may differ in, and no detail of how this engine does it.
  fileprivate var isOutcome: Bool {
    switch self {
    case .structure, .classPair, .object, .notifyingClass, .methods, .forwarder, .collection: false
    default: true
    }
  }
}
