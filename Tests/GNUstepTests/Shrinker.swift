/// Takes commands out of a program as long as what is wrong with it stays.
struct Shrinker {
  let fails: ([String]) throws -> Bool

  func shrink(_ program: [String]) throws -> [String] {
    var lines = program, size = max(1, lines.count / 2)
    while true {
      let before = lines.count
      lines = try removeRuns(of: size, from: lines)
      if size > 1 { size /= 2 } else if lines.count == before { return lines }
    }
  }

  /// Without those runs of `size` lines that it fails without.
  private func removeRuns(of size: Int, from program: [String]) throws -> [String] {
    var lines = program, start = 0
    while start < lines.count {
      var fewer = lines
      fewer.removeSubrange(start..<min(start + size, lines.count))
      if try fails(fewer) { lines = fewer } else { start += size }
    }
    return lines
  }
}
