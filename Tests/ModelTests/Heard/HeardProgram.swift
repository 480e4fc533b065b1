/// A program on objects of one kind, after each step of which each observer has to know the value of
/// what it observes.
struct HeardProgram: Equatable, Sendable {
  /// Which ones of the world's sites it has.
  var sites: [SitePlace]
  var steps: [HeardStep]

  static let leaves = 4
  /// The leaf that reactions set.
  static let sink = 3
}

/// A step. Numbers of sites, of their forms and ways and of observations count on from the beginning
/// behind the last one.
indirect enum HeardStep: Equatable, Sendable {
  /// Observes a site in one of its forms.
  case observe(site: Int, form: Int, options: Int)
  /// Observes the size of a leaf.
  case observeSize(leaf: Int)
  /// Sets the sink's size whenever a leaf's is set.
  case react(leaf: Int, Int)
  /// Ends an observation.
  case end(Int)
  case size(leaf: Int, Int, way: Int)
  case next(leaf: Int, Int?)
  case point(site: Int, [Int])
  case set(site: Int, Int, way: Int)
  case poke(site: Int, Int)
  /// Muted by the object that the step changes.
  case mute(HeardStep)
  case transaction([HeardStep])
  /// On another thread.
  case elsewhere(HeardStep)
}

extension HeardStep {
  /// The steps that do less.
  fileprivate var simpler: [HeardStep] {
    switch self {
    case .mute(let step), .elsewhere(let step): [step]
    case .transaction(let steps):
      (steps.count == 1 ? steps : [])
        + steps.indices.map { index in
          var fewer = steps
          fewer.remove(at: index)
          return .transaction(fewer)
        }
        + steps.indices.flatMap { index in
          steps[index].simpler.map { step in
            var others = steps
            others[index] = step
            return .transaction(others)
          }
        }
    case .size(let leaf, let size, let way) where way != 0: [.size(leaf: leaf, size, way: 0)]
    case .observe(let site, let form, let options) where options != 0:
      [.observe(site: site, form: form, options: 0)]
    default: []
    }
  }
}

extension HeardProgram {
  /// As small as it can be and still fail.
  func shrunk(fails: (HeardProgram) -> Bool) -> HeardProgram {
    var best = self, before: HeardProgram
    repeat {
      before = best
      for smaller in best.simpler where fails(smaller) {
        best = smaller
        break
      }
    } while best != before
    return best
  }

  private var simpler: [HeardProgram] {
    steps.indices.reversed().map { index in
      var smaller = self
      smaller.steps.remove(at: index)
      return smaller
    }
      + steps.indices.flatMap { index in
        steps[index].simpler.map { step in
          var smaller = self
          smaller.steps[index] = step
          return smaller
        }
      }
      + (sites.count > 1
        ? sites.indices.map { HeardProgram(sites: [sites[$0]], steps: steps) } : [])
  }

  /// The program, in which sites are called so.
  func text(_ names: [[String]]) -> String {
    "sites: \(sites.map { names[$0.group][$0.number] })\n"
      + steps.map { "\($0)" }.joined(separator: "\n")
  }
}

// MARK: - Making

extension HeardProgram {
  /// - Parameter groups: How many sites each group has; each group is chosen as often as the others.
  static func random(_ numbers: DrawnNumbers, groups: [Int]) -> HeardProgram {
    var maker = HeardMaker(numbers: numbers)
    return maker.program(groups)
  }
}

private struct HeardMaker {
  var numbers: DrawnNumbers
  /// The leaf to whose changes there is a reaction.
  private var reacting: Int?

  init(numbers: DrawnNumbers) { self.numbers = numbers }

  mutating func program(_ groups: [Int]) -> HeardProgram {
    let sites = (0..<int(1...3)).map { _ in site(groups) }
    var steps = (0..<int(1...5)).map { _ in observe() }
    if int(0...9) < 4 { steps += react() }
    steps += (0..<int(3...12)).map { _ in step() }
    return HeardProgram(sites: sites, steps: steps)
  }

  private mutating func site(_ groups: [Int]) -> SitePlace {
    let group = int(0...groups.count - 1)
    return SitePlace(group: group, number: int(0...groups[group] - 1))
  }

  private mutating func step() -> HeardStep {
    switch int(0...99) {
    case 0..<10: observe()
    case 10..<15: .end(int(0...9))
    case 15..<25: .mute(change())
    case 25..<43: .transaction((0..<int(1...4)).map { _ in inner() })
    case 43..<51: .elsewhere(change())
    case 51..<54: .elsewhere(observe())
    case 54..<57: .elsewhere(.transaction((0..<int(1...3)).map { _ in change() }))
    default: change()
    }
  }

  /// A step in a transaction.
  private mutating func inner() -> HeardStep {
    switch int(0...9) {
    case 0: .mute(change())
    case 1: observe()
    case 2: .end(int(0...9))
    default: change()
    }
  }

  private mutating func observe() -> HeardStep {
    if int(0...9) == 0 { return .observeSize(leaf: leaf()) }
    return .observe(site: int(0...2), form: int(0...9), options: int(0...7))
  }

  private mutating func change() -> HeardStep {
    switch int(0...9) {
    case 0..<5: .size(leaf: leaf(), int(0...9), way: int(0...11))
    case 5: next()
    case 6..<8: .point(site: int(0...2), (0..<int(1...3)).map { _ in leaf() })
    case 8: .set(site: int(0...2), int(0...9), way: int(0...5))
    default: .poke(site: int(0...2), int(0...9))
    }
  }

  /// Leads to leaves of higher numbers only, so that there is no ring.
  private mutating func next() -> HeardStep {
    let from = int(0...HeardProgram.leaves - 2)
    return .next(leaf: from, int(0...3) == 0 ? nil : int(from + 1...HeardProgram.leaves - 1))
  }

  private mutating func react() -> [HeardStep] {
    let leaf = int(0...HeardProgram.sink - 1)
    reacting = leaf
    return [.react(leaf: leaf, int(1...9)), .observeSize(leaf: HeardProgram.sink)]
  }

  private mutating func leaf() -> Int {
    if let reacting, int(0...1) == 0 { return int(0...1) == 0 ? reacting : HeardProgram.sink }
    return int(0...HeardProgram.leaves - 1)
  }

  private mutating func int(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(numbers.next() % UInt64(range.count))
  }
}
