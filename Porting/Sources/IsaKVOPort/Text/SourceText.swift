/// The text of one file, in bytes, and where its lines begin.
///
/// Offsets count UTF-8 bytes from the start of the file, as those of the syntax tree do.
struct SourceText: Sendable {
  let bytes: [UInt8]
  private let lineStarts: [Int]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [0]
    for (offset, byte) in bytes.enumerated() where byte == .newline { starts.append(offset + 1) }
    lineStarts = starts
  }

  /// The line break that the file has; that of Windows if its first one is.
  var newline: String {
    guard let first = bytes.firstIndex(of: .newline) else { return "\n" }
    return first > 0 && bytes[first - 1] == .carriageReturn ? "\r\n" : "\n"
  }

  subscript(range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The line and the column of an offset, both from one; a column is a byte, as the compiler's is.
  func position(of offset: Int) -> Position {
    let line = lineStarts.partitioningIndex { $0 > offset }
    return Position(line: line, column: offset - lineStarts[line - 1] + 1)
  }

  func startOfLine(at offset: Int) -> Int {
    lineStarts[lineStarts.partitioningIndex { $0 > offset } - 1]
  }

  /// The blanks that the line of `offset` begins with.
  func indentation(at offset: Int) -> String {
    let start = startOfLine(at: offset)
    return self[start..<endOfBlanks(from: start)]
  }

  func endOfBlanks(from offset: Int) -> Int {
    bytes[offset...].firstIndex { !$0.isBlank } ?? bytes.count
  }

  func startOfBlanks(before offset: Int) -> Int {
    (bytes[..<offset].lastIndex { !$0.isBlank } ?? -1) + 1
  }

  /// The range without the blanks and line breaks at its ends.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    let isInk = { (byte: UInt8) in !byte.isBlank && !byte.endsLine }
    guard let first = bytes[range].firstIndex(where: isInk),
      let last = bytes[range].lastIndex(where: isInk)
    else { return range.lowerBound..<range.lowerBound }
    return first..<last + 1
  }

  /// The range to delete so that the words in `range` are gone and no blanks or empty line remain.
  func removal(of range: Range<Int>) -> Range<Int> {
    let after = endOfBlanks(from: range.upperBound)
    guard after == bytes.count || bytes[after].endsLine else { return range.lowerBound..<after }
    let before = startOfBlanks(before: range.lowerBound)
    guard before == startOfLine(at: range.lowerBound) else { return before..<range.upperBound }
    return before..<endOfLineBreak(at: after)
  }

  /// The offset behind the line break at `offset`; the same offset if there is none.
  func endOfLineBreak(at offset: Int) -> Int {
    var end = offset
    if end < bytes.count, bytes[end] == .carriageReturn { end += 1 }
    if end < bytes.count, bytes[end] == .newline { end += 1 }
    return end
  }
}

/// A place in a file; line and column count from one.
package struct Position: Sendable, Hashable, Codable, Comparable {
  package let line: Int
  package let column: Int

  package static func < (first: Position, second: Position) -> Bool {
    (first.line, first.column) < (second.line, second.column)
  }
}

extension UInt8 {
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let tab = UInt8(ascii: "\t")

  var isBlank: Bool { self == UInt8(ascii: " ") || self == .tab }
  var endsLine: Bool { self == .newline || self == .carriageReturn }
}

extension RandomAccessCollection {
  /// The first index whose element, and all behind it, are `isBehind`.
  func partitioningIndex(_ isBehind: (Element) -> Bool) -> Index {
    var low = startIndex, high = endIndex
    while low < high {
      let middle = index(low, offsetBy: distance(from: low, to: high) / 2)
      if isBehind(self[middle]) { high = middle } else { low = index(after: middle) }
    }
    return low
  }
}
