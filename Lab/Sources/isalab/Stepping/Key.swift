/// One key that somebody typed.
enum Key: Hashable, Sendable {
  case character(Character)
  case left, right, up, down, home, end, pageUp, pageDown
  case enter, escape, backspace, tab, backTab
  case interrupt, suspend, redraw
  case endOfInput

  /// Takes the next key off the front of what a terminal sent; nil if the bytes are not complete.
  ///
  /// - Parameter isAll: Whether no more bytes are on their way: then a lone escape is the key.
  static func next(in bytes: inout [UInt8], isAll: Bool) -> Key? {
    while let first = bytes.first {
      if first == 0x1B, bytes.count == 1, !isAll { return nil }
      if first == 0x1B, bytes.count > 1 {
        guard let (key, count) = sequence(bytes) else {
          if !isAll { return nil }
          bytes.removeFirst()
          return .escape
        }
        bytes.removeFirst(count)
        if let key { return key }
        continue
      }
      if first >= 0x80 {
        guard let (key, count) = wide(bytes, isAll: isAll) else { return nil }
        bytes.removeFirst(count)
        if let key { return key }
        continue
      }
      bytes.removeFirst()
      if let key = control(first) { return key }
      if first >= 0x20 { return .character(Character(UnicodeScalar(first))) }
    }
    return nil
  }

  private static func control(_ byte: UInt8) -> Key? {
    switch byte {
    case 0x03: .interrupt
    case 0x04: .endOfInput
    case 0x08, 0x7F: .backspace
    case 0x09: .tab
    case 0x0A, 0x0D: .enter
    case 0x0C: .redraw
    case 0x1A: .suspend
    case 0x1B: .escape
    default: nil
    }
  }

  private static let finals: [String: Key] = [
    "A": .up, "B": .down, "C": .right, "D": .left, "H": .home, "F": .end, "Z": .backTab,
    "1~": .home, "7~": .home, "4~": .end, "8~": .end, "5~": .pageUp, "6~": .pageDown,
  ]

  /// An escape sequence, `ESC [ …` or `ESC O …`; a key of nil is one that means nothing here.
  private static func sequence(_ bytes: [UInt8]) -> (Key?, Int)? {
    guard bytes[1] == 0x5B || bytes[1] == 0x4F else { return (.escape, 1) }
    guard let end = bytes.indices.dropFirst(2).first(where: { (0x40...0x7E).contains(bytes[$0]) })
    else { return bytes.count > 16 ? (nil, bytes.count) : nil }
    let text = String(decoding: bytes[2...end], as: UTF8.self)
    return (finals[text], end + 1)
  }

  /// A character outside ASCII.
  private static func wide(_ bytes: [UInt8], isAll: Bool) -> (Key?, Int)? {
    let count = bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : bytes[0] >= 0xC0 ? 2 : 1
    guard bytes.count >= count else { return isAll ? (nil, bytes.count) : nil }
    let text = String(validating: bytes.prefix(count), as: UTF8.self)
    return (text?.first.map { .character($0) }, count)
  }
}
