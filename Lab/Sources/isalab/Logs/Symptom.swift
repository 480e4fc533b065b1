/// A mistake as the log of some runtime tells of it: its signs, its causes and its cure.
struct Symptom: Sendable {
  var name: String
  var title: Text
  /// Phrases of which each alone tells it, in small letters.
  var signs: [String]
  /// Expressions whose names are filled in by the log: the observer, the key path.
  var readings: [String]
  var says: Text
  /// The status by which this library reports the same.
  var status: String?
  /// Words on what this library does instead.
  var instead: Text?
  var lesson: Lesson
  var exhibit: Exhibit?
  var causes: [Text]
  var fix: Text
  /// Whether it says less than any other, and is left out beside one.
  var isGeneral: Bool
  /// Whether it takes a frame of KVO beside it.
  var needsFrame: Bool
  /// The symptom that says more of the same.
  var better: String?

  static let all =
    read(PackageResources.apple_symptoms, "apple") + read(PackageResources.swift_symptoms, "swift")
    + read(PackageResources.sanitizers_symptoms, "sanitizers")
}

extension Symptom {
  private static func read(_ text: String, _ name: String) -> [Symptom] {
    builtIn { () throws(Diagnostic) in
      let fields = try TextFields(
        text, file: name + ".symptoms",
        keys: [
          "symptom", "title", "title zh", "sign", "reads", "says", "says zh", "here", "instead",
          "instead zh", "lesson", "exhibit", "cause", "cause zh", "fix", "fix zh", "general",
          "needs", "unless",
        ])
      return try fields.list("symptom", Symptom.init)
    }
  }

  private init(_ fields: TextFields) throws(Diagnostic) {
    let status = fields.optional("here")
    self.init(
      name: try fields.text("symptom"), title: try fields.words("title"),
      signs: fields.texts("sign"), readings: fields.texts("reads"),
      says: try fields.words("says"), status: status,
      instead: status == nil ? try fields.words("instead") : nil,
      lesson: try fields.value("lesson", Lessons.find),
      exhibit: fields.optional("exhibit") == nil
        ? nil : try fields.value("exhibit", Exhibit.find),
      causes: try fields.list("cause") { part throws(Diagnostic) in try part.words("cause") },
      fix: try fields.words("fix"), isGeneral: fields.optional("general") != nil,
      needsFrame: fields.optional("needs") != nil, better: fields.optional("unless"))
  }
}

/// A function of Apple's Foundation, or of this core, whose frame stands in a backtrace.
struct KVOFrame: Sendable {
  var name: String
  var signs: [String]
  var does: Text
  /// The same in this library.
  var here: Text

  static let all: [KVOFrame] = builtIn { () throws(Diagnostic) in
    let fields = try TextFields(
      PackageResources.kvo_frames, file: "kvo.frames",
      keys: ["frame", "sign", "does", "does zh", "here", "here zh"])
    return try fields.list("frame") { part throws(Diagnostic) in
      KVOFrame(
        name: try part.text("frame"), signs: part.texts("sign"), does: try part.words("does"),
        here: try part.words("here"))
    }
  }
}
