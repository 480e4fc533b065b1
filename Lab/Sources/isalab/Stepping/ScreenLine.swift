/// One line of a screen: pieces of text, each set off in its way.
struct ScreenLine: Hashable, Sendable {
  enum Style: Hashable, Sendable {
    case plain, faint, heading, notable, good, bad, title, current
  }
  struct Span: Hashable, Sendable {
    var text: String
    var style: Style
  }

  var spans: [Span] = []

  init() {}

  init(_ text: String, _ style: Style = .plain) {
    let text = text.shown.replacing("\t", with: "  ")
    spans = [Span(text: text, style: style)]
  }

  static func + (first: ScreenLine, second: ScreenLine) -> ScreenLine {
    var line = first
    line.spans += second.spans
    return line
  }

  /// With blanks, or cut, to exactly that many columns.
  func padded(to width: Int) -> ScreenLine {
    var line = ScreenLine()
    var room = width
    for span in spans where room > 0 {
      let text = span.text.columns <= room ? span.text : span.text.cut(to: room)
      line.spans.append(Span(text: text, style: span.style))
      room -= text.columns
    }
    if room > 0 {
      let style =
        spans.last?.style == .title || spans.last?.style == .current
        ? spans[spans.count - 1].style : .plain
      line.spans.append(Span(text: String(repeating: " ", count: room), style: style))
    }
    return line
  }

  func fitted(to width: Int, _ look: ScreenLook) -> String {
    let padded = padded(to: width)
    return (look.isASCII ? padded.inASCII : padded).spans.map {
      $0.shown(isColoured: look.isColoured)
    }.joined()
  }

  /// The text at its own width.
  func shown(_ look: ScreenLook) -> String {
    let width = spans.reduce(0) { $0 + $1.text.columns }
    return fitted(to: width, look)
  }

  private static let signs: [Character: String] = [
    "│": "|", "─": "-", "→": ">", "←": "<", "↓": "v", "↑": "^", "↳": "\\", "…": "~", "×": "x",
    "⇄": "*",
  ]

  /// A column for a column, so that nothing moves.
  private var inASCII: ScreenLine {
    var line = self
    for index in line.spans.indices {
      line.spans[index].text = line.spans[index].text.map { character in
        ScreenLine.signs[character]
          ?? (character.isASCII
            ? String(character) : String(repeating: "?", count: character.columns))
      }.joined()
    }
    return line
  }
}

extension ScreenLine.Span {
  fileprivate func shown(isColoured: Bool) -> String {
    guard isColoured, let code else { return text }
    return "\u{1B}[\(code)m\(text)\u{1B}[0m"
  }

  private var code: String? {
    switch style {
    case .plain: nil
    case .faint: "2"
    case .heading: "1"
    case .notable: "36"
    case .good: "32"
    case .bad: "1;31"
    case .title, .current: "7"
    }
  }
}

extension String {
  /// The first columns of a text, dots at the end.
  fileprivate func cut(to width: Int) -> String {
    var text = ""
    var room = width - 1
    for character in self {
      guard character.columns <= room else { break }
      text.append(character)
      room -= character.columns
    }
    return text + "…" + String(repeating: " ", count: room)
  }
}
