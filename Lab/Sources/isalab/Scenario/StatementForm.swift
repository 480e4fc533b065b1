/// A statement of the scenario language as one writes it, and what it does: for the editor, and for
/// `isalab statements`.
struct StatementForm: Hashable, Sendable {
  var group: Text
  var lines: String
  var does: Text

  static let all: [StatementForm] = builtIn { () throws(Diagnostic) in
    let fields = try TextFields(
      PackageResources.language_statements, file: "language.statements",
      keys: ["group", "group zh", "statement", "does", "does zh"])
    return try fields.list("group") { part throws(Diagnostic) in
      let group = try part.words("group")
      return try part.list("statement") { one throws(Diagnostic) in
        StatementForm(
          group: group, lines: try one.text("statement"), does: try one.words("does"))
      }
    }.flatMap(\.self)
  }

  /// The forms that have a word, all without one, as a terminal shows them.
  static func lines(with word: String?, _ options: TextOptions) -> [String] {
    var group: Text?
    return all.filter { word.map($0.contains) ?? true }.flatMap { form in
      let head =
        group == form.group ? [] : ["", options.style.heading(form.group[options.language])]
      group = form.group
      return head + form.lines.split(separator: "\n").map { "  " + $0 }
        + wrapped(form.does[options.language], indent: "      ")
    }
  }

  private func contains(_ word: String) -> Bool {
    lines.split { !($0.isLetter || $0 == "-") }.contains { $0 == word }
  }
}
