/// The words that a sentence of the catalogue takes, by the names of its places.
typealias Places = KeyValuePairs<String, any Worded>

/// A value that can stand in a sentence of any language.
protocol Worded {
  func words(in language: Language) -> String
}

extension Worded where Self: CustomStringConvertible {
  func words(in language: Language) -> String { description }
}

extension String: Worded {}
extension Substring: Worded {}
extension Character: Worded {}
extension Int: Worded {}
extension Int32: Worded {}
extension UInt32: Worded {}
extension UInt64: Worded {}
extension UInt: Worded {}
extension Value: Worded {}
extension Name: Worded {}
extension Literal: Worded {}
extension PropertyReference: Worded {}

extension Text: Worded {
  func words(in language: Language) -> String { self[language] }
}

/// A sentence of the catalogue: its words in every language, with places.
struct Phrase: Sendable {
  enum Piece: Hashable, Sendable {
    case words(String)
    case place(String)
    /// A place with an article before it.
    case article(String)
    /// One of two words, by whether the number at the place is 1.
    case choice(String, one: String, many: String)

    /// The name of the place.
    var name: String? {
      switch self {
      case .words: nil
      case .place(let name), .article(let name), .choice(let name, _, _): name
      }
    }
  }

  let english: [Piece]
  let chinese: [Piece]

  init(english: String, chinese: String) {
    self.english = Phrase.pieces(of: english)
    self.chinese = Phrase.pieces(of: chinese)
  }

  subscript(language: Language) -> [Piece] { language == .english ? english : chinese }

  func filled(_ places: Places, in language: Language) -> String {
    self[language].map { Phrase.filled($0, places, language) }.joined()
  }

  /// A place that nothing is given for stays as it is, for a script to fill.
  private static func filled(_ piece: Piece, _ places: Places, _ language: Language) -> String {
    func word(_ name: String) -> String {
      places.first { $0.key == name }?.value.words(in: language) ?? "{\(name)}"
    }
    return switch piece {
    case .words(let words): words
    case .place(let name): word(name)
    case .article(let name): indefinite(word(name))
    case .choice(let name, let one, let many): word(name) == "1" ? one : many
    }
  }

  // MARK: Reading

  private static func pieces(of text: String) -> [Piece] {
    var rest = unquoted(text)[...]
    var words = ""
    var pieces: [Piece] = []
    while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
      words += rest[..<open]
      rest = rest[rest.index(after: open)...]
      if let close = rest.utf8.firstIndex(of: UInt8(ascii: "}")),
        let place = place(rest[..<close])
      {
        if !words.isEmpty { pieces.append(.words(words)) }
        pieces.append(place)
        (words, rest) = ("", rest[rest.index(after: close)...])
      } else {
        words += "{"
      }
    }
    words += rest
    return words.isEmpty ? pieces : pieces + [.words(words)]
  }

  private static func unquoted(_ text: String) -> Substring {
    text.utf8.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
      ? text.dropFirst().dropLast() : text[...]
  }

  /// The place that stands in braces; nil for what is no place, as the braces of a scenario.
  private static func place(_ text: Substring) -> Piece? {
    let parts = text.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    let isArticle = text.hasPrefix("a ")
    let name = isArticle ? String(text.dropFirst(2)) : parts[0]
    guard !name.isEmpty, name.utf8.allSatisfy(isOfName) else { return nil }
    switch parts.count {
    case 1: return isArticle ? .article(name) : .place(name)
    case 3: return .choice(name, one: parts[1], many: parts[2])
    default: return nil
    }
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    byte < 128
      && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
  }
}
