/// Makes random programs. Links lead to nodes of higher numbers only, so that no node is on a path
/// of its own.
struct Generator {
  static let words = 5
  static let observers = 3

  private var numbers: DrawnNumbers
  private var nodeCount = 0
  private var labels = 0
  private var isReacting = false
  /// Whether steps may give up objects: when an object ends within a callback is nobody's promise.
  private var givesUp = false
  private var heldNodes: [Int] = []
  private var heldObservers = Array(0..<Self.observers)
  /// The registrations made, and the changes announced by hand: repeated and ended more often than
  /// chance would have it.
  private var registered: [Registration] = []
  private var announced: [(node: Int, key: Key)] = []

  static func program(seed: UInt64) -> Program { program(DrawnNumbers(seed: seed)) }

  static func program(_ numbers: DrawnNumbers) -> Program {
    var generator = Generator(numbers: numbers)
    return generator.program()
  }

  private init(numbers: DrawnNumbers) { self.numbers = numbers }

  private mutating func program() -> Program {
    nodeCount = int(2...5)
    heldNodes = Array(0..<nodeCount)
    let nodes = (0..<nodeCount).map { node($0) }
    let reacts = chance(40)
    givesUp = !reacts && chance(50)
    var steps = (0..<int(1...6)).map { _ in observe() }
    steps += (0..<int(2...14)).map { _ in step() }
    isReacting = true
    let reactions = reacts ? (0..<int(1...4)).map { _ in reaction() } : []
    return Program(
      nodes: nodes, steps: steps, reactions: reactions, nodesGoFirst: chance(50))
  }

  // MARK: Nodes

  private mutating func node(_ number: Int) -> NodeValues {
    var values = NodeValues()
    if chance(70) { values.name = word() }
    if chance(50) { values.count = int(0...3) }
    if chance(30) { values.m = int(0...3) }
    if chance(30) { values.x = int(0...3) }
    if chance(30) { values.leaf = int(0...3) }
    // A chain, mostly: long paths should lead somewhere.
    if chance(70), number + 1 < nodeCount { values.child = number + 1 }
    if chance(50) { values.other = target(from: number) }
    if chance(70) { values.items = wordList() }
    if chance(60) { values.tags = Set(wordList()).sorted() }
    if chance(50) { values.row = wordList() }
    if chance(40) { values.bag = wordList() }
    if chance(40) { values.pouch = Set(wordList()).sorted() }
    if chance(40) { values.rank = int(0...3) }
    return values
  }

  private mutating func target(from number: Int) -> Int? {
    let targets = heldNodes.filter { $0 > number }
    return targets.isEmpty ? nil : pick(targets)
  }

  // MARK: Steps

  private mutating func step() -> Step {
    switch int(0...99) {
    case 0..<10: return observe()
    case 10..<12: return each()
    case 12..<18: return .invalidate(label: int(1...max(labels, 1)))
    case 18..<24: return remove()
    case 24..<40: return setAttribute()
    case 40..<43: return setAlong()
    case 43..<60: return setLink()
    case 60..<71: return changeList()
    case 71..<80: return changeSet()
    case 80..<83: return .list(node: anyNode())
    case 83..<85: return .ask(node: anyNode(), key: pick([.name, .count, .child, .items, .x]))
    case 85..<88 where givesUp: return giveUp()
    default: return half()
    }
  }

  /// One node and one observer stay.
  private mutating func giveUp() -> Step {
    if chance(30), heldObservers.count > 1 {
      return .giveUpObserver(heldObservers.remove(at: int(0...heldObservers.count - 1)))
    }
    guard heldNodes.count > 1 else { return .list(node: anyNode()) }
    let node = heldNodes.remove(at: int(0...heldNodes.count - 1))
    registered.removeAll { $0.node == node }
    announced.removeAll { $0.node == node }
    return .giveUp(node: node)
  }

  private mutating func observe() -> Step {
    labels += 1
    var registration = Registration(
      node: anyNode(), path: path(), options: Options(rawValue: UInt32(int(0...15))),
      context: chance(30) ? 1 : 0,
      observer: chance(50) ? .function(labels) : anyObserver())
    if chance(25), !registered.isEmpty {
      let observer = registration.observer
      registration = pick(registered)
      if !isHeld(registration.observer) { registration.observer = observer }
    }
    registered.append(registration)
    registration.isEvaluated = registration.isFunction && chance(50)
    return .observe(label: labels, registration)
  }

  private mutating func remove() -> Step {
    let context = chance(50) ? int(0...1) : nil
    if chance(70), !registered.isEmpty {
      let registration = pick(registered)
      if case .object(let observer) = registration.observer, isHeld(registration.observer) {
        return .remove(
          observer: observer, node: registration.node, path: registration.path,
          context: context.map { _ in registration.context })
      }
    }
    return .remove(
      observer: pick(heldObservers), node: anyNode(), path: path(), context: context)
  }

  private mutating func each() -> Step {
    let nodes = heldNodes.filter { _ in chance(60) }, observer = pick(heldObservers)
    let path = pick(Path.busy), context = chance(30) ? 1 : 0
    if chance(30) {
      return .removeEach(
        nodes, observer: observer, path: path, context: chance(50) ? context : nil)
    }
    return .observeEach(
      nodes,
      Registration(
        node: 0, path: path, options: Options(rawValue: UInt32(int(0...15))), context: context,
        observer: .object(observer)))
  }

  private mutating func setAttribute() -> Step {
    let keys: [Key] = [.name, .name, .count, .rank, .m, .x, .y, .leaf, .items, .tags, .row]
    // A value that a callback writes past the setter is found by those told later only if they look
    // anew.
    let key = pick(keys), way = chance(15) && !isReacting ? .silent : announcedWay()
    return .set(node: anyNode(), key: key, value(of: key), way)
  }

  private mutating func setAlong() -> Step {
    let key = pick([Key.name, .count, .rank, .m, .x, .items, .tags, .row])
    return .setAlong(
      node: anyNode(), link: pick([.child, .child, .other, .best, .far]), key: key, value(of: key))
  }

  private mutating func value(of key: Key) -> Value {
    switch key {
    case .name: chance(20) ? .null : .word(word())
    case .row: .list(wordList())
    case .items: chance(20) ? .null : .list(wordList())
    case .tags: chance(20) ? .null : .set(Set(wordList()).sorted())
    case .rank: chance(30) ? .null : .integer(int(0...9))
    default: .integer(int(0...9))
    }
  }

  private mutating func setLink() -> Step {
    let from = chance(60) ? heldNodes[0] : anyNode()
    let to = chance(25) ? nil : target(from: from)
    return .set(
      node: from, key: chance(70) ? .child : .other, to.map(Value.node) ?? .null, announcedWay())
  }

  /// The program itself changes lists in place, or as a whole: rules do not say what a proxy does
  /// when a callback changes the same collection meanwhile.
  private mutating func changeList() -> Step {
    let key = isReacting ? .items : pick([Key.items, .items, .row, .bag])
    let rowWay = chance(20) ? Way.manual : chance(20) ? .inPlace : .coding
    let way = key == .items ? announcedWay() : key == .row ? rowWay : .coding
    return .changeList(node: anyNode(), key: key, orderedChange(), way)
  }

  private mutating func changeSet() -> Step {
    let key = isReacting ? .tags : pick([Key.tags, .tags, .pouch])
    let change = setChange(), way = key == .tags ? announcedWay() : .coding
    // The accessor that sets the whole is no set mutation.
    let isWhole = change.mutation == .set && way == .accessor
    return .changeSet(node: anyNode(), key: key, change, isWhole ? .coding : way)
  }

  private mutating func orderedChange() -> OrderedChange {
    let indexes = (0..<(chance(60) ? 1 : int(2...3))).map { _ in int(0...5) }
    let words = indexes.map { _ in word() }
    return switch int(0...2) {
    case 0: .insert(words, at: indexes)
    case 1: .remove(at: indexes)
    default: .replace(words, at: indexes)
    }
  }

  private mutating func setChange() -> SetChange {
    let isSingle = chance(40)
    let words = isSingle ? [word()] : Set(wordList()).sorted()
    let mutations: [SetChange.Mutation] =
      isSingle ? [.union, .minus] : [.union, .minus, .intersect, .set]
    return SetChange(mutation: pick(mutations), words: words, isSingle: isSingle)
  }

  /// One half of a change by hand; the other one may come, or not.
  private mutating func half() -> Step {
    let key = pick([
      Key.name, .count, .m, .m, .x, .items, .tags, .row, .derived, .total, .mark, .pair,
    ])
    if chance(60), let last = announced.popLast() { return .did(node: last.node, key: last.key) }
    let node = anyNode()
    if chance(15) { return .did(node: node, key: key) }
    announced.append((node, key))
    return .will(node: node, key: key)
  }

  private mutating func reaction() -> Reaction {
    let observer: Observer =
      chance(60) && labels > 0 ? .function(int(1...labels)) : anyObserver()
    let phase = pick([Phase.after, .after, .after, .prior, .prior, .initial])
    return Reaction(observer: observer, phase: phase, step: step(), times: int(1...2))
  }

  // MARK: Choices

  private mutating func int(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(numbers.next() % UInt64(range.count))
  }

  private mutating func chance(_ percent: Int) -> Bool { int(0...99) < percent }
  private mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[int(0...choices.count - 1)]
  }
  private mutating func word() -> Int { int(0...Self.words - 1) }
  private mutating func wordList() -> [Int] { (0..<int(0...3)).map { _ in word() } }
  private mutating func path() -> Path { pick(chance(50) ? Path.busy : Path.all) }
  private mutating func announcedWay() -> Way {
    pick([.accessor, .accessor, .coding, .manual, .inPlace])
  }

  /// The first more often than the others: all paths begin there.
  private mutating func anyNode() -> Int { chance(40) ? heldNodes[0] : pick(heldNodes) }
  private mutating func anyObserver() -> Observer { .object(pick(heldObservers)) }

  /// Whether registrations of the observer can be repeated: it is an object, and not given up.
  private func isHeld(_ observer: Observer) -> Bool {
    guard case .object(let number) = observer else { return false }
    return heldObservers.contains(number)
  }
}
