/// An article about observing, and what it claims, in its order.
struct Article: Hashable, Sendable {
  var name: String
  /// Its own title, and what it is about.
  var title: Text
  var about: Text
  var claims: [Claim]

  /// In the order in which one best reads them.
  static let all = [
    read(PackageResources.handmade_article, "handmade"),
    read(PackageResources.kvocontroller_article, "kvocontroller"),
    read(PackageResources.safekvo_article, "safekvo"),
    read(PackageResources.easykvo_article, "easykvo"),
    read(PackageResources.mkkvo_article, "mkkvo"),
  ]

  static func find(_ name: String) -> Article? { all.first { $0.name == name } }

  private static func read(_ text: String, _ name: String) -> Article {
    builtIn { () throws(Diagnostic) in try Article(text, name) }
  }

  /// - Throws: where the text is none of an article.
  init(_ text: String, _ name: String) throws(Diagnostic) {
    let fields = try TextFields(text, file: name + ".article", keys: Claim.keys)
    self.init(
      name: name, title: try fields.words("title"), about: try fields.words("about"),
      claims: try fields.list("claim") { fields throws(Diagnostic) in try Claim(fields) })
  }

  private init(name: String, title: Text, about: Text, claims: [Claim]) {
    self.name = name
    self.title = title
    self.about = about
    self.claims = claims
  }
}

/// A thing that an article says, and whether a run bears it out.
struct Claim: Hashable, Sendable {
  enum Verdict: String, CaseIterable, Hashable, Sendable {
    case shown, refuted
    /// Nothing here can show it.
    case named
  }

  var text: Text
  var verdict: Verdict
  /// Why the verdict is so.
  var reason: Text
  /// Where it is to be seen; nil of a claim that is only named.
  var run: ClaimRun?

  fileprivate static let keys: Set = [
    "title", "title zh", "about", "about zh", "claim", "claim zh", "verdict", "why", "why zh",
    "design", "lesson", "exhibit", "line", "symptom", "raised", "shows", "scenario",
  ]

  fileprivate init(_ fields: TextFields) throws(Diagnostic) {
    text = try fields.words("claim")
    verdict = try fields.value("verdict", Verdict.init(rawValue:))
    reason = try fields.words("why")
    if verdict != .named { run = try ClaimRun(fields) }
  }
}

/// A scenario under a design, and the line of it that shows a claim.
struct ClaimRun: Hashable, Sendable {
  /// Where the scenario comes from.
  enum Origin: Hashable, Sendable {
    case own
    case lesson(String)
    case exhibit(String)
  }

  var origin = Origin.own
  var design: String
  var scenario: String
  var line: String
  /// The way in which the run goes wrong, which is what is to be seen; nil if all goes well.
  var symptom: Exhibit.Symptom?
  /// A part of the exception, or of what is shown below the line, in English.
  var raised: String?
  var shows: String?
  var isHere: Bool { design == Designs.engine }

  fileprivate init(_ fields: TextFields) throws(Diagnostic) {
    line = try fields.text("line")
    raised = fields.optional("raised")
    shows = fields.optional("shows")
    if fields.optional("lesson") != nil {
      let lesson = try fields.value("lesson") { Lessons.find($0) }
      (design, scenario, origin) = (Designs.engine, lesson.lines, .lesson(lesson.name))
    } else if fields.optional("exhibit") != nil {
      let exhibit = try fields.value("exhibit") { Exhibit.find($0) }
      (design, scenario, symptom) = (exhibit.design, exhibit.scenario, exhibit.symptom)
      origin = .exhibit(exhibit.name)
    } else {
      design = try fields.value("design") { Designs.find($0)?.name }
      scenario = try fields.text("scenario")
      if fields.optional("symptom") != nil {
        symptom = try fields.value("symptom", Exhibit.Symptom.init(rawValue:))
      }
    }
  }
}
