import SwiftSyntax

/// The words before a declaration, in the order that the parser knows.
///
/// The compiler takes `public @objc dynamic var`, of which the parser makes a mistake: it has
/// attributes before modifiers. The bytes that change their places stay as many as they were.
struct WordOrder {
  /// The bytes in that order; nil if all words stand in it already.
  private(set) var bytes: [UInt8]?

  init(_ tree: SourceFileSyntax, _ text: SourceText) {
    let tokens = Array(tree.tokens(viewMode: .all)).filter { $0.presence == .present }
    for index in tokens.indices.dropLast()
    where tokens[index].text == "@" && tokens[index + 1].text == "objc" {
      let first = Self.firstModifier(tokens, before: index)
      guard first < index else { continue }
      let end = Self.endOfAttribute(tokens, index + 1)
      swap(tokens[first].start..<tokens[index].start, with: tokens[index].start..<end, text)
    }
  }

  private mutating func swap(
    _ modifiers: Range<Int>, with attribute: Range<Int>, _ text: SourceText
  ) {
    let words = text[modifiers].reversed().drop { $0 == " " }.reversed()
    let blanks = modifiers.count - String(words).utf8.count
    var result = bytes ?? text.bytes
    let moved = text[attribute] + String(repeating: " ", count: blanks) + String(words)
    result.replaceSubrange(modifiers.lowerBound..<attribute.upperBound, with: moved.utf8)
    bytes = result
  }

  /// The index of the first of the modifiers that stand before a token, in its line.
  private static func firstModifier(_ tokens: [TokenSyntax], before index: Int) -> Int {
    var first = index
    while true {
      var last = first - 1
      // The detail of `private(set)`.
      if last > 3, tokens[last].text == ")", tokens[last - 1].text == "set" { last -= 3 }
      guard last >= 0, modifiers.contains(tokens[last].text),
        !tokens[first].leadingTrivia.hasNewlines, !tokens[last].trailingTrivia.hasComments
      else { return first }
      first = last
    }
  }

  /// The end of `objc`, or of the name in parentheses that follows it at once.
  private static func endOfAttribute(_ tokens: [TokenSyntax], _ index: Int) -> Int {
    let end = tokens[index].bytes.upperBound
    guard index + 1 < tokens.count, tokens[index + 1].text == "(", tokens[index + 1].start == end,
      let close = tokens[(index + 1)...].first(where: { $0.text == ")" })
    else { return end }
    return close.bytes.upperBound
  }

  private static let modifiers: Set<String> = [
    "public", "open", "internal", "private", "fileprivate", "package", "final", "override",
    "dynamic", "lazy", "weak", "class", "static", "convenience", "required", "nonisolated",
  ]
}
