internal import IsaKVO

/// A text with values in it: `"%{value1}@ of %{value2}@"`.
enum DisplayPattern {
  /// The text of the parts that are bound; a part that is not is nothing.
  static func text(of parts: [NamedPushes]) -> String {
    let pattern = parts.compactMap(\.options.displayPattern).first
    var texts: [Int: String] = [:]
    for part in parts { texts[BindingGroup.of(part.name)?.number ?? 1] = part.text }
    guard let pattern else { return texts.sorted { $0.key < $1.key }.map(\.value).joined() }
    var result = ""
    var rest = pattern[...]
    while let start = rest.firstIndex(of: "%") {
      result += rest[..<start]
      rest = rest[start...]
      guard let (number, end) = placeholder(in: rest) else {
        result.append(rest.removeFirst())
        continue
      }
      result += texts[number] ?? ""
      rest = rest[end...]
    }
    return result + rest
  }

  /// The number in `%{value2}@` at the beginning of a text, and where that ends.
  private static func placeholder(
    in text: Substring
  ) -> (number: Int, end: Substring.Index)? {
    let head = "%{value", tail = "}@"
    guard text.hasPrefix(head) else { return nil }
    let digits = text.dropFirst(head.count).prefix { $0.isNumber }
    guard let number = Int(digits), text[digits.endIndex...].hasPrefix(tail) else { return nil }
    return (number, text.index(digits.endIndex, offsetBy: tail.count))
  }
}
