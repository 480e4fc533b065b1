import IsaKVO
import IsaKVOTestModels
import IsaKVOTestSupport
import IsaRuntime
import Testing

/// An object that is reached from anywhere.
private final class Shelf: KVObject {
  nonisolated(unsafe) static let shared = Shelf()
  @Dynamic var leaf: Leaf?
  @Dynamic var leaves: [Leaf] = []
}

private let globalLeaf = Leaf()
nonisolated(unsafe) private weak var weakLeaf: Leaf?
@TaskLocal private var taskLeaf: Leaf?

@inline(never)
private func leafOfFunction() -> Leaf { globalLeaf }

extension Leaf {
  fileprivate static let constant = Leaf()
  fileprivate static var computed: Leaf { constant }
}

/// Has getters that read an object which no property of it holds.
private final class Reader: KVObject {
  weak var neighbour: Leaf?
  unowned(unsafe) let nearest: Leaf
  private let closure: () -> Leaf

  init(_ leaf: Leaf) {
    (neighbour, nearest, closure) = (leaf, leaf, { leaf })
  }

  var global: Int { globalLeaf.size }
  var function: Int { leafOfFunction().size }
  var constant: Int { Leaf.constant.size }
  var computed: Int { Leaf.computed.size }
  var singleton: Int { Shelf.shared.leaf?.size ?? 0 }
  var singletonList: Int { Leaf.sum(Shelf.shared.leaves) }
  var weakGlobal: Int { weakLeaf?.size ?? 0 }
  var weakStored: Int { neighbour?.size ?? 0 }
  var unownedStored: Int { nearest.size }
  var closureOfLet: Int { closure().size }
  var taskLocal: Int { taskLeaf?.size ?? 0 }
  var temporary: Int {
    let shelf = Shelf()
    shelf.leaf = neighbour
    return shelf.leaf!.size
  }
}

/// A getter hears each property that it reads on its thread, whichever way it comes to the object.
/// Objects that a program has for ever keep their side records.
@Suite(.serialized, .oneAtATime)
struct ReachedObjectTests {
  /// Expects that one change of a leaf is told once.
  private func expectHeard(_ keyPath: KeyPath<Reader, Int>, _ leaf: Leaf, of reader: Reader) {
    let told = Recorder<Int>()
    let token = reader.observe(keyPath, options: .new) { told.add($1.newValue!) }
    #expect(token.isValid)
    leaf.size += 4
    #expect(told.all == [leaf.size])
    token.invalidate()
  }

  @Test("the object of a global, a constant of a class or a function is heard")
  func globals() {
    let reader = Reader(Leaf())
    for keyPath in [\Reader.global, \.function] { expectHeard(keyPath, globalLeaf, of: reader) }
    for keyPath in [\Reader.constant, \.computed] {
      expectHeard(keyPath, Leaf.constant, of: reader)
    }
  }

  @Test("an object behind a singleton is heard, and so is its replacement")
  func singleton() {
    let leaf = Leaf(), other = Leaf(), reader = Reader(leaf), told = Recorder<Int>()
    (Shelf.shared.leaf, Shelf.shared.leaves) = (leaf, [leaf])
    for keyPath in [\Reader.singleton, \.singletonList] { expectHeard(keyPath, leaf, of: reader) }
    let token = reader.observe(\.singleton, options: .new) { told.add($1.newValue!) }
    Shelf.shared.leaf = other
    other.size = 8
    leaf.size = 9
    #expect(told.all == [1, 8])
    token.invalidate()
    (Shelf.shared.leaf, Shelf.shared.leaves) = (nil, [])
  }

  @Test("the object of a weak or an unowned reference, or of a closure, is heard")
  func references() {
    let leaf = Leaf(), reader = Reader(leaf)
    weakLeaf = leaf
    for keyPath in [\Reader.weakGlobal, \.weakStored, \.unownedStored, \.closureOfLet] {
      expectHeard(keyPath, leaf, of: reader)
    }
  }

  @Test("the object of a value that belongs to the task is heard")
  func taskLocal() {
    let leaf = Leaf(), reader = Reader(leaf)
    $taskLeaf.withValue(leaf) { expectHeard(\.taskLocal, leaf, of: reader) }
  }

  @Test("an object that a temporary object leads to is heard")
  func temporary() {
    let leaf = Leaf()
    expectHeard(\.temporary, leaf, of: Reader(leaf))
  }
}

// MARK: - Names

/// Has getters that read by name and by proxy.
private final class Cart: KVObject {
  @Dynamic var leaf = Leaf()
  @Dynamic var lines = [Leaf(), Leaf()]
  @Dynamic var group: Set<Leaf> = [Leaf()]
  @Dynamic var tax = 1

  private func number(_ value: Any?) -> Int { value as? Int ?? Int(value as? Double ?? -1) }

  var byKey: Int { tax * number(try? leaf.value(forKey: "size")) }
  var byTypedKey: Int { tax * ((try? leaf.value(forKey: "size", as: Int.self)) ?? -1) }
  var byKeyPath: Int { tax * number(try? value(forKeyPath: "leaf.size")) }
  var byLongPath: Int { tax * number(try? value(forKeyPath: "leaf.next.size")) }
  var bySum: Int { tax * number(try? value(forKeyPath: "lines.@sum.size")) }
  var byMaximum: Int { tax * number(try? value(forKeyPath: "lines.@max.size")) }
  var byCount: Int { tax * number(try? value(forKeyPath: "lines.@count")) }
  var byArray: Int {
    tax * ((try? value(forKeyPath: "lines.size") as? [Int]) ?? []).reduce(0, +)
  }
  var byKeys: Int { tax * number(try? leaf.dictionaryWithValues(forKeys: ["size"])["size"]) }
  var byProxyCount: Int { tax * mutableArrayValue(for: \.lines).count }
  var byProxyElement: Int { tax * mutableArrayValue(for: \.lines)[0].size }
  var byProxyElements: Int { tax * Leaf.sum(mutableArrayValue(for: \.lines)) }
  var byNamedProxy: Int { tax * ((try? mutableArrayValue(forKey: "lines").count) ?? -1) }
  var bySetProxyCount: Int { tax * mutableSetValue(for: \.group).count }
  var bySetProxyElements: Int { tax * Leaf.sum(mutableSetValue(for: \.group)) }
  var byNamedSetProxy: Int { tax * ((try? mutableSetValue(forKey: "group").count) ?? -1) }
}

/// A getter that reads by name, and what changes what it reads.
private struct NamedRead: CustomStringConvertible, @unchecked Sendable {
  // Sendable because its closure holds nothing.
  let description: String
  let keyPath: KeyPath<Cart, Int>
  let change: (Cart) -> Void

  init(_ name: String, _ keyPath: KeyPath<Cart, Int>, _ change: @escaping (Cart) -> Void) {
    (description, self.keyPath, self.change) = (name, keyPath, change)
  }

  static let all = [
    NamedRead("value(forKey:)", \.byKey) { $0.leaf.size = 4 },
    NamedRead("value(forKey:), another object", \.byKey) { $0.leaf = Leaf() },
    NamedRead("value(forKey:as:)", \.byTypedKey) { $0.leaf.size = 4 },
    NamedRead("value(forKeyPath:)", \.byKeyPath) { $0.leaf.size = 4 },
    NamedRead("value(forKeyPath:), on the way", \.byKeyPath) { $0.leaf = Leaf() },
    NamedRead("value(forKeyPath:), behind nil", \.byLongPath) { $0.leaf.next = Leaf() },
    NamedRead("@sum, an element", \.bySum) { $0.lines[1].size = 4 },
    NamedRead("@sum, the elements", \.bySum) { $0.lines.append(Leaf()) },
    NamedRead("@max", \.byMaximum) { $0.lines[1].size = 4 },
    NamedRead("@count", \.byCount) { $0.lines.append(Leaf()) },
    NamedRead("values of the elements", \.byArray) { $0.lines[1].size = 4 },
    NamedRead("dictionaryWithValues(forKeys:)", \.byKeys) { $0.leaf.size = 4 },
    NamedRead("count of a typed proxy", \.byProxyCount) {
      $0.mutableArrayValue(for: \.lines).append(Leaf())
    },
    NamedRead("element of a typed proxy", \.byProxyElement) { $0.lines[0].size = 4 },
    NamedRead("elements of a typed proxy", \.byProxyElements) { $0.lines[1].size = 4 },
    NamedRead("elements of a typed proxy, their array", \.byProxyElements) {
      $0.lines.removeLast()
    },
    NamedRead("count of a proxy by name", \.byNamedProxy) { $0.lines.removeLast() },
    NamedRead("count of a typed set's proxy", \.bySetProxyCount) { $0.group.insert(Leaf()) },
    NamedRead("elements of a typed set's proxy", \.bySetProxyElements) { $0.group.first!.size = 4 },
    NamedRead("count of a set's proxy by name", \.byNamedSetProxy) {
      $0.mutableSetValue(for: \.group).insert(Leaf())
    },
  ]
}

extension ReachedObjectTests {
  @Test("what a getter reads by name or by a proxy is heard", arguments: NamedRead.all)
  private func names(read: NamedRead) {
    let cart = Cart(), told = Recorder<Int>()
    let token = cart.observe(read.keyPath, options: .new) { told.add($1.newValue!) }
    cart.tax = 2
    read.change(cart)
    #expect(told.count == 2 && told.last == cart[keyPath: read.keyPath])
    token.invalidate()
  }
}
