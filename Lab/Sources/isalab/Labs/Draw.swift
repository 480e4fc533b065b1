/// Values drawn for a scene: what stands in its braces is another one at each grading.
///
/// `"{a}"` in quotes is a word of five letters, `{a}` elsewhere a number, `{a+b}` a sum; the same
/// letter is the same value throughout the scene.
struct Draw {
  private var state: UInt64
  private var words: [Substring: String] = [:]
  private var numbers: [Substring: Int] = [:]

  /// - Parameter salt: Parts scenes of one grading.
  init(seed: UInt32, salt: String) {
    state = UInt64(seed) << 32 ^ (UInt64(salt.stableHash, radix: 16) ?? 0)
  }

  /// The next number of the sequence (SplitMix64).
  private mutating func next(below limit: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
  }

  private mutating func word(_ name: Substring) -> String {
    while words[name] == nil {
      let made = String((0..<5).map { _ in Draw.letters[next(below: Draw.letters.count)] })
      if !words.values.contains(made) { words[name] = made }
    }
    return words[name]!
  }
  private static let letters = Array("abcdefghijklmnopqrstuvwxyz")

  private mutating func number(_ name: Substring) -> Int {
    while numbers[name] == nil {
      let made = 2 + next(below: 9998)
      if !numbers.values.contains(made) { numbers[name] = made }
    }
    return numbers[name]!
  }

  /// The line with values in the place of its braces.
  mutating func fill(_ line: String) -> String {
    var filled = line
    while let mark = filled.firstMatch(of: #/"(!*)\{([a-z])\}(!*)"/#) {
      filled.replaceSubrange(mark.range, with: "\"\(mark.1)\(word(mark.2))\(mark.3)\"")
    }
    while let mark = filled.firstMatch(of: #/\{([a-z](?:\+[a-z])*)\}/#) {
      let sum = mark.1.split(separator: "+").reduce(0) { $0 + number($1) }
      filled.replaceSubrange(mark.range, with: String(sum))
    }
    return filled
  }
}

extension Scene {
  /// The scene as it is played in a grading with that seed.
  func drawn(seed: UInt32) -> Scene {
    var draw = Draw(seed: seed, salt: id + title.english)
    var scene = self
    scene.expected = expected.map { draw.fill($0) }
    return scene
  }
}
