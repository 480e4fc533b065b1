/// A famous failure of observing: what happens, by which design, why, and what helps.
struct Exhibit: Hashable, Sendable {
  /// The effect that the design is seen to have on the scenario.
  enum Symptom: String, Hashable, Sendable {
    case crash, hang, exception, refusal, leak
    /// The scenario runs, and somebody is told wrongly or not at all, or something is left behind.
    case wrong
  }

  var name: String
  var title: Text
  var design: String
  /// The design that grew out of this one, and does not fail so any more.
  var next: String?
  var symptom: Symptom
  /// The design as one writes it in Objective-C, where that is short.
  var code: String?
  /// The effect that one sees, or the sentence that many believe; its reason, and the cure.
  var sign: Text
  var isBelief = false
  var cause: Text
  var fix: Text
  /// The scenario that all run. Its expectations say what should happen, or what is believed to.
  /// Empty where both run code, the demonstration of this name.
  var scenario: String
  /// Of a belief, the scenario whose expectations say what happens instead.
  var truth: String?
  var isCode: Bool { design == Demonstration.design }

  /// The designs that run it, the one that fails first.
  var designs: [String] { [design] + (next.map { [$0] } ?? []) + [Designs.engine] }

  /// The scenario that a design runs.
  func scenario(under design: String) -> String {
    design == Designs.engine ? truth ?? scenario : scenario
  }

  /// The stages of the articles' code, beliefs, lifetimes, removals, setters that say nothing,
  /// observers that are told wrongly, and bindings.
  static let all =
    stages
    + read(PackageResources.beliefs_exhibits, "beliefs")
    + read(PackageResources.lifetimes_exhibits, "lifetimes")
    + read(PackageResources.removals_exhibits, "removals")
    + read(PackageResources.setters_exhibits, "setters")
    + read(PackageResources.told_exhibits, "told")
    + read(PackageResources.bindings_exhibits, "bindings")

  /// The failure of each stage, in the order in which one stage forces the next.
  static let stages = read(PackageResources.stages_exhibits, "stages")

  static func find(_ name: String) -> Exhibit? { all.first { $0.name == name } }
}

extension Exhibit {
  private static func read(_ text: String, _ name: String) -> [Exhibit] {
    builtIn { () throws(Diagnostic) in
      let fields = try TextFields(
        text, file: name + ".exhibits",
        keys: [
          "exhibit", "title", "title zh", "design", "next", "symptom", "code", "sign", "sign zh",
          "belief", "belief zh", "cause", "cause zh", "fix", "fix zh", "scenario", "truth",
        ])
      return try fields.list("exhibit", Exhibit.init)
    }
  }

  private init(_ fields: TextFields) throws(Diagnostic) {
    let isBelief = fields.optional("belief") != nil
    self.init(
      name: try fields.text("exhibit"), title: try fields.words("title"),
      design: try fields.text("design"), next: fields.optional("next"),
      symptom: try fields.value("symptom", Symptom.init(rawValue:)),
      code: fields.optional("code"),
      sign: try fields.words(isBelief ? "belief" : "sign"),
      isBelief: isBelief, cause: try fields.words("cause"),
      fix: try fields.words("fix"), scenario: fields.optional("scenario") ?? "",
      truth: fields.optional("truth"))
  }
}

extension Exhibit.Symptom {
  /// The catalogue's word for it.
  var key: String {
    switch self {
    case .crash: "museum.crash"
    case .hang: "museum.hang"
    case .exception: "museum.exception"
    case .refusal: "museum.refusal"
    case .leak: "museum.leak"
    case .wrong: "museum.wrong"
    }
  }

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
