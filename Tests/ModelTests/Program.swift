/// The value of a key.
enum Value: Hashable {
  case null
  case integer(Int)
  case word(Int)
  case derivedWord(Int)
  case node(Int)
  case list([Int])
  /// In ascending order.
  case set([Int])
  case unknown
}

/// The fields of one node.
struct NodeValues: Hashable {
  var name: Int?
  var count = 0
  var child: Int?
  var other: Int?
  var items: [Int]?
  var tags: [Int]?
  var row: [Int] = []
  var bag: [Int]?
  var pouch: [Int]?
  var rank: Int?
  var m = 0
  var x = 0
  var y = 0
  var leaf = 0
}

/// The observer of a registration.
enum Observer: Hashable {
  /// The function of the registration with that label.
  case function(Int)
  /// One of the observer objects.
  case object(Int)
}

/// The bits of `kvo_add_observer`.
struct Options: OptionSet, Hashable {
  let rawValue: UInt32
  static let new = Options(rawValue: 1), old = Options(rawValue: 2)
  static let initial = Options(rawValue: 4), prior = Options(rawValue: 8)
}

struct Registration: Hashable {
  var node: Int
  var path: Path
  var options: Options
  var context: Int
  var observer: Observer
  /// Whether the path is a key path that is evaluated at each change, rather than made of keys.
  var isEvaluated = false
}

extension Registration {
  var isFunction: Bool {
    if case .function = observer { return true }
    return false
  }
}

/// How a value comes into a key.
enum Way: Hashable, CaseIterable {
  /// By the setter, or the to-many accessor.
  case accessor
  /// By key-value coding: `setValue:forKey:`, or a mutable proxy.
  case coding
  /// Into the field, announced by hand.
  case manual
  /// Into the field, unannounced.
  case silent
  /// Into the field, by an access that announces itself: Swift's `&`.
  case inPlace
}

/// A change of an ordered to-many key.
enum OrderedChange: Hashable {
  case insert([Int], at: [Int])
  case remove(at: [Int])
  case replace([Int], at: [Int])
}

/// A change of an unordered to-many key.
struct SetChange: Hashable {
  /// The value of `kvo_set_mutation`.
  enum Mutation: UInt32 { case union = 1, minus, intersect, set }
  var mutation: Mutation
  var words: [Int]
  /// Whether the accessor for one object is used.
  var isSingle: Bool
}

enum Step: Hashable {
  case observe(label: Int, Registration)
  /// Ends the function registration with that label, if there is one by then.
  case invalidate(label: Int)
  case remove(observer: Int, node: Int, path: Path, context: Int?)
  case set(node: Int, key: Key, Value, Way)
  /// Sets a key of the node that a link leads to, by the key path of both.
  case setAlong(node: Int, link: Key, key: Key, Value)
  case changeList(node: Int, key: Key, OrderedChange, Way)
  case changeSet(node: Int, key: Key, SetChange, Way)
  /// Registers an observer object, or removes one, at several nodes in one call: elements of an
  /// array. The registration's node is each of them in turn.
  case observeEach([Int], Registration)
  case removeEach([Int], observer: Int, path: Path, context: Int?)
  /// Gives up the program's own reference, and names the object no more. A node lives on as long as
  /// a link leads to it from one that lives.
  case giveUp(node: Int)
  case giveUpObserver(Int)
  case will(node: Int, key: Key)
  case did(node: Int, key: Key)
  /// Asks who stands at a node; whom a change would tell.
  case list(node: Int)
  case ask(node: Int, key: Key)
}

enum Phase: Hashable { case initial, prior, after }

/// A step that an observer takes when it is told, the first `times` times.
struct Reaction: Hashable {
  var observer: Observer
  var phase: Phase
  var step: Step
  var times: Int
}

struct Program: Hashable {
  var nodes: [NodeValues]
  var steps: [Step]
  var reactions: [Reaction]
  /// Whether the nodes go before the registrations do.
  var nodesGoFirst: Bool
}

/// One callback.
struct Note: Hashable {
  var observer: Observer
  var context: Int
  var node: Int
  var path: Path
  var phase: Phase
  var kind: UInt32
  var old: Value?
  var new: Value?
  var indexes: [Int]?
}

/// One registration, or forwarder of one, as introspection shows it.
struct Place: Hashable {
  var keys: [Key]
  var isForwarder: Bool
  var observer: Observer
  var context: Int
  var node: Int
  var path: Path
}

/// One line of a trace.
enum Line: Hashable {
  case step(Int)
  case places([Place])
  /// A step, of the program or of a reaction, did not succeed.
  case failure(UInt32)
  case told(Note)
}

// MARK: Indexes

extension OrderedChange {
  /// The change with its indexes made to fit `count` objects; nil if there is nothing to change.
  func fitted(to count: Int) -> OrderedChange? {
    switch self {
    case .insert(let words, let indexes):
      let spots = Self.spots(indexes, below: count + indexes.count, filling: count)
      return .insert(Array(words.prefix(spots.count)), at: spots)
    case .remove(let indexes):
      return count == 0 ? nil : .remove(at: Self.spots(indexes, below: count))
    case .replace(let words, let indexes):
      if count == 0 { return nil }
      let spots = Self.spots(indexes, below: count)
      return .replace(Array(words.prefix(spots.count)), at: spots)
    }
  }

  private static func spots(_ indexes: [Int], below limit: Int) -> [Int] {
    Set(indexes.map { $0 % limit }).sorted()
  }

  /// Spots for insertion: none leaves a gap behind the `count` objects and those inserted before.
  private static func spots(_ indexes: [Int], below limit: Int, filling count: Int) -> [Int] {
    var fitting: [Int] = []
    for spot in spots(indexes, below: limit) where spot <= count + fitting.count {
      fitting.append(spot)
    }
    return fitting.isEmpty ? [0] : fitting
  }

  var indexes: [Int] {
    switch self {
    case .insert(_, let indexes), .remove(let indexes), .replace(_, let indexes): indexes
    }
  }

  /// The value of `kvo_change_kind`.
  var kind: UInt32 {
    switch self {
    case .insert: 2
    case .remove: 3
    case .replace: 4
    }
  }

  /// The elements of `items` afterwards; as they are, if an index is beyond the end.
  func applied(to items: [Int]) -> [Int] {
    var changed = items
    switch self {
    case .insert(let words, let indexes):
      for (word, index) in zip(words, indexes) {
        if index > changed.count { return items }
        changed.insert(word, at: index)
      }
    case .remove(let indexes):
      if indexes.contains(where: { $0 >= items.count }) { return items }
      for index in indexes.reversed() { changed.remove(at: index) }
    case .replace(let words, let indexes):
      if indexes.contains(where: { $0 >= items.count }) { return items }
      for (word, index) in zip(words, indexes) { changed[index] = word }
    }
    return changed
  }
}

extension Value {
  /// The members of a collection; none of anything else.
  var words: [Int] {
    switch self {
    case .list(let words), .set(let words): words
    default: []
    }
  }
}

extension SetChange {
  var adds: Bool { mutation == .union || mutation == .set }

  /// The members of `tags` afterwards, in ascending order.
  func applied(to tags: [Int]) -> [Int] {
    let now = Set(tags), operand = Set(words)
    return switch mutation {
    case .union: now.union(operand).sorted()
    case .minus: now.subtracting(operand).sorted()
    case .intersect: now.intersection(operand).sorted()
    case .set: operand.sorted()
    }
  }
}
