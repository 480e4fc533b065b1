/// A command's words: some stand for themselves, a literal begins with one and goes to the end.
struct Words {
  private let line: String
  private let words: [Substring]

  init(_ line: String) {
    self.line = line
    words = line.split(separator: " ", omittingEmptySubsequences: false)
  }

  var verb: String { String(words[0]) }

  func text(_ index: Int) throws -> String {
    guard index < words.count else { throw Raised.unknown }
    return words[index] == "\"\"" ? "" : String(words[index])
  }

  func literal(_ index: Int) throws -> Literal {
    guard index < words.count else { throw Raised.unknown }
    var reader = LiteralReader(line[words[index].startIndex...])
    return reader.read()
  }
}
