// How near words are to each other: for those that are slips of the pen.

extension String {
  /// How many letters must change, come or go to make `other` of this.
  func editDistance(to other: String) -> Int {
    let target = Array(other)
    var row = Array(0...target.count)
    for (i, letter) in enumerated() {
      var previous = row[0]
      row[0] = i + 1
      for j in target.indices {
        let kept = previous + (letter == target[j] ? 0 : 1)
        previous = row[j + 1]
        row[j + 1] = Swift.min(kept, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[target.count]
  }

  /// The nearest of some names, if this may be a slip of the pen for it.
  func nearest(among names: [String]) -> String? {
    let most = max(2, count / 3)
    let ranked = names.map { (distance: lowercased().editDistance(to: $0.lowercased()), name: $0) }
      .filter { $0.distance <= most && $0.distance < max(count, $0.name.count) }
    return ranked.min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
  }
}
