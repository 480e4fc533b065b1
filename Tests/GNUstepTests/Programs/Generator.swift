/// The same numbers for the same seed, on every machine (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// A program in the making, and the luck that makes it.
struct Generator {
  private(set) var lines: [String] = []
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func line(_ words: String...) { lines.append(words.joined(separator: " ")) }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func chance(_ percent: Int) -> Bool { number(1...100) <= percent }

  mutating func pick<Choices: Collection>(_ choices: Choices) -> Choices.Element {
    choices.randomElement(using: &random)!
  }

  /// Each of the choices, or not.
  mutating func some<Choices: Collection>(of choices: Choices, percent: Int = 40)
    -> [Choices.Element]
  {
    choices.filter { _ in chance(percent) }
  }
}

/// A part of key-value coding and observing that programs are made for.
struct Area: Sendable {
  let name: String
  let weight: Int
  let write: @Sendable (inout Generator) -> Void

  static let all: [Area] = [
    Area(name: "accessor search", weight: 3, write: writeSearch),
    Area(name: "conversion", weight: 3, write: writeConversion),
    Area(name: "hooks", weight: 1, write: writeHooks),
    Area(name: "observing keys", weight: 3, write: writeObserving),
    Area(name: "key paths", weight: 3, write: writePaths),
    Area(name: "operators", weight: 3, write: writeOperators),
    Area(name: "many keys", weight: 2, write: writeMany),
    Area(name: "proxies", weight: 3, write: writeProxies),
    Area(name: "dictionaries", weight: 2, write: writeDictionaries),
    Area(name: "observing paths", weight: 3, write: writeObservingPaths),
    Area(name: "observing long paths", weight: 1, write: writeObservingLongPaths),
  ]

  /// The program that a seed gives: its area's name and its lines.
  static func program(seed: UInt64) -> (area: String, lines: [String]) {
    var generator = Generator(seed: seed)
    let bag = all.flatMap { Array(repeating: $0, count: $0.weight) }
    let area = generator.pick(bag)
    area.write(&generator)
    return (area.name, generator.lines)
  }
}
