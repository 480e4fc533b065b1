import Algorithms
import Collections
import IsaKVO

// Objects in the collections of other packages: a computed property that reads them tells of each
// change of theirs.

struct Ranked: Comparable {
  let leaf: Leaf
  static func < (first: Ranked, second: Ranked) -> Bool { first.leaf.size < second.leaf.size }
  static func == (first: Ranked, second: Ranked) -> Bool { first.leaf === second.leaf }
}

let all: [any AnyContainer] = [
  Container("Deque", { Deque($0) }, { Leaf.sum($0) }),
  Container("slice of a Deque", { Deque($0)[...] }, { Leaf.sum($0) }),
  Container("OrderedSet", { OrderedSet($0) }, { Leaf.sum($0) }),
  Container<OrderedDictionary<String, Leaf>>(
    "OrderedDictionary", { ["a": $0[0]] }, { $0["a"]!.size }),
  Container<OrderedDictionary<Leaf, Int>>(
    "key of an OrderedDictionary", { [$0[0]: 1] }, { Leaf.sum($0.keys) }),
  Container<OrderedDictionary<String, Leaf>.Elements>(
    "elements of an OrderedDictionary",
    { OrderedDictionary(uniqueKeysWithValues: [("a", $0[0])]).elements },
    { $0.reduce(0) { $0 + $1.value.size } }),
  Container("TreeSet", { TreeSet($0) }, { Leaf.sum($0) }),
  Container<TreeDictionary<String, Leaf>>("TreeDictionary", { ["a": $0[0]] }, { $0["a"]!.size }),
  Container(
    "Heap", { Heap($0.map(Ranked.init)) }, { $0.unordered.reduce(0) { $0 + $1.leaf.size } }),
  Container("chunks", { $0.chunks(ofCount: 1) }, { $0.reduce(0) { $0 + Leaf.sum($1) } }),
  Container(
    "chunks by a closure", { $0.chunked { $0.size == $1.size } },
    { $0.reduce(0) { $0 + Leaf.sum($1) } }),
  Container("lazy chunks", { $0.lazy.chunked(by: ===) }, { $0.reduce(0) { $0 + Leaf.sum($1) } }),
  Container("even chunks", { $0.evenlyChunked(in: 1) }, { $0.reduce(0) { $0 + Leaf.sum($1) } }),
  Container("windows", { ($0 + $0).windows(ofCount: 2) }, { $0.reduce(0) { $0 + Leaf.sum($1) } }),
  Container("adjacent pairs", { ($0 + $0).adjacentPairs() }, { $0.reduce(0) { $0 + $1.0.size } }),
  Container("chain", { chain($0, $0) }, { Leaf.sum($0) }),
  Container("product", { product($0, [1, 2]) }, { $0.reduce(0) { $0 + $1.0.size } }),
  Container("indexed", { $0.indexed() }, { $0.reduce(0) { $0 + $1.element.size } }),
  Container("cycle", { $0.cycled(times: 2) }, { Leaf.sum($0) }),
  Container("interspersed", { $0.interspersed(with: $0[0]) }, { Leaf.sum($0) }),
  Container("unique elements, lazily", { $0.lazy.uniqued() }, { $0.reduce(0) { $0 + $1.size } }),
  Container("strides", { $0.striding(by: 1) }, { Leaf.sum($0) }),
  Container(
    "combinations", { $0.combinations(ofCount: 1) }, { $0.reduce(0) { $0 + Leaf.sum($1) } }),
  Container("permutations", { $0.permutations() }, { $0.reduce(0) { $0 + Leaf.sum($1) } }),
  Container(
    "compacted, lazily", { ($0 as [Leaf?]).lazy.compacted() }, { $0.reduce(0) { $0 + $1.size } }),
]

func test<Kind: AnyContainer>(_ kind: Kind) {
  let leaf = Leaf(), other = Leaf(), holder = Holder(kind.container, [leaf])
  var told: [Int] = [], expected: [Int] = []
  let token = holder.observe(\.total, options: .new) { told.append($1.newValue!) }
  let changes = [
    { leaf.size = 5 }, { holder.content = kind.container.make([other]) }, { other.size = 7 },
  ]
  for change in changes {
    change()
    expected.append(holder.total)
  }
  print("\(kind): \(told == expected ? "told" : "told \(told), not \(expected)")")
  token.invalidate()
}

for kind in all { test(kind) }
