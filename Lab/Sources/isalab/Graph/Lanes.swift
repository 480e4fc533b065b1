/// Lanes side by side, in each of which spans lie behind each other.
struct Lanes {
  /// Of each lane, its spans upwards.
  private var taken: [[ClosedRange<Int>]] = []

  /// Takes the first lane in which a span meets no other one.
  mutating func take(_ span: ClosedRange<Int>) -> Int {
    for lane in taken.indices {
      let place = taken[lane].place { $0.lowerBound < span.lowerBound }
      let before = place == 0 || taken[lane][place - 1].upperBound < span.lowerBound
      guard before, place == taken[lane].count || taken[lane][place].lowerBound > span.upperBound
      else { continue }
      taken[lane].insert(span, at: place)
      return lane
    }
    taken.append([span])
    return taken.count - 1
  }
}

/// Places in a row, of which each is taken once.
struct NearestPlaces {
  /// The next free place on each side of a taken one, as far as it is known; its own if it is free.
  private var above: [Int]
  private var below: [Int]

  init(count: Int) {
    // One more at each end, which is never free.
    above = Array(0...(count + 1))
    below = above
  }

  /// Takes the free place that is nearest to one, of two the first.
  mutating func take(near wish: Int) -> Int? {
    let last = above.count - 1
    let up = NearestPlaces.end(of: &above, from: wish + 1)
    let down = NearestPlaces.end(of: &below, from: wish + 1)
    let hasUp = up > 0 && up < last, hasDown = down < last
    guard hasUp || hasDown else { return nil }
    let place = hasUp && (!hasDown || wish + 1 - up <= down - wish - 1) ? up : down
    (above[place], below[place]) = (place - 1, place + 1)
    return place - 1
  }

  private static func end(of next: inout [Int], from start: Int) -> Int {
    var end = start
    while next[end] != end { end = next[end] }
    var place = start
    while next[place] != end { (place, next[place]) = (next[place], end) }
    return end
  }
}
