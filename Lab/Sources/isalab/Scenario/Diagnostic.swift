/// A place in a scenario; both numbers start at 1, and a column counts characters.
struct SourceLocation: Hashable, Sendable, Codable {
  var line: Int
  var column: Int
}

/// A mistake in a scenario, its place, and the text that was expected instead.
struct Diagnostic: Error, Hashable, Sendable, CustomStringConvertible {
  var file: String
  var location: SourceLocation
  var problem: Text
  var expected: Text

  /// One line that a terminal may be given, whatever the file and its name hold.
  func text(in language: Language) -> String {
    let mistake = language.say(
      "syntax.mistake",
      ["problem": problem[language].brief, "expected": expected[language].brief])
    return "\(file):\(location.line):\(location.column): \(mistake)".shown
  }

  var description: String { text(in: .english) }
}

extension String {
  /// Its beginning, if it is longer than anybody reads.
  fileprivate var brief: String { count > 600 ? prefix(600) + "…" : self }
}

/// All that is wrong in one scenario, in the order of the text; never empty.
struct DiagnosticList: Error, Hashable, Sendable, CustomStringConvertible {
  var diagnostics: [Diagnostic]

  func text(in language: Language) -> String {
    let most = 20
    let rest = diagnostics.count - most
    let lines = diagnostics.prefix(most).map { $0.text(in: language) }
    let more = rest > 0 ? [language.say("syntax.more", ["count": rest])] : []
    return (lines + more).joined(separator: "\n")
  }

  var description: String { text(in: .english) }
}

/// Words joined for a sentence: "a", "a or b", "a, b or c".
func alternatives(_ words: some Sequence<String>) -> Text {
  let words = Array(words)
  guard let last = words.last, words.count > 1 else { return Text(same: words.first ?? "") }
  return Text { language in
    let first = words.dropLast().joined(separator: language.say("syntax.comma"))
    return language.say("syntax.or", ["first": first, "last": last])
  }
}
