// How wide text is on a terminal, and lines of a given width.

extension Character {
  /// Columns on a terminal: 2 for Chinese and what is as wide, 0 for nothing to see.
  var columns: Int {
    guard let scalar = unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x200B...0x200F, 0xFE00...0xFE0F: return 0
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60,
      0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  /// Whether a line may break before and behind it without a blank.
  fileprivate var isWide: Bool { columns == 2 }

  /// Whether it may not begin a line.
  fileprivate var closes: Bool { "，。、；：？！）》」』”’…".contains(self) }
  /// Whether it may not end one.
  fileprivate var opens: Bool { "（《「『“‘".contains(self) }
}

extension StringProtocol {
  /// Columns on a terminal.
  var columns: Int {
    // A line's end is one character, of two bytes too.
    let isPlain = utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    return isPlain ? utf8.count : reduce(0) { $0 + $1.columns }
  }
}

/// The text with blanks behind it, or with `left` before it, up to a width.
func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
  let blanks = String(repeating: " ", count: max(0, width - text.columns))
  return left ? blanks + text : text + blanks
}

/// Breaks a paragraph into lines of at most `width` columns: between words, and between Chinese
/// characters.
func wrapped(_ paragraph: String, width: Int = 78, indent: String = "") -> [String] {
  var lines: [String] = []
  var line = indent
  for piece in pieces(of: paragraph) {
    let blank = piece.isSpaced && line != indent ? " " : ""
    if (line + blank + piece.text).columns > width, line != indent {
      lines.append(line)
      line = indent + piece.text
    } else {
      line += blank + piece.text
    }
  }
  lines.append(line)
  return lines
}

/// A paragraph with a label before its first line.
func labelled(_ label: String, _ paragraph: String) -> [String] {
  let width = 10
  let lines = wrapped(paragraph, indent: String(repeating: " ", count: width))
  return [padded(label, width) + lines[0].dropFirst(width)] + lines.dropFirst()
}

/// Breaks a line that is too long between words, what follows below its beginning; keeps any other
/// as it is, columns and all.
func fitted(_ line: String, width: Int) -> [String] {
  if line.columns <= width { return [line] }
  let indent = String(line.prefix { $0 == " " })
  let lines = wrapped(line, width: width - indent.count - 2)
  return lines.enumerated().map { indent + ($0 == 0 ? "" : "  ") + $1 }
}

/// A piece of text that a line break may not part, and whether a blank goes before it.
private struct Piece {
  var text: String
  var isSpaced: Bool
}

private func pieces(of paragraph: String) -> [Piece] {
  paragraph.split(separator: " ").flatMap { word -> [Piece] in
    var pieces = [Piece(text: "", isSpaced: true)]
    for character in word {
      let last = pieces[pieces.count - 1].text.last
      let mayBreak =
        last.map { ($0.isWide || character.isWide) && !character.closes && !$0.opens } ?? false
      if mayBreak { pieces.append(Piece(text: "", isSpaced: false)) }
      pieces[pieces.count - 1].text.append(character)
    }
    return pieces
  }
}
