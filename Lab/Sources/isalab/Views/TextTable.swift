/// Rows whose columns stand below each other, on a terminal of 80 columns.
struct TextTable {
  var rows: [[String]] = []
  var indent = "  "
  private static let width = 80

  init(_ rows: [[String]] = [], indent: String = "  ") {
    self.rows = rows
    self.indent = indent
  }

  /// Text that does not fit in its line goes on below the last column, or, if that leaves too
  /// little room, below the row.
  var lines: [String] {
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in
      rows.filter { $0.count > column + 1 }.map { $0[column].columns }.max() ?? 0
    }
    return rows.flatMap { lines(of: $0, widths) }
  }

  private func lines(of row: [String], _ widths: [Int]) -> [String] {
    guard let last = row.last else { return [""] }
    let head = zip(row.dropLast(), widths).reduce(indent) { $0 + padded($1.0, $1.1) + "  " }
    if (head + last).columns <= TextTable.width { return [(head + last).withoutTrailingBlanks] }
    let room = TextTable.width - head.columns
    let longestWord = last.split(separator: " ").map(\.columns).max() ?? 0
    if room >= 24, longestWord <= room {
      let blanks = String(repeating: " ", count: head.columns)
      return wrapped(last, width: room).enumerated().map { ($0 == 0 ? head : blanks) + $1 }
    }
    let plain = indent + row.dropLast().joined(separator: "  ")
    let hanging = indent + "    "
    return wrapped(plain, width: TextTable.width, indent: indent)
      + wrapped(last, width: TextTable.width, indent: hanging)
  }
}

extension String {
  /// Without the blanks at its end.
  var withoutTrailingBlanks: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
