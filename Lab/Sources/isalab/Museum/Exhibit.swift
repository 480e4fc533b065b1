/// A famous failure of observing: what happens, by which design, why, and what helps.
struct Exhibit: Hashable, Sendable {
  /// The effect that the design is seen to have on the scenario.
  enum Symptom: String, Hashable, Sendable {
    case crash, hang, exception, refusal, leak
    /// The scenario runs, and somebody is told wrongly or not at all, or something is left behind.
    case wrong
  }

  var name: String
  var title: String
  var design: String
  var symptom: Symptom
  /// The effect that one sees, its reason, and the cure.
  var sign: String
  var cause: String
  var fix: String
  /// The scenario that both run. Its expectations say what should happen. Empty where both run code,
  /// the demonstration of this name.
  var scenario: String
  var isCode: Bool { design == Demonstration.design }

  /// Lifetimes, removals, setters that say nothing, observers that are told wrongly, and bindings.
  static let all =
    read(PackageResources.lifetimes_exhibits, "lifetimes")
    + read(PackageResources.removals_exhibits, "removals")
    + read(PackageResources.setters_exhibits, "setters")
    + read(PackageResources.told_exhibits, "told")
    + read(PackageResources.bindings_exhibits, "bindings")

  static func find(_ name: String) -> Exhibit? { all.first { $0.name == name } }
}

extension Exhibit {
  private static func read(_ resource: [UInt8], _ name: String) -> [Exhibit] {
    builtIn { () throws(Diagnostic) in
      let fields = try TextFields(
        String(resource: resource), file: name + ".exhibits",
        keys: ["exhibit", "title", "design", "symptom", "sign", "cause", "fix", "scenario"])
      return try fields.list("exhibit", Exhibit.init)
    }
  }

  private init(_ fields: TextFields) throws(Diagnostic) {
    self.init(
      name: try fields.text("exhibit"), title: try fields.text("title"),
      design: try fields.text("design"),
      symptom: try fields.value("symptom", Symptom.init(rawValue:)),
      sign: try fields.text("sign"), cause: try fields.text("cause"), fix: try fields.text("fix"),
      scenario: fields.optional("scenario") ?? "")
  }
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
