/// Values by numbers, of which copies share all that they have in common: a change makes one node anew
/// for each four bits of the number, and copying is free.
struct Trie<Value: Sendable>: Sendable {
  private final class Node: Sendable {
    let value: Value?
    let children: [Node?]

    init(_ value: Value? = nil, _ children: [Node?] = []) {
      self.value = value
      self.children = children
    }
  }

  /// A number under which two tries have not the same node.
  struct Difference {
    var old: Value?
    var new: Value?
  }

  private static var fanOut: Int { 16 }
  private static var bits: Int { 4 }
  private var root: Node?
  /// How many nodes stand above each value.
  private var height = 0

  subscript(number: Int) -> Value? {
    get {
      guard number >> (height * Trie.bits) == 0 else { return nil }
      var node = root
      for level in stride(from: height - 1, through: 0, by: -1) {
        guard let next = node else { return nil }
        node = next.children[Trie.place(of: number, level)]
      }
      return node?.value
    }
    set {
      while number >> (height * Trie.bits) != 0 { lift() }
      root = Trie.node(root, height, number, newValue)
    }
  }

  /// Whether both are the same copy.
  func isSame(as other: Trie) -> Bool { root === other.root }

  /// The values by their numbers, upwards.
  var values: [Value] {
    var values: [Value] = []
    Trie.collect(root, into: &values)
    return values
  }

  /// The values that stand in other nodes than in an older copy, by their numbers, upwards.
  ///
  /// - Complexity: O(*n*) in the number of changes between the copies.
  func differences(from old: Trie) -> [Difference] {
    var (old, new) = (old, self)
    while old.height < new.height { old.lift() }
    while new.height < old.height { new.lift() }
    var found: [Difference] = []
    Trie.compare(old.root, new.root, new.height, &found)
    return found
  }

  // MARK: Nodes

  private static func place(of number: Int, _ level: Int) -> Int {
    number >> (level * bits) & (fanOut - 1)
  }

  private mutating func lift() {
    root = root.map { Node(nil, [$0] + Array(repeating: nil, count: Trie.fanOut - 1)) }
    height += 1
  }

  private static func node(
    _ old: Node?, _ height: Int, _ number: Int, _ value: Value?
  ) -> Node? {
    if height == 0 { return value.map { Node($0) } }
    var children = old?.children ?? Array(repeating: nil, count: fanOut)
    let place = place(of: number, height - 1)
    children[place] = node(children[place], height - 1, number, value)
    return Node(nil, children)
  }

  private static func collect(_ node: Node?, into values: inout [Value]) {
    guard let node else { return }
    if let value = node.value { values.append(value) }
    for child in node.children { collect(child, into: &values) }
  }

  private static func compare(
    _ old: Node?, _ new: Node?, _ height: Int, _ found: inout [Difference]
  ) {
    if old === new { return }
    if height == 0 { return found.append(Difference(old: old?.value, new: new?.value)) }
    for place in 0..<fanOut {
      compare(old?.children[place], new?.children[place], height - 1, &found)
    }
  }
}
