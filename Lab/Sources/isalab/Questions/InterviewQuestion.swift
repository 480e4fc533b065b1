/// A question that interviews ask, its answer in three sentences, and a run that bears it out.
struct InterviewQuestion: Hashable, Sendable {
  /// The place where one sees the answer happen.
  enum Place: Hashable, Sendable {
    /// A line of a lesson, by the lesson's name.
    case lesson(String, line: String)
    /// An exhibit of the museum, by its name.
    case exhibit(String)
  }

  var name: String
  var title: Text
  var answer: Text
  var place: Place
  /// The lines that bear the answer out; they expect what it says.
  var scenario: String

  /// The mechanism, what notifies, what lives and dies, and what to choose.
  static let all =
    read(PackageResources.mechanism_questions, "mechanism")
    + read(PackageResources.notifying_questions, "notifying")
    + read(PackageResources.lifetimes_questions, "lifetimes")
    + read(PackageResources.choosing_questions, "choosing")

  /// By name, or by number from 1.
  static func find(_ text: String) -> InterviewQuestion? {
    if let number = Int(text) {
      return all.indices.contains(number - 1) ? all[number - 1] : nil
    }
    return all.first { $0.name == text }
  }

  func run() throws(DiagnosticList) -> Run {
    Runner.run(try ScenarioFile.program(of: scenario + "\n", file: name + ".kvo"))
  }
}

extension InterviewQuestion {
  private static func read(_ text: String, _ name: String) -> [InterviewQuestion] {
    builtIn { () throws(Diagnostic) in
      let fields = try TextFields(
        text, file: name + ".questions",
        keys: [
          "question", "title", "title zh", "answer", "answer zh", "lesson", "line", "exhibit",
          "scenario",
        ])
      return try fields.list("question", InterviewQuestion.init)
    }
  }

  private init(_ fields: TextFields) throws(Diagnostic) {
    self.init(
      name: try fields.text("question"), title: try fields.words("title"),
      answer: try fields.words("answer"), place: try Place(fields),
      scenario: try fields.text("scenario"))
  }
}

extension InterviewQuestion.Place {
  fileprivate init(_ fields: TextFields) throws(Diagnostic) {
    if let exhibit = fields.optional("exhibit") {
      self = .exhibit(exhibit)
    } else {
      self = .lesson(try fields.text("lesson"), line: try fields.text("line"))
    }
  }
}
