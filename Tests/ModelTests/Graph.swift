/// The values of all nodes, and what their keys answer.
struct Graph {
  var nodes: [NodeValues]

  subscript(node: Int) -> NodeValues {
    get { nodes[node] }
    set { nodes[node] = newValue }
  }

  /// The value at the end of `keys`; nil on the way is nil.
  func value(_ node: Int, _ keys: ArraySlice<Key>) -> Value {
    var value = Value.node(node)
    for key in keys {
      switch value {
      case .node(let node): value = self.value(node, key)
      case .list(let words), .set(let words): value = .integer(words.count)
      default: return value
      }
    }
    return value
  }

  func value(_ node: Int, _ key: Key) -> Value {
    Key.computed.contains(key) ? computed(node, key) : Self.stored(nodes[node], key)
  }

  /// The value of a key that has a field of its own.
  static func stored(_ values: NodeValues, _ key: Key) -> Value {
    switch key {
    case .name: values.name.map(Value.word) ?? .null
    case .child: values.child.map(Value.node) ?? .null
    case .other: values.other.map(Value.node) ?? .null
    case .items: values.items.map(Value.list) ?? .null
    case .tags: values.tags.map(Value.set) ?? .null
    case .row: .list(values.row)
    case .bag: values.bag.map(Value.list) ?? .null
    case .pouch: values.pouch.map(Value.set) ?? .null
    case .rank: values.rank.map(Value.integer) ?? .null
    case .count: .integer(values.count)
    case .m: .integer(values.m)
    case .x: .integer(values.x)
    case .y: .integer(values.y)
    case .leaf: .integer(values.leaf)
    default: fatalError("\(key) has no field")
    }
  }

  private func computed(_ node: Int, _ key: Key) -> Value {
    let values = nodes[node]
    return switch key {
    case .derived: values.name.map(Value.derivedWord) ?? .null
    case .total: .integer(100 * values.count + (values.items?.count ?? 0))
    case .summary: .integer(summary(node))
    case .best: (values.child ?? values.other).map(Value.node) ?? .null
    case .far: value(node, [.child, .other])
    case .pair: .integer(10 * nameNumber(values.child) + nameNumber(values.other))
    case .near: value(node, [.best, .name])
    case .outer: .integer(values.child.map { 1 + summary($0) } ?? 0)
    case .deep: value(node, [.child, .child, .name])
    case .goal: value(node, [.far, .name])
    case .mark: .integer(values.m + 1)
    default: .integer(10 * values.x + values.leaf)
    }
  }

  // MARK: Reads

  /// The fields that are read to find the value at the end of `keys`.
  func reads(_ node: Int, _ keys: ArraySlice<Key>) -> [Evaluation.Read] {
    guard let key = keys.first else { return [] }
    guard case .node(let next) = value(node, key) else { return reads(node, key) }
    return reads(node, key) + reads(next, keys.dropFirst())
  }

  /// A computed property reads what it is computed of, by the paths that lead there. The best is
  /// the other only if there is no child.
  private func reads(_ node: Int, _ key: Key) -> [Evaluation.Read] {
    if key == .best, nodes[node].child != nil { return reads(node, .child) }
    guard Key.computed.contains(key) else { return [Evaluation.Read(node: node, key: key)] }
    return (Dependences.sources[key] ?? []).flatMap { reads(node, $0[...]) }
  }

  private func summary(_ node: Int) -> Int {
    10 * nameNumber(nodes[node].child) + nameNumber(node)
  }

  /// One more than the number of the node's name; 0 for no node and no name.
  private func nameNumber(_ node: Int?) -> Int {
    node.flatMap { nodes[$0].name }.map { $0 + 1 } ?? 0
  }
}

extension NodeValues {
  mutating func set(_ key: Key, to value: Value) {
    switch (key, value) {
    case (.name, .word(let word)): name = word
    case (.name, _): name = nil
    case (.child, .node(let node)): child = node
    case (.child, _): child = nil
    case (.other, .node(let node)): other = node
    case (.other, _): other = nil
    case (.items, .list(let words)): items = words
    case (.items, _): items = nil
    case (.tags, .set(let words)): tags = words
    case (.tags, _): tags = nil
    case (.row, .list(let words)): row = words
    case (.bag, .list(let words)): bag = words
    case (.pouch, .set(let words)): pouch = words
    case (.rank, .integer(let number)): rank = number
    case (.rank, _): rank = nil
    case (.count, .integer(let number)): count = number
    case (.m, .integer(let number)): m = number
    case (.x, .integer(let number)): x = number
    case (.y, .integer(let number)): y = number
    case (.leaf, .integer(let number)): leaf = number
    default: fatalError("\(key) cannot be \(value)")
    }
  }
}
