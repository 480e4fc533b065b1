/// An exhibit that is code: a binding or a list as others make it, and the same with this engine.
struct Demonstration: Sendable {
  static let design = "by-hand"
  static let title = Text("demo.title")

  /// The exhibit's name.
  var name: String
  /// Runs the code of the design, or this engine's.
  var run: @Sendable (_ isHere: Bool, _ acts: Acts) -> Void

  static let all = [
    sharedGuard, removeAndInsert, staleSelection, forgetfulToolkit, quadraticDifference,
  ]

  static func find(_ name: String) -> Demonstration? { all.first { $0.name == name } }

  /// Runs it, and reports as a design reports a scenario.
  func report(isHere: Bool, _ language: Language, _ write: @escaping (String) -> Void) {
    let acts = Acts(language) { write($0.line) }
    run(isHere, acts)
    acts.end()
  }
}

/// The acts of a demonstration, reported as soon as each is done: it may end the process.
final class Acts {
  let language: Language
  private let report: (DesignReport) -> Void
  private var count = 0
  private var broken = 0
  /// The things seen in the course of the present act.
  private var seen: [String] = []

  init(_ language: Language, _ report: @escaping (DesignReport) -> Void) {
    self.language = language
    self.report = report
  }

  func say(_ key: String, _ places: Places = [:]) -> String { language.say(key, places) }

  /// Notes what an observer sees.
  func see(_ text: String) { seen.append("→ " + text) }

  /// Does something, under the words for it.
  func act(_ text: String, _ body: () -> Void) {
    begin(text)
    body()
    finish(text, isExpectation: false, isBroken: false)
  }

  /// Says whether something is as it should be.
  func expect<Value: Equatable>(_ text: String, _ actual: Value, _ expected: Value) {
    begin(text)
    let isBroken = actual != expected
    if isBroken {
      broken += 1
      let actual = language.say("outcome.it-is", ["value": "\(actual)"])
      seen = [
        language.say("step.broken")
          + language.say("step.actual", ["actual": actual, "expected": "\(expected)"])
      ]
    } else {
      seen = [language.say("step.ok")]
    }
    finish(text, isExpectation: true, isBroken: isBroken)
  }

  func end() {
    report(.ended(DesignEnding(), exitCode: broken == 0 ? 0 : 1, stopped: nil))
  }

  private func begin(_ text: String) {
    count += 1
    report(.begins(DesignMoment(line: count, text: text)))
  }

  private func finish(_ text: String, isExpectation: Bool, isBroken: Bool) {
    report(
      .step(
        DesignStep(
          number: count, line: count, text: text, shown: seen, heard: seen.count, elsewhere: 0,
          unsupported: nil, isExpectation: isExpectation, isBroken: isBroken, isRefused: false)))
    seen = []
  }
}
