// Lessons as they stand in their files: the words, the lines, what is compared. Whether a choice is
// borne out, no file can say.

extension Lessons {
  static func lesson(
    _ name: String, _ text: String, choices: [@Sendable (Run) -> Bool],
    isSolved: @escaping @Sendable (Run) -> Bool = { _ in true }
  ) -> Lesson {
    builtIn { () throws(Diagnostic) in
      let fields = try TextFields(
        text, file: name + ".lesson", keys: Lesson.keys)
      return try Lesson(name, fields, choices, isSolved)
    }
  }
}

extension Lesson {
  static let keys: Set<String> = [
    "title", "title zh", "goal", "goal zh", "introduction", "introduction zh", "question",
    "question zh", "choice", "choice zh", "reply", "reply zh", "explanation", "explanation zh",
    "lines", "trace", "metaclasses", "answered", "turn", "subject", "apple", "apple zh", "here",
    "here zh",
    "rule", "conclusion", "conclusion zh", "task", "task zh", "check",
  ]

  init(
    _ name: String, _ fields: TextFields, _ choices: [@Sendable (Run) -> Bool],
    _ isSolved: @escaping @Sendable (Run) -> Bool
  ) throws(Diagnostic) {
    self.init(
      name: name, title: try fields.words("title"), goal: try fields.words("goal"),
      introduction: try fields.words("introduction"), question: try Question(fields, choices),
      answeringLine: fields.optional("answered"), lines: try fields.text("lines"),
      showsTrace: fields.optional("trace") != nil,
      showsMetaclasses: fields.optional("metaclasses") != nil,
      turn: try Turn(fields), departures: try fields.list("apple", Departure.init),
      conclusion: try fields.words("conclusion"),
      exercise: Exercise(
        task: try fields.words("task"), check: try fields.text("check"), isSolved: isSolved))
  }
}

extension Lesson.Question {
  fileprivate init(
    _ fields: TextFields, _ choices: [@Sendable (Run) -> Bool]
  ) throws(Diagnostic) {
    let words = try fields.list("choice") { part throws(Diagnostic) in
      (try part.words("choice"), part.optional("reply") == nil ? nil : try part.words("reply"))
    }
    guard words.count == choices.count else {
      throw fields.mistake("there are \(words.count) choices", "\(choices.count)")
    }
    self.init(
      text: try fields.words("question"),
      choices: zip(words, choices).map { Lesson.Choice(text: $0.0, reply: $0.1, isBorneOut: $1) },
      explanation: try fields.words("explanation"))
  }
}

extension Lesson.Turn {
  fileprivate init(_ fields: TextFields) throws(Diagnostic) {
    let subjects = try fields.list("subject") { part throws(Diagnostic) in
      try part.value("subject", Lesson.Subject.init)
    }
    self.init(line: try fields.text("turn"), subjects: subjects)
  }
}

extension Lesson.Subject {
  /// `object ada` or `class Person`.
  fileprivate init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    switch words.first {
    case "object" where words.count == 2: self = .object(words[1])
    case "class" where words.count == 2: self = .cls(words[1])
    default: return nil
    }
  }
}

extension Lesson.Departure {
  fileprivate init(_ fields: TextFields) throws(Diagnostic) {
    self.init(
      apple: try fields.words("apple"), here: try fields.words("here"),
      rule: fields.optional("rule"))
  }
}
