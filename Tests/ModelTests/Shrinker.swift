/// Makes a failing program small: leaves out steps and simplifies what is left, as long as it
/// still fails.
struct Shrinker {
  let fails: (Program) -> Bool

  func shrink(_ program: Program) -> Program {
    var best = program
    var hasShrunk = true
    while hasShrunk {
      let before = best
      best = withoutSteps(best)
      best = withoutReactions(best)
      best = simplified(best)
      hasShrunk = best != before
    }
    return best
  }

  /// Leaves out runs of steps, long ones first.
  private func withoutSteps(_ program: Program) -> Program {
    var best = program
    var length = max(best.steps.count / 2, 1)
    while true {
      var start = 0
      while start < best.steps.count {
        var smaller = best
        smaller.steps.removeSubrange(start..<min(start + length, best.steps.count))
        if fails(smaller) { best = smaller } else { start += length }
      }
      if length == 1 { return best }
      length /= 2
    }
  }

  private func withoutReactions(_ program: Program) -> Program {
    var best = program
    for index in best.reactions.indices.reversed() {
      var smaller = best
      smaller.reactions.remove(at: index)
      if fails(smaller) { best = smaller }
    }
    return best
  }

  private func simplified(_ program: Program) -> Program {
    var best = program
    for index in best.steps.indices {
      for step in best.steps[index].simpler {
        var smaller = best
        smaller.steps[index] = step
        if fails(smaller) { best = smaller }
      }
    }
    for index in best.reactions.indices {
      for reaction in best.reactions[index].simpler {
        var smaller = best
        smaller.reactions[index] = reaction
        if fails(smaller) { best = smaller }
      }
    }
    for index in best.nodes.indices {
      for values in best.nodes[index].simpler {
        var smaller = best
        smaller.nodes[index] = values
        if fails(smaller) { best = smaller }
      }
    }
    return withoutLastNodes(best)
  }

  private func withoutLastNodes(_ program: Program) -> Program {
    var best = program
    while best.nodes.count > best.nodesNamed {
      var smaller = best
      smaller.nodes.removeLast()
      if !fails(smaller) { break }
      best = smaller
    }
    var smaller = best
    smaller.nodesGoFirst = false
    return best.nodesGoFirst && fails(smaller) ? smaller : best
  }
}

// MARK: Simpler programs

extension Program {
  /// One more than the highest number of a node that anything names.
  fileprivate var nodesNamed: Int {
    let named = nodes.flatMap { [$0.child, $0.other] }.compactMap { $0 }
    let steps = (steps + reactions.map(\.step)).flatMap(\.nodesNamed)
    return ((named + steps).max() ?? 0) + 1
  }
}

extension NodeValues {
  /// The same with one value less each.
  fileprivate var simpler: [NodeValues] {
    let clears: [(inout NodeValues) -> Void] = [
      { $0.name = nil }, { $0.count = 0 }, { $0.child = nil }, { $0.other = nil }, { $0.m = 0 },
      { $0.x = 0 }, { $0.y = 0 }, { $0.leaf = 0 }, { $0.rank = nil },
      { $0.items = $0.items?.isEmpty == false ? [] : nil },
      { $0.tags = $0.tags?.isEmpty == false ? [] : nil }, { $0.row = [] },
      { $0.bag = $0.bag?.isEmpty == false ? [] : nil },
      { $0.pouch = $0.pouch?.isEmpty == false ? [] : nil },
    ]
    return clears.map { clear in
      var values = self
      clear(&values)
      return values
    }.filter { $0 != self }
  }
}

extension Reaction {
  fileprivate var simpler: [Reaction] {
    var once = self
    once.times = 1
    let steps = step.simpler.map { step in
      var reaction = self
      reaction.step = step
      return reaction
    }
    return (times > 1 ? [once] : []) + steps
  }
}

extension Registration {
  fileprivate var simpler: [Registration] {
    var simpler: [Registration] = []
    for bit in [Options.initial, .prior, .old, .new] where options.contains(bit) {
      var registration = self
      registration.options.subtract(bit)
      simpler.append(registration)
    }
    if context != 0 || isEvaluated {
      var registration = self
      registration.context = 0
      registration.isEvaluated = false
      simpler.append(registration)
    }
    return simpler
  }
}

extension Step {
  fileprivate var nodesNamed: [Int] {
    switch self {
    case .observe(_, let registration): [registration.node]
    case .invalidate, .giveUpObserver: []
    case .observeEach(let nodes, _), .removeEach(let nodes, _, _, _): nodes
    case .list(let node), .ask(let node, _), .giveUp(let node): [node]
    case .remove(_, let node, _, _), .changeList(let node, _, _, _), .changeSet(let node, _, _, _),
      .will(let node, _), .did(let node, _):
      [node]
    case .set(let node, _, .node(let value), _), .setAlong(let node, _, _, .node(let value)):
      [node, value]
    case .set(let node, _, _, _), .setAlong(let node, _, _, _): [node]
    }
  }

  fileprivate var simpler: [Step] {
    switch self {
    case .observe(let label, let registration):
      registration.simpler.map { .observe(label: label, $0) }
    case .observeEach(let nodes, let registration):
      nodes.indices.map { index in
        var fewer = nodes
        fewer.remove(at: index)
        return .observeEach(fewer, registration)
      } + registration.simpler.map { .observeEach(nodes, $0) }
    case .set(let node, let key, let value, let way):
      (way == .accessor ? [] : [.set(node: node, key: key, value, .accessor)])
        + value.simpler.map { .set(node: node, key: key, $0, way) }
    case .setAlong(let node, let link, let key, let value):
      [.set(node: node, key: key, value, .coding)]
        + value.simpler.map { .setAlong(node: node, link: link, key: key, $0) }
    case .changeList(let node, let key, let change, let way):
      (way == .accessor || key != .items
        ? [] : [.changeList(node: node, key: key, change, .accessor)])
        + change.simpler.map { .changeList(node: node, key: key, $0, way) }
    case .changeSet(let node, let key, let change, let way):
      (way == .accessor || key != .tags || change.mutation == .set
        ? [] : [.changeSet(node: node, key: key, change, .accessor)])
        + change.simpler.map { .changeSet(node: node, key: key, $0, way) }
    default: []
    }
  }
}

extension Value {
  fileprivate var simpler: [Value] {
    switch self {
    case .word, .node: [.null]
    case .list(let words) where !words.isEmpty: [.list([])]
    case .set(let words) where !words.isEmpty: [.set([])]
    case .integer(let number) where number != 0: [.integer(0)]
    default: []
    }
  }
}

extension OrderedChange {
  fileprivate var simpler: [OrderedChange] {
    let first = Array(indexes.prefix(1))
    let one: OrderedChange =
      switch self {
      case .insert(let words, _): .insert(Array(words.prefix(1)), at: first)
      case .remove: .remove(at: first)
      case .replace(let words, _): .replace(Array(words.prefix(1)), at: first)
      }
    let zero: OrderedChange =
      switch self {
      case .insert(let words, _): .insert(Array(words.prefix(1)), at: [0])
      case .remove: .remove(at: [0])
      case .replace(let words, _): .replace(Array(words.prefix(1)), at: [0])
      }
    return [one, zero].filter { $0 != self }
  }
}

extension SetChange {
  fileprivate var simpler: [SetChange] {
    isSingle
      ? []
      : words.indices.map { index in
        var change = self
        change.words.remove(at: index)
        return change
      }
  }
}
