import IsaKVO

/// The node class of Swift's own kind: what `isa_test_node` is in C.
final class SwiftNode: KVObject {
  /// A step that no key path has by its key.
  var itself: SwiftNode { self }
  @Dynamic var name: String?
  @Dynamic var count = 0
  @Dynamic var child: SwiftNode?
  @Dynamic var other: SwiftNode?
  @Dynamic var items: [String] = []
  @Dynamic var tags: Set<String> = []
  @Dynamic var row: [String] = []
  @Dynamic var bag: [String]?
  @Dynamic var pouch: Set<String>?
  @Dynamic var rank: Int?
  @Dynamic var m: Int32 = 0
  @Dynamic var x: Int16 = 0
  @Dynamic var y: UInt8 = 0
  @LazyDynamic var leaf = 0.0

  var derived: String? { name.map { "!\($0)!" } }
  var total: Int { 100 * count + items.count }
  var summary: Int { 10 * Self.number(child) + Self.number(self) }
  var best: SwiftNode? { child ?? other }
  var far: SwiftNode? { child?.other }
  var pair: Int { 10 * Self.number(child) + Self.number(other) }
  var near: String? { best?.name }
  var outer: Int { child.map { 1 + $0.summary } ?? 0 }
  var deep: String? { child?.child?.name }
  var goal: String? { far?.name }
  var mark: Int { Int(m) + 1 }
  var z: Int { 10 * Int(x) + Int(leaf) }

  /// One more than the number of the node's name; 0 for no node and no name.
  private static func number(_ node: SwiftNode?) -> Int {
    node?.name.flatMap(Words.number).map { $0 + 1 } ?? 0
  }

  override class var keys: [KeyDeclaration] {
    [
      .key("derived", \SwiftNode.derived, affectedBy: [\SwiftNode.name]),
      .key("total", \SwiftNode.total, affectedBy: [\SwiftNode.count, \SwiftNode.items]),
      .key(
        "summary", \SwiftNode.summary, affectedBy: [\SwiftNode.derived], paths: ["child.name"]),
      .key("best", \SwiftNode.best, affectedBy: [\SwiftNode.child, \SwiftNode.other]),
      .key("far", \SwiftNode.far, paths: ["child.other"]),
      .key("pair", \SwiftNode.pair, paths: ["child.name", "other.name"]),
      .key("near", \SwiftNode.near, paths: ["best.name"]),
      .key("outer", \SwiftNode.outer, paths: ["child.summary"]),
      .key("deep", \SwiftNode.deep, paths: ["child.child.name"]),
      .key("goal", \SwiftNode.goal, paths: ["far.name"]),
      .key("mark", \SwiftNode.mark, affectedBy: [\SwiftNode.m]),
      .key("z", \SwiftNode.z),
      .key("m", \SwiftNode.m, notifiesAutomatically: false),
      .key("row", \SwiftNode.row),
    ]
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    let declared = super.keyPathsForValuesAffectingValue(forKey: key)
    return switch key {
    case "x": declared.union(["y"])
    case "y": declared.union(["x"])
    case "z": declared.union(["x", "leaf"])
    default: declared
    }
  }
}

// MARK: - Words

/// The strings that programs use.
enum Words {
  static func text(_ number: Int) -> String { Value.letter(number) }

  static func number(_ text: String) -> Int? {
    (0..<Generator.words).first { self.text($0) == text }
  }

  /// The value that a string is, if it is a word or derived from one.
  static func value(_ text: String) -> Value {
    if let number = number(text) { return .word(number) }
    let bare = String(text.dropFirst().dropLast())
    if let number = number(bare), text == "!\(bare)!" { return .derivedWord(number) }
    return .unknown
  }
}

// MARK: - Fields

/// A wrapped property, whatever its type is.
struct SwiftField {
  /// Sets the property.
  let set: (SwiftNode, Any?) -> Void
  /// Writes past the wrapper: nobody is told.
  let store: (SwiftNode, Any?) -> Void
  /// The same between an announcement by hand and its end.
  let announce: (SwiftNode, Any?) throws -> Void
  /// Changes the value where it stands, by one access.
  let modify: (SwiftNode, (Any?) -> Any?) -> Void

  fileprivate init<Stored>(
    _ keyPath: KeyPath<SwiftNode, Stored>, _ read: @escaping (Any?) -> Stored,
    _ set: @escaping (SwiftNode, Stored) -> Void,
    _ store: @escaping (SwiftNode, Stored) -> Void,
    _ access: @escaping (SwiftNode, (inout Stored) -> Void) -> Void
  ) {
    self.set = { set($0, read($1)) }
    self.store = { store($0, read($1)) }
    announce = { node, value in
      node.withChange(of: keyPath) { store(node, read(value)) }
    }
    modify = { node, change in access(node) { $0 = read(change($0)) } }
  }
}

extension SwiftNode {
  // An in-place access is one only where the property is named: one by key path gets and sets.
  nonisolated(unsafe) static let fields: [Key: SwiftField] = [
    .name: SwiftField(
      \.name, text, { $0.name = $1 }, { $0._name = Dynamic(wrappedValue: $1) },
      { $1(&$0.name) }),
    .count: SwiftField(
      \.count, number, { $0.count = $1 }, { $0._count = Dynamic(wrappedValue: $1) },
      { $1(&$0.count) }),
    .child: SwiftField(
      \.child, node, { $0.child = $1 }, { $0._child = Dynamic(wrappedValue: $1) },
      { $1(&$0.child) }),
    .other: SwiftField(
      \.other, node, { $0.other = $1 }, { $0._other = Dynamic(wrappedValue: $1) },
      { $1(&$0.other) }),
    .items: SwiftField(
      \.items, list, { $0.items = $1 }, { $0._items = Dynamic(wrappedValue: $1) },
      { $1(&$0.items) }),
    .tags: SwiftField(
      \.tags, set, { $0.tags = $1 }, { $0._tags = Dynamic(wrappedValue: $1) },
      { $1(&$0.tags) }),
    .row: SwiftField(
      \.row, list, { $0.row = $1 }, { $0._row = Dynamic(wrappedValue: $1) },
      { $1(&$0.row) }),
    .bag: SwiftField(
      \.bag, { $0 as! [String]? }, { $0.bag = $1 }, { $0._bag = Dynamic(wrappedValue: $1) },
      { $1(&$0.bag) }),
    .pouch: SwiftField(
      \.pouch, { $0 as! Set<String>? }, { $0.pouch = $1 },
      { $0._pouch = Dynamic(wrappedValue: $1) },
      { $1(&$0.pouch) }),
    .rank: SwiftField(
      \.rank, { $0 as! Int? }, { $0.rank = $1 }, { $0._rank = Dynamic(wrappedValue: $1) },
      { $1(&$0.rank) }),
    .m: SwiftField(
      \.m, { Int32(number($0)) }, { $0.m = $1 }, { $0._m = Dynamic(wrappedValue: $1) },
      { $1(&$0.m) }),
    .x: SwiftField(
      \.x, { Int16(number($0)) }, { $0.x = $1 }, { $0._x = Dynamic(wrappedValue: $1) },
      { $1(&$0.x) }),
    .y: SwiftField(
      \.y, { UInt8(number($0)) }, { $0.y = $1 }, { $0._y = Dynamic(wrappedValue: $1) },
      { $1(&$0.y) }),
    .leaf: SwiftField(
      \.leaf, { Double(number($0)) }, { $0.leaf = $1 },
      { $0._leaf = LazyDynamic(wrappedValue: $1) },
      { $1(&$0.leaf) }),
  ]

  private static func text(_ value: Any?) -> String? { value as! String? }
  private static func number(_ value: Any?) -> Int { value as! Int }
  private static func node(_ value: Any?) -> SwiftNode? { value as! SwiftNode? }
  private static func list(_ value: Any?) -> [String] { value as! [String] }
  private static func set(_ value: Any?) -> Set<String> { value as! Set<String> }
}
