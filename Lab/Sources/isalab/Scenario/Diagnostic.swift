/// A place in a scenario; both numbers start at 1, and a column counts characters.
struct SourceLocation: Hashable, Sendable {
  var line: Int
  var column: Int
}

/// A mistake in a scenario, its place, and the text that was expected instead.
struct Diagnostic: Error, Hashable, Sendable, CustomStringConvertible {
  var file: String
  var location: SourceLocation
  var problem: String
  var expected: String

  /// One line that a terminal may be given, whatever the file and its name hold.
  var description: String {
    "\(file):\(location.line):\(location.column): \(problem.brief), expected \(expected.brief)"
      .shown
  }
}

extension String {
  /// Its beginning, if it is longer than anybody reads.
  fileprivate var brief: String { count > 600 ? prefix(600) + "…" : self }
}

/// All that is wrong in one scenario, in the order of the text; never empty.
struct DiagnosticList: Error, Hashable, Sendable, CustomStringConvertible {
  var diagnostics: [Diagnostic]

  var description: String {
    let most = 20
    let rest = diagnostics.count - most
    let lines = diagnostics.prefix(most).map(\.description)
    return (lines + (rest > 0 ? ["… and \(rest) more"] : [])).joined(separator: "\n")
  }
}

/// Words joined for a sentence: "a", "a or b", "a, b or c".
func alternatives(_ words: some Sequence<String>) -> String {
  let words = Array(words)
  guard let last = words.last, words.count > 1 else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " or " + last
}
