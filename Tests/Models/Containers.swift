import IsaKVO

// The ways in which a value can hold objects, one a row: tests read an object by each of them.

/// An object that containers hold.
package final class Leaf: KVObject, @unchecked Sendable {
  // Sendable because no two threads have it at once.
  @Dynamic package var size = 1
  @Dynamic package var next: Leaf?

  package var both: Int { size + (next?.size ?? 0) }

  package static func sum(_ leaves: some Sequence<Leaf>) -> Int {
    leaves.reduce(0) { $0 + $1.size }
  }
}

/// A type whose values hold leaves.
package struct Container<Content>: AnyContainer, @unchecked Sendable {
  // Sendable because its closures hold nothing.
  package let description: String
  /// Makes a value that holds one or several of the leaves, of which there is at least one.
  package let make: ([Leaf]) -> Content
  /// Reads the sizes of the leaves in a value.
  package let read: (Content) -> Int
  /// The same by a key path, where the type has one.
  package let path: KeyPath<Content, Int>?

  package init(
    _ name: String, _ make: @escaping ([Leaf]) -> Content, _ read: @escaping (Content) -> Int
  ) {
    (description, self.make, self.read, path) = (name, make, read, nil)
  }

  package init(
    _ name: String, _ path: KeyPath<Content, Int>, _ make: @escaping ([Leaf]) -> Content
  ) {
    (description, self.make, read, self.path) = (name, make, { $0[keyPath: path] }, path)
  }

  package var container: Container { self }
}

/// Any of them.
package protocol AnyContainer: CustomStringConvertible, Sendable {
  associatedtype Content
  var container: Container<Content> { get }
}

// MARK: - Objects with a container

/// Has a container in a wrapped property.
package final class Holder<Content>: KVObject {
  @Dynamic package var content: Content
  package let container: Container<Content>

  package init(_ container: Container<Content>, _ leaves: [Leaf]) {
    (self.container, content) = (container, container.make(leaves))
  }

  package var total: Int { container.read(content) }
}

/// Has a container in a property with a lazy value.
package final class LazyHolder<Content>: KVObject {
  @LazyDynamic package var content: Content
  package let container: Container<Content>

  package init(_ container: Container<Content>, _ leaves: [Leaf]) {
    self.container = container
    _content = LazyDynamic(wrappedValue: container.make(leaves))
  }

  package var total: Int { container.read(content) }
}

/// Has a container in a constant.
package final class FixedHolder<Content>: KVObject {
  package let content: Content
  package let container: Container<Content>

  package init(_ container: Container<Content>, _ leaves: [Leaf]) {
    (self.container, content) = (container, container.make(leaves))
  }

  package var total: Int { container.read(content) }
}

// MARK: - Types

private protocol Sized {
  var sum: Int { get }
}

private enum Load: Sized {
  case idle
  case loaded(Leaf)

  var leaf: Leaf? { if case .loaded(let leaf) = self { leaf } else { nil } }
  var sum: Int { leaf?.size ?? 0 }
}

private indirect enum Chain {
  case end
  case link(Leaf, Chain)

  init(_ leaves: some Sequence<Leaf>) {
    self = leaves.reversed().reduce(.end) { .link($1, $0) }
  }

  var sum: Int { if case .link(let leaf, let rest) = self { leaf.size + rest.sum } else { 0 } }
}

private enum Several {
  case some([Leaf])

  var sum: Int { if case .some(let leaves) = self { Leaf.sum(leaves) } else { 0 } }
}

private enum Nested {
  case load(Load?, count: Int)

  var sum: Int { if case .load(let load?, _) = self { load.sum } else { 0 } }
}

private struct Pot: Sized {
  var leaf: Leaf?
  var name = ""

  var sum: Int { leaf?.size ?? 0 }
}

private struct Shelf {
  var pots: [Pot]
  var pair: (Pot, Load)

  var sum: Int { pots.reduce(0) { $0 + $1.sum } + pair.0.sum + pair.1.sum }
}

private struct Pair<First, Second> {
  var first: First
  var second: Second
}

private struct WeakPot {
  weak var leaf: Leaf?
  var sum: Int { leaf?.size ?? 0 }
}

private struct UnownedPot {
  unowned var leaf: Leaf
  var sum: Int { leaf.size }
}

private struct UnmanagedPot {
  let leaf: Unmanaged<Leaf>
  var sum: Int { leaf._withUnsafeGuaranteedRef { $0.size } }
}

@propertyWrapper
private struct Kept<Value> {
  private var all: [Value]
  var wrappedValue: Value {
    get { all[0] }
    set { all[0] = newValue }
  }
  init(wrappedValue: Value) { all = [wrappedValue] }
}

private struct WrappedPot {
  @Kept var leaf: Leaf
  var sum: Int { leaf.size }
}

/// Copies its storage, an object, before it changes it.
private struct CopiedOnWrite {
  private final class Storage {
    var leaves: [Leaf]
    init(_ leaves: [Leaf]) { self.leaves = leaves }
  }

  private var storage: Storage

  init(_ leaves: [Leaf]) { storage = Storage(leaves) }

  var sum: Int { Leaf.sum(storage.leaves) }
}

/// An object of a class that does not inherit from `KVObject`.
private final class Crate {
  let leaves: [Leaf]
  init(_ leaves: [Leaf]) { self.leaves = leaves }
  var sum: Int { Leaf.sum(leaves) }
}

private final class WeakCrate {
  weak var leaf: Leaf?
  init(_ leaf: Leaf) { self.leaf = leaf }
  var sum: Int { leaf?.size ?? 0 }
}

private struct Missing: Error {
  let leaf: Leaf
}

private struct Trunk: Sequence {
  let leaves: [Leaf]
  func makeIterator() -> AnyIterator<Leaf> { AnyIterator(leaves.makeIterator()) }
}

extension Leaf: Sized {
  fileprivate var sum: Int { size }
}

// MARK: - All

/// All of the language and its library.
package let containers: [any AnyContainer] = plain + enums + existentials + structures + views

private let plain: [any AnyContainer] = [
  Container("object", \.size, { $0[0] }),
  Container("object behind an object", \.both, { $0[0] }),
  Container("optional", { $0.first }, { $0?.size ?? 0 }),
  Container<Leaf??>("optional of an optional", { .some(.some($0[0])) }, { $0??.size ?? 0 }),
  Container("array", { $0 }, { Leaf.sum($0) }),
  Container<[Leaf?]>(
    "array of optionals", { $0 + [nil] }, { leaves in Leaf.sum(leaves.compactMap { $0 }) }),
  Container<[[Leaf]]>("array of arrays", { [$0, $0] }, { Leaf.sum($0[1]) }),
  Container<[(Leaf, Int)]>("array of tuples", { $0.map { ($0, 1) } }, { Leaf.sum($0.map(\.0)) }),
  Container<[String: Leaf]>("dictionary", { ["a": $0[0]] }, { Leaf.sum($0.values) }),
  Container<[String: [Leaf]]>("dictionary of arrays", { ["a": $0] }, { Leaf.sum($0["a"] ?? []) }),
  Container<[Leaf: Int]>("dictionary's key", { [$0[0]: 1] }, { Leaf.sum($0.keys) }),
  Container("set", { Set($0) }, { Leaf.sum($0) }),
  Container("tuple", { (1, leaf: $0[0]) }, { $0.leaf.size }),
  Container("tuple in tuples", { ((1, $0[0]), $0) }, { $0.0.1.size + Leaf.sum($0.1) }),
  Container<() -> Int>("closure", { leaves in { Leaf.sum(leaves) } }, { $0() }),
  Container<() -> Leaf?>(
    "closure that answers with the object", { leaves in { leaves[0] } }, { $0()?.size ?? 0 }),
]

private let enums: [any AnyContainer] = [
  Container("enum", \.sum, { Load.loaded($0[0]) }),
  Container("indirect enum", \.sum, { Chain($0) }),
  Container("enum of an array", \.sum, { Several.some($0) }),
  Container("enum in an enum", \.sum, { Nested.load(.loaded($0[0]), count: 1) }),
  Container<[Load]>(
    "array of enums", { $0.map { .loaded($0) } }, { loads in loads.reduce(0) { $0 + $1.sum } }),
  Container<[Several]>("array of enums of arrays", { [.some($0)] }, { $0[0].sum }),
  Container<Load?>("optional enum", { .some(.loaded($0[0])) }, { $0?.sum ?? 0 }),
  Container<[String: Load]>(
    "dictionary of enums", { ["a": .loaded($0[0])] }, { $0["a"]?.sum ?? 0 }),
  Container<Result<Leaf, Missing>>("result", { .success($0[0]) }, { (try? $0.get())?.size ?? 0 }),
  Container<Result<Int, Missing>>(
    "result's failure", { .failure(Missing(leaf: $0[0])) },
    { result in if case .failure(let missing) = result { missing.leaf.size } else { 0 } }),
]

private let existentials: [any AnyContainer] = [
  Container<any Sized>("existential of a structure", { Pot(leaf: $0[0]) }, { $0.sum }),
  Container<any Sized>("existential of an enum", { Load.loaded($0[0]) }, { $0.sum }),
  Container<any Sized>("existential of an object", { $0[0] }, { $0.sum }),
  Container<[any Sized]>(
    "array of existentials", { [Pot(leaf: $0[0]), Load.loaded($0[0])] },
    { all in all.reduce(0) { $0 + $1.sum } }),
  Container<[any Sized]>(
    "array of existentials of enums", { $0.map { Load.loaded($0) } },
    { all in all.reduce(0) { $0 + $1.sum } }),
  Container<Any>("Any of an object", { $0[0] }, { ($0 as? Leaf)?.size ?? 0 }),
  Container<Any>("Any of an array", { $0 }, { Leaf.sum($0 as? [Leaf] ?? []) }),
  Container<Any>("Any of an enum", { Load.loaded($0[0]) }, { ($0 as? Load)?.sum ?? 0 }),
  Container<Any>(
    "Any of a closure", { leaves in { leaves[0].size } as () -> Int },
    { ($0 as? () -> Int)?() ?? 0 }),
  Container<AnyObject>("AnyObject", { $0[0] }, { ($0 as? Leaf)?.size ?? 0 }),
  Container<AnyObject>("AnyObject of another class", { Crate($0) }, { ($0 as? Crate)?.sum ?? 0 }),
  Container<AnyHashable>("AnyHashable", { $0[0] }, { ($0.base as? Leaf)?.size ?? 0 }),
  Container<any Error>("error", { Missing(leaf: $0[0]) }, { ($0 as? Missing)?.leaf.size ?? 0 }),
  Container<any Sequence<Leaf>>(
    "sequence of a primary type", { $0 }, { leaves in leaves.reduce(0) { $0 + $1.size } }),
]

private let structures: [any AnyContainer] = [
  Container("structure", \.sum, { Pot(leaf: $0[0]) }),
  Container(
    "structure of structures", \.sum,
    { leaves in
      Shelf(
        pots: leaves.map { Pot(leaf: $0) }, pair: (Pot(leaf: leaves[0]), .loaded(leaves[0])))
    }),
  Container(
    "generic structure", { Pair(first: $0[0], second: Load.loaded($0[0])) },
    {
      $0.first.size + $0.second.sum
    }),
  Container("structure with a weak member", \.sum, { WeakPot(leaf: $0[0]) }),
  Container("structure with an unowned member", \.sum, { UnownedPot(leaf: $0[0]) }),
  Container("structure with a wrapped member", \.sum, { WrappedPot(leaf: $0[0]) }),
  Container("structure that copies on write", \.sum, { CopiedOnWrite($0) }),
  Container(
    "unmanaged reference", \.sum, { UnmanagedPot(leaf: .passUnretained($0[0])) }),
  Container("object of another class", { Crate($0) }, { $0.sum }),
  Container("weak reference of another class", { WeakCrate($0[0]) }, { $0.sum }),
]

private let views: [any AnyContainer] = [
  Container("contiguous array", { ContiguousArray($0) }, { Leaf.sum($0) }),
  Container("slice of an array", { $0[...] }, { Leaf.sum($0) }),
  Container("slice of a contiguous array", { ContiguousArray($0)[...] }, { Leaf.sum($0) }),
  Container<Slice<ReversedCollection<[Leaf]>>>(
    "slice of a view", { $0.reversed()[...] }, { Leaf.sum($0) }),
  Container<ReversedCollection<[Leaf]>>("reversed collection", { $0.reversed() }, { Leaf.sum($0) }),
  Container("lazy filter", { $0.lazy.filter { $0.next == nil } }, { Leaf.sum($0) }),
  Container("lazy map", { $0.lazy.map(\.size) }, { $0.reduce(0, +) }),
  Container("lazy flat map", { $0.lazy.flatMap { [$0, $0] } }, { $0.reduce(0) { $0 + $1.size } }),
  Container<FlattenSequence<[[Leaf]]>>("joined arrays", { [$0, $0].joined() }, { Leaf.sum($0) }),
  Container("enumeration", { $0.enumerated() }, { $0.reduce(0) { $0 + $1.element.size } }),
  Container("zipped sequences", { zip($0, $0) }, { $0.reduce(0) { $0 + $1.1.size } }),
  Container("collection of one", { CollectionOfOne($0[0]) }, { Leaf.sum($0) }),
  Container("repeated value", { repeatElement($0[0], count: 2) }, { Leaf.sum($0) }),
  Container<KeyValuePairs<String, Leaf>>(
    "pairs of keys and values", { ["a": $0[0]] }, { Leaf.sum($0.map(\.value)) }),
  Container<Dictionary<String, Leaf>.Values>(
    "values of a dictionary", { ["a": $0[0]].values }, { Leaf.sum($0) }),
  Container("AnyCollection", { AnyCollection($0) }, { Leaf.sum($0) }),
  Container("AnySequence", { AnySequence($0) }, { Leaf.sum($0) }),
  Container("own sequence", { Trunk(leaves: $0) }, { Leaf.sum($0) }),
]
