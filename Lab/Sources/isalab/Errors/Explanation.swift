/// One status explained: Apple's words, and the mistakes that lead to it.
struct Explanation: Sendable {
  /// One mistake, as it is reported.
  struct Mistake: Sendable {
    var title: Text
    /// The engine's sentences, as C formats, word for word; one that ends in `…` stands for all
    /// that begin so.
    var messages: [String]
    var cause: Text
    var fix: Text
    var trial: Trial
  }

  var code: String
  /// nil for what ends the process.
  var status: UInt32?
  /// The status in a few words; in English, those of the engine.
  var text: Text
  /// The words or the act of Apple's Foundation or runtime.
  var apple: Text
  /// The tour's lesson.
  var lesson: Lesson
  var mistakes: [Mistake]

  /// The status's number, or a dash.
  var number: String { status.map { String($0) } ?? "-" }

  /// The exceptions that its reports carry, the usual one first.
  var exceptions: [String] {
    (status.map { [usualException($0)] } ?? []) + (Explanation.otherExceptions[code] ?? [])
  }

  /// Reports whose exception is not the status's own.
  private static let otherExceptions = [
    "ISA_ERR_IN_USE": ["NSGenericException"],
    "ISA_ERR_UNSUPPORTED": ["NSInternalInconsistencyException"],
    "KVC_ERR_NIL_VALUE": ["NSInternalInconsistencyException"],
    "KVO_ERR_NOT_REGISTERED": ["NSInvalidArgumentException"],
    "KVO_ERR_NAME_TAKEN": ["NSInternalInconsistencyException"],
  ]

  static let all =
    read(PackageResources.arguments_errors, "arguments")
    + read(PackageResources.core_errors, "core") + read(PackageResources.coding_errors, "coding")
    + read(PackageResources.observing_errors, "observing") + stops
  /// The sentences that end the process, since no status can repair it.
  static let stops = read(PackageResources.stops_errors, "stops")
}

extension Explanation {
  private static func read(_ text: String, _ name: String) -> [Explanation] {
    builtIn { () throws(Diagnostic) in try list(text, file: name + ".errors") }
  }

  /// The explanations of a text.
  static func list(_ text: String, file: String) throws(Diagnostic) -> [Explanation] {
    let fields = try TextFields(
      text, file: file,
      keys: [
        "error", "status", "text", "text zh", "apple", "apple zh", "lesson", "mistake",
        "mistake zh", "message", "cause", "cause zh", "fix", "fix zh", "scenario", "calls",
        "stop", "note", "note zh", "code",
      ])
    return try fields.list("error", Explanation.init)
  }

  private init(_ fields: TextFields) throws(Diagnostic) {
    let status = fields.optional("status").flatMap { UInt32($0) }
    let english = if let status { statusText(status) } else { try fields.text("text") }
    self.init(
      code: try fields.text("error"), status: status,
      text: Text(english: english, chinese: try fields.text("text zh")),
      apple: try fields.words("apple"), lesson: try fields.value("lesson", Lessons.find),
      mistakes: try fields.list("mistake", Mistake.init))
  }
}

extension Explanation.Mistake {
  fileprivate init(_ fields: TextFields) throws(Diagnostic) {
    self.init(
      title: try fields.words("mistake"), messages: fields.texts("message"),
      cause: try fields.words("cause"), fix: try fields.words("fix"), trial: try Trial(fields))
  }
}

extension Explanation.Mistake {
  /// Whether `reason` is one of this mistake's.
  func says(_ reason: String) -> Bool {
    messages.contains { MessageFormat($0).matches(reason) }
  }
}

/// A C format, for people and for comparing with what was said.
struct MessageFormat {
  /// The text between what is filled in.
  private var pieces: [Substring] = [""]
  private var text = ""

  init(_ format: String) {
    if format.hasSuffix("…") {
      pieces = [format.dropLast(), ""]
      text = format
      return
    }
    var rest = format[...]
    while let percent = rest.firstIndex(of: "%") {
      append(rest[..<percent])
      rest = rest[rest.index(after: percent)...]
      let end = rest.firstIndex { "sdiuxXpcfg%".contains($0) } ?? rest.startIndex
      if rest[end] == "%" { append("%") } else { fillIn() }
      rest = rest[rest.index(after: end)...]
    }
    append(rest)
  }

  private mutating func append(_ piece: Substring) {
    pieces[pieces.count - 1] += piece
    text += piece
  }

  private mutating func fillIn() {
    pieces.append("")
    text += "…"
  }

  /// The format with dots where something is filled in.
  var readable: String { text }

  /// The longest of the texts between what is filled in.
  var longestPiece: String { pieces.map(String.init).max { $0.count < $1.count } ?? "" }

  func matches(_ reason: String) -> Bool {
    guard reason.hasPrefix(pieces[0]) else { return false }
    var rest = reason.dropFirst(pieces[0].count)
    for piece in pieces.dropFirst().dropLast() {
      guard let found = rest.firstRange(of: piece) else { return false }
      rest = rest[found.upperBound...]
    }
    return pieces.count == 1 ? rest.isEmpty : rest.hasSuffix(pieces[pieces.count - 1])
  }
}
