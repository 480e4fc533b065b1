import Synchronization

/// The sentences of isalab in every language, as the files of Resources/Words have them.
///
///     # A line for translators.
///     step.more
///       en: … and {count} more {count|line|lines}
///       zh: the same in Chinese, with {count}
///
/// A key begins with the name of its file. `{name}` is a place for words that the code gives,
/// `{name|one|many}` chooses by a number, `{a name}` puts an article before. Quotes keep blanks
/// at the ends. A line that is indented further goes on with the one above.
struct Catalogue: Sendable {
  private(set) var phrases: [String: Phrase] = [:]

  /// The areas of keys, one a file.
  static let areas = PackageResources.all.keys.filter { $0.hasSuffix(suffix) }
    .map { String($0.dropLast(suffix.count)) }
  private static let suffix = ".words"
  /// Those that a sentence was asked of. A run of a few lines needs a few of them.
  private static let known = Mutex<[String: Catalogue]>([:])

  /// A key that is not there is a mistake of the program's.
  static func phrase(_ key: String) -> Phrase {
    let sentences = area(String(key.prefix { $0 != "." }))
    guard let phrase = sentences.phrases[key] else { fatalError("no words for '\(key)'") }
    return phrase
  }

  /// The sentences of an area, read once; none of one that is not there.
  static func area(_ area: String) -> Catalogue {
    known.withLock { known in
      if let catalogue = known[area] { return catalogue }
      let catalogue = builtIn { () throws(Diagnostic) in
        var catalogue = Catalogue()
        if let text = PackageResources.all[area + suffix] { try catalogue.read(text, area) }
        return catalogue
      }
      known[area] = catalogue
      return catalogue
    }
  }

  // MARK: Reading

  /// Adds the sentences of one file.
  mutating func read(_ text: String, _ area: String) throws(Diagnostic) {
    var reader = CatalogueReader(area: area)
    for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      try reader.read(String(Substring(line)))
    }
    try reader.end()
    for (key, phrase) in reader.phrases {
      if phrases.updateValue(phrase, forKey: key) != nil {
        throw reader.mistake("the key '\(key)' is there twice", "each key once")
      }
    }
  }
}

/// A file of the catalogue, line by line.
private struct CatalogueReader {
  let area: String
  private(set) var phrases: [(String, Phrase)] = []
  private var key: String?
  private var texts: [Language: String] = [:]
  private var last: Language?
  private var number = 0

  init(area: String) { self.area = area }

  mutating func read(_ line: String) throws(Diagnostic) {
    number += 1
    if line.isEmpty || line.hasPrefix("#") { return }
    if line.hasPrefix("    ") { return try goOn(line.dropFirst(4)) }
    if line.hasPrefix("  ") { return try text(line.dropFirst(2)) }
    try end()
    guard line.hasPrefix(area + ".") else { throw mistake("'\(line)' is no key", "\(area).…") }
    key = line
  }

  private mutating func text(_ line: Substring) throws(Diagnostic) {
    guard key != nil, let language = Language(rawValue: String(line.prefix(2))),
      line.dropFirst(2).hasPrefix(": ")
    else { throw mistake("'\(line)' is no text of a key", "'en: words' or 'zh: words'") }
    if texts.updateValue(String(line.dropFirst(4)), forKey: language) != nil {
      throw mistake("'\(language.rawValue)' is there twice", "once")
    }
    last = language
  }

  private mutating func goOn(_ line: Substring) throws(Diagnostic) {
    guard let last else { throw mistake("'\(line)' goes on with nothing", "a text above it") }
    texts[last]! += (last == .english ? " " : "") + line
  }

  /// Ends the sentence of the last key.
  mutating func end() throws(Diagnostic) {
    guard let key else { return }
    guard let english = texts[.english], let chinese = texts[.chinese] else {
      throw mistake("'\(key)' lacks a language", "en and zh")
    }
    phrases.append((key, Phrase(english: english, chinese: chinese)))
    (self.key, texts, last) = (nil, [:], nil)
  }

  func mistake(_ problem: String, _ expected: String) -> Diagnostic {
    let place = SourceLocation(line: number, column: 1)
    return Diagnostic(
      file: area + ".words", location: place, problem: Text(same: problem),
      expected: Text(same: expected))
  }
}
