extension Lane {
  /// Several ways of one step beside each other: each gets gaps where another has a station that it has
  /// not, so that stations of one place are of one kind and all have as many.
  ///
  /// Of very long ways only the ends are made even.
  static func aligned(_ ways: [[Station]], in language: Language = .english) -> [[Station]] {
    // The longest one first: what ended early takes its places.
    let order = ways.indices.sorted { ways[$0].count > ways[$1].count }
    var rows = ways[order[0]].map { [Station?]([$0]) }
    for (count, way) in order.enumerated().dropFirst() {
      rows = merged(rows, with: ways[way], ways: count)
    }
    return ways.indices.map { way in
      let column = order.firstIndex(of: way)!
      var event: UInt64 = 0
      return rows.map { row in
        if let station = row[column] {
          event = station.event
          return station
        }
        return Station(
          kind: .gap, event: event, depth: row.lazy.compactMap(\.self).first!.depth, title: "",
          text: language.say("lane.gap"))
      }
    }
  }

  /// How much longer the tables of an alignment may be.
  private static let most = 1 << 20

  private static func merged(
    _ rows: [[Station?]], with way: [Station], ways: Int
  ) -> [[Station?]] {
    let none = [Station?](repeating: nil, count: ways)
    var merged: [[Station?]] = []
    var (row, place) = (0, 0)
    for isPair in pairing(rows.map { $0.lazy.compactMap(\.self).first! }, way) {
      switch isPair {
      case .both:
        merged.append(rows[row] + [way[place]])
        (row, place) = (row + 1, place + 1)
      case .first:
        merged.append(rows[row] + [nil])
        row += 1
      case .second:
        merged.append(none + [way[place]])
        place += 1
      }
    }
    return merged
  }

  private enum Move { case both, first, second }

  /// The moves along two ways that meet in the most stations.
  private static func pairing(_ first: [Station], _ second: [Station]) -> [Move] {
    let (count, width) = (first.count, second.count + 1)
    guard count * width <= most else {
      let both = min(count, second.count)
      return Array(repeating: .both, count: both)
        + Array(repeating: .first, count: count - both)
        + Array(repeating: .second, count: second.count - both)
    }
    // The best worth of what is left of both, from a place in each.
    var worth = Array(repeating: 0, count: (count + 1) * width)
    for i in stride(from: count - 1, through: 0, by: -1) {
      for j in stride(from: width - 2, through: 0, by: -1) {
        let pair = likeness(first[i], second[j])
        worth[i * width + j] = max(
          worth[(i + 1) * width + j], worth[i * width + j + 1],
          pair == 0 ? 0 : pair + worth[(i + 1) * width + j + 1])
      }
    }
    var moves: [Move] = []
    var (i, j) = (0, 0)
    while i < count || j < width - 1 {
      let pair = i < count && j < width - 1 ? likeness(first[i], second[j]) : 0
      let now = worth[i * width + j]
      if pair > 0, now == pair + worth[(i + 1) * width + j + 1] {
        moves.append(.both)
        (i, j) = (i + 1, j + 1)
      } else if i < count, now == worth[(i + 1) * width + j] {
        moves.append(.first)
        i += 1
      } else {
        moves.append(.second)
        j += 1
      }
    }
    return moves
  }

  /// 0: they do not belong beside each other.
  private static func likeness(_ one: Station, _ other: Station) -> Int {
    one.kind != other.kind || one.depth != other.depth ? 0 : one.title == other.title ? 3 : 2
  }
}
