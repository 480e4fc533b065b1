/// A key of the node class, or the operator that may end a key path.
enum Key: UInt8, CaseIterable {
  case name, count, child, other, items, tags, row, bag, pouch, rank, m, x, y, leaf
  case derived, total, summary, best, far, pair, near, outer, deep, goal, mark, z
  case counting

  var text: String { self == .counting ? "@count" : "\(self)" }

  static let links: [Key] = [.child, .other]
  static let stored: [Key] = [
    .name, .count, .child, .other, .items, .tags, .row, .bag, .pouch, .rank, .m, .x, .y, .leaf,
  ]
  static let computed: [Key] = [
    .derived, .total, .summary, .best, .far, .pair, .near, .outer, .deep, .goal, .mark, .z,
  ]
}

/// Several keys at once.
struct KeySet: OptionSet {
  let rawValue: UInt32
  init(rawValue: UInt32) { self.rawValue = rawValue }
  init(_ key: Key) { self.init(rawValue: 1 << UInt32(key.rawValue)) }
  func contains(_ key: Key) -> Bool { contains(KeySet(key)) }
}

/// A key path that programs observe.
struct Path: Hashable {
  let number: Int

  var keys: [Key] { Path.keys[number] }
  var text: String { Path.texts[number] }

  static let all = texts.indices.map(Path.init)
  /// Where observers meet most.
  static let busy = all.filter { busyTexts.contains($0.text) }

  static let texts =
    Key.allCases.filter { $0 != .counting }.map(\.text) + [
      "child.name", "child.count", "child.rank", "child.child", "child.child.name",
      "child.derived",
      "child.summary", "child.total", "child.items", "child.tags", "child.m", "child.mark",
      "child.x", "child.z", "child.best", "child.best.count", "child.far", "child.pair",
      "child.outer", "child.goal", "child.near", "child.deep", "child.other.items",
      "child.child.child.count",
      "other.name", "other.items", "other.tags", "other.child.total", "other.far.name",
      "best.name", "best.derived", "best.items", "best.child.name", "best.summary",
      "far.name", "far.tags", "far.child.count", "far.summary",
      "child.row", "child.bag", "best.pouch", "row.@count", "bag.@count", "child.pouch.@count",
      "items.@count", "tags.@count", "child.items.@count", "best.tags.@count", "far.items.@count",
    ]

  private static let busyTexts: Set = [
    "name", "count", "rank", "items", "tags", "row", "bag", "pouch", "child", "derived", "summary",
    "pair", "x", "child.name",
    "child.items", "child.derived", "best.name", "items.@count", "child.child.name",
  ]

  private static let keys = texts.map(parse)
  private static let byText = Dictionary(uniqueKeysWithValues: all.map { ($0.text, $0) })

  /// The path of that text, which programs observe.
  static func named(_ text: String) -> Path {
    guard let path = byText[text] else { fatalError("\(text) is a key path that nobody observes") }
    return path
  }

  static func parse(_ text: String) -> [Key] {
    text.split(separator: ".").map { part in
      guard let key = Key.allCases.first(where: { $0.text == part }) else {
        fatalError("\(text) has a part that is no key")
      }
      return key
    }
  }
}

/// The declarations of the node class about its keys, followed to the end.
struct Dependences {
  /// The key paths of several keys that affect the key.
  let paths: [[Key]]
  /// The keys of the same object whose changes affect the key; not the key itself.
  let keys: KeySet

  static subscript(key: Key) -> Dependences { all[Int(key.rawValue)] }

  private static let all = Key.allCases.map(Dependences.init)

  static let declared: [Key: [[Key]]] = [
    .derived: ["name"], .total: ["count", "items"], .summary: ["child.name", "derived"],
    .best: ["child", "other"], .far: ["child.other"], .pair: ["child.name", "other.name"],
    .near: ["best.name"], .outer: ["child.summary"], .deep: ["child.child.name"],
    .goal: ["far.name"], .mark: ["m"],
    .x: ["y"], .y: ["x"], .z: ["x", "leaf"],
  ].mapValues { $0.map(Path.parse) }

  /// The sources of the values of computed keys.
  static let sources = declared.merging([.z: [[.x], [.leaf]]]) { _, sources in sources }

  private init(of key: Key) {
    var paths: [[Key]] = [], keys: KeySet = []
    var open = [key]
    while let next = open.popLast() {
      for path in Self.declared[next] ?? [] {
        if path.count > 1, !paths.contains(path) { paths.append(path) }
        if !keys.contains(path[0]) { open.append(path[0]) }
        keys.insert(KeySet(path[0]))
      }
    }
    keys.remove(KeySet(key))
    self.paths = paths
    self.keys = keys
  }
}

extension Key {
  /// Whether a change of `key` is one of this key too, or affects it.
  func isAffected(by key: Key) -> Bool { self == key || Dependences[self].keys.contains(key) }
}
