import Foundation

/// The argument parser's own words, which it has in English, in the user's language.
struct ParserWords {
  var language: Language

  /// The sentences that a message may have, each looked for in the whole of it.
  private static let keys = [
    "parser.overview", "parser.usage", "parser.usage-below", "parser.arguments", "parser.options",
    "parser.subcommands", "parser.error", "parser.help", "parser.more", "parser.details",
    "parser.show-help", "parser.show-version", "parser.missing-argument", "parser.unexpected",
    "parser.many-unexpected", "parser.unknown-option", "parser.did-you-mean",
    "parser.missing-value", "parser.invalid", "parser.values-default", "parser.default",
    "parser.values",
  ]

  func translated(_ message: String) -> String {
    if language == .english { return message }
    return ParserWords.keys.reduce(message) { text, key in
      let phrase = Catalogue.phrase(key)
      guard let pattern = ParserWords.pattern(of: phrase) else { return text }
      return replaced(text, pattern, phrase)
    }
  }

  private func replaced(_ text: String, _ pattern: NSRegularExpression, _ phrase: Phrase) -> String
  {
    let names = phrase.english.compactMap(\.name)
    let whole = NSRange(text.startIndex..., in: text)
    return pattern.matches(in: text, range: whole).reversed().reduce(text) { text, match in
      let places = names.enumerated().map { index, name in
        (name, Range(match.range(at: index + 1), in: text).map { String(text[$0]) } ?? "")
      }
      guard let range = Range(match.range, in: text) else { return text }
      let words = phrase[language].map { piece -> String in
        switch piece {
        case .words(let words): words
        default: places.first { $0.0 == piece.name }?.1 ?? ""
        }
      }
      return text.replacingCharacters(in: range, with: words.joined())
    }
  }

  /// The sentence as the parser writes it, anything at its places.
  private static func pattern(of phrase: Phrase) -> NSRegularExpression? {
    let parts = phrase.english.map { piece in
      switch piece {
      case .words(let words): NSRegularExpression.escapedPattern(for: words)
      default: "(.+?)"
      }
    }
    return try? NSRegularExpression(pattern: parts.joined())
  }
}
