/// A famous failure of observing: what happens, by which design, why, and what helps.
struct Exhibit: Hashable, Sendable {
  /// What the design is seen to do with the scenario.
  enum Symptom: String, Hashable, Sendable {
    case crash, hang, exception, refusal, leak
    /// The scenario runs, and somebody is told wrongly or not at all, or something is left behind.
    case wrong
  }

  var name: String
  var title: String
  var design: String
  var symptom: Symptom
  /// What one sees, why it is so, and what to do.
  var sign: String
  var cause: String
  var fix: String
  /// What both run. Its expectations say what should happen.
  var scenario: String

  static let all = lifetimes + removals + setters + told

  static func find(_ name: String) -> Exhibit? { all.first { $0.name == name } }
}

extension Exhibit.Symptom {
  /// Whether it is what was observed.
  func matches(_ outcome: DesignTrial.Outcome) -> Bool {
    switch (self, outcome) {
    case (.crash, .crashed), (.hang, .hung), (.exception, .raised), (.refusal, .refused),
      (.leak, .leaked), (.wrong, .misled):
      true
    default: false
    }
  }
}
