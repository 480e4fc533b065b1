import IsaKVO
import IsaKVOTestSupport
import Testing

private final class Leaf: KVObject {
  @Dynamic var size = 1
}

private struct Pot {
  var leaf: Leaf? = Leaf()
  var name = ""
}

private final class Plant: KVObject {
  @Dynamic var named = ["a": Leaf()]
  @Dynamic var some: [Leaf?] = [Leaf(), nil]
  @Dynamic var pair = (Leaf(), 1)
  @Dynamic var pot = Pot()
  @Dynamic var anything: Any = Leaf()
  let roots = [Leaf()]
  let pots = [Pot()]
  weak let weakest: Leaf?
  unowned let neighbour: Leaf
  @Dynamic var height = 1

  init(_ neighbour: Leaf) { (self.neighbour, weakest) = (neighbour, neighbour) }

  var namedSize: Int { named.values.reduce(0) { $0 + $1.size } }
  var someSize: Int { some.reduce(0) { $0 + ($1?.size ?? 0) } }
  var anySize: Int { (anything as? Leaf)?.size ?? 0 }
  var rootSize: Int { roots[0].size + pots[0].leaf!.size }
  var total: Int { height + (weakest?.size ?? 0) + neighbour.size }
}

@Suite(.serialized, .leavesNoObjects)
struct HeldObjectsTests {
  /// How often a key path is told of a change.
  private func told(_ keyPath: KeyPath<Plant, Int>, _ change: (Plant) -> Void) throws -> Int {
    let neighbour = Leaf()
    let plant = Plant(neighbour)
    let notes = Recorder<Int>()
    let token = plant.observe(keyPath, options: .new) { _, change in
      notes.add(change.newValue!)
    }
    change(plant)
    #expect(notes.all.last == plant[keyPath: keyPath])
    token.invalidate()
    return notes.all.count
  }

  @Test("an object in a dictionary, an optional, a tuple or a structure is heard")
  func wrapped() throws {
    #expect(try told(\.namedSize) { $0.named["a"]!.size = 2 } == 1)
    #expect(try told(\.someSize) { $0.some[0]!.size = 2 } == 1)
    #expect(try told(\.pair.0.size) { $0.pair.0.size = 2 } == 1)
    #expect(try told(\.pot.leaf!.size) { $0.pot.leaf!.size = 2 } == 1)
    #expect(try told(\.anySize) { ($0.anything as? Leaf)?.size = 2 } == 1)
  }

  @Test("an object in a collection that is a constant is heard")
  func constants() throws {
    #expect(
      try told(\.rootSize) { plant in
        plant.roots[0].size = 2
        plant.pots[0].leaf!.size = 3
      } == 2)
  }

  @Test("weak and unowned constants beside what is observed do no harm")
  func weakConstants() throws {
    #expect(try told(\.total) { $0.height = 2 } == 1)
  }
}
