import IsaKVO
import IsaKVOTestSupport
import IsaRuntime
import Testing

@Suite(.serialized, .leavesNoObjects)
struct NamedCollectionTests {
  @Test("an array by name changes the property and tells which elements came and went")
  func array() throws {
    let human = Human(), told = Recorder<String>()
    human.list = [1, 2, 3]
    let token = human.observe(\.list, options: [.old, .new]) { told.add(words($1)) }
    let list = try human.mutableArrayValue(forKey: "list")
    try list.append(4)
    try list.insert(0, at: 0)
    try list.remove(at: 1)
    try list.replace(at: 0, with: 9.5)
    try list.insert(contentsOf: [7, 8], at: [0, 5])
    try list.remove(at: [0, 5])
    try list.replace(at: [0, 3], with: [5, 6])
    try list.setElements([1, 2])
    try list.removeAll()
    #expect(
      told.all == [
        "insertion [3]: absent → [4]", "insertion [0]: absent → [0]", "removal [1]: [1] → absent",
        "replacement [0]: [0] → [9]", "insertion [0, 5]: absent → [7, 8]",
        "removal [0, 5]: [7, 8] → absent", "replacement [0, 3]: [9, 4] → [5, 6]",
        "replacement [0, 1]: [5, 2] → [1, 2]", "removal [2, 3]: [3, 6] → absent",
        "removal [0, 1]: [1, 2] → absent",
      ])
    #expect(human.list.isEmpty && list.isEmpty)
    token.invalidate()
  }

  @Test("an ordered set tells nothing of a value that is put where it is, whatever box it comes in")
  func sameValues() throws {
    final class Shelf: KVObject {
      @Dynamic var items: RuntimeObject?
    }
    try withClass("Shelf", { try $0.property("items", .object) }) { made in
      for shelf in [try made.allocate(), try RuntimeObject(Shelf())] { try checkSameValues(shelf) }
    }
  }

  private func checkSameValues(_ shelf: RuntimeObject) throws {
    let elements = [2, "b", RuntimeValue(any: Day(number: 1)), 1.5, RuntimeValue(any: [7])]
    try shelf.setValue(RuntimeValue.orderedSet(elements), forKey: "items")
    let items = try shelf.mutableOrderedSetValue(forKey: "items")
    let told = Recorder<RuntimeChange>()
    let token = try shelf.observe("items", options: [.old, .new]) { told.add($0) }
    let same = [2, "b", RuntimeValue(any: Day(number: 1)), 1.5, RuntimeValue(any: [7])]
    for (index, value) in same.enumerated() { try items.replace(at: index, with: value) }
    #expect(told.all.map(\.indexes) == [[], [], [], [], []])
    told.clear()
    try items.formUnion([2, 3, "b"])
    try items.replace(at: 0, with: RuntimeValue(2.0))
    try items.replace(at: 1, with: "c")
    #expect(told.all.map(\.indexes) == [[5], [0], [1]])
    told.clear()
    try shelf.setValue(RuntimeValue.orderedSet(elements), forKey: "items")
    #expect(told.all.map(\.kind) == [.setting])
    token.invalidate()
  }

  @Test("it is read as the property is at the moment")
  func reading() throws {
    let human = Human(), list = try human.mutableArrayValue(forKey: "list")
    human.list = [1, 2]
    #expect(list.elements == [1, 2] && list.count == 2 && list.contains(2))
    #expect(try list.element(at: 1) == 2 && list.firstIndex(of: 2) == 1)
    try list.removeAll(equalTo: 1)
    #expect(human.list == [2])
    #expect(throws: KeyValueError.self) { try list.element(at: 1) }
  }

  @Test("an element of another type or an index beyond the end is refused in silence")
  func refused() throws {
    let human = Human(), told = Recorder<Void>()
    let token = human.observe(\.list, options: [.old, .new, .prior]) { _, _ in told.add(()) }
    let list = try human.mutableArrayValue(forKey: "list")
    let error = #expect(throws: KeyValueError.self) { try list.append("x") }
    #expect(error?.code == .incompatible && error?.key == "list")
    let reason = error?.reason ?? ""
    #expect(reason.contains("Int") && reason.contains("String"))
    #expect(throws: KeyValueError.self) { try list.insert(1, at: 2) }
    #expect(throws: KeyValueError.self) { try list.insert(1, at: -1) }
    #expect(throws: KeyValueError.self) { try list.remove(at: 1) }
    #expect(throws: KeyValueError.self) { try list.replace(at: 1, with: 5) }
    #expect(throws: KeyValueError.self) { try list.remove(at: [0, 1]) }
    #expect(throws: KeyValueError.self) { try list.insert(contentsOf: [1], at: [0, 1]) }
    #expect(throws: KeyValueError.self) { try list.append(RuntimeValue.nilObject) }
    #expect(human.list == [1] && told.count == 0)
    token.invalidate()
  }

  @Test("an observer that leaves no place for the change makes it fail")
  func noPlaceLeft() throws {
    let human = Human()
    let token = human.observe(\.list, options: .prior) { human, change in
      if change.isPrior, change.kind == .removal { human.list = [] }
    }
    #expect(throws: KeyValueError.self) {
      try human.mutableArrayValue(forKey: "list").remove(at: 0)
    }
    #expect(human.list.isEmpty)
    token.invalidate()
  }

  @Test("an observed array by name is changed where it is")
  func inPlace() throws {
    let human = Human(), list = try human.mutableArrayValue(forKey: "list")
    human.list.reserveCapacity(100)
    let token = human.observe(\.list, options: [.old, .new]) { _, _ in }
    let address = human.list.withUnsafeBufferPointer { $0.baseAddress }
    for i in 0..<50 { try list.append(i) }
    #expect(human.list.withUnsafeBufferPointer { $0.baseAddress } == address)
    token.invalidate()
  }

  @Test("a set by name changes the property and tells what came and went")
  func set() throws {
    let human = Human(), told = Recorder<String>()
    human.tags = ["a", "b"]
    let token = human.observe(\.tags, options: [.old, .new]) { told.add(words($1)) }
    let tags = try human.mutableSetValue(forKey: "tags")
    try tags.insert("c")
    try tags.insert("c")
    try tags.remove("a")
    try tags.formUnion(["c", "d"])
    try tags.formIntersection(["c", "d"])
    try tags.subtract(["d"])
    try tags.setElements(["x"])
    try tags.removeAll()
    #expect(
      told.all == [
        "insertion: absent → [\"c\"]", "insertion: absent → []", "removal: [\"a\"] → absent",
        "insertion: absent → [\"d\"]",
        "removal: [\"b\"] → absent", "removal: [\"d\"] → absent",
        "replacement: [\"c\"] → [\"x\"]", "removal: [\"x\"] → absent",
      ])
    #expect(human.tags.isEmpty && tags.isEmpty)
    #expect(throws: KeyValueError.self) { try tags.insert(5) }
    try tags.remove(5)
    token.invalidate()
  }

  @Test("a key path by name changes the last object's collection")
  func paths() throws {
    let human = Human(), friend = Human(), told = Recorder<String>()
    let holder = Cell(friend)
    let token = friend.observe(\.list, options: .new) { told.add(words($1)) }
    try holder.mutableArrayValue(forKeyPath: "value.list").append(3)
    try holder.mutableSetValue(forKeyPath: "value.tags").insert("x")
    #expect(told.all == ["insertion [1]: absent → [3]"] && friend.tags == ["x"])
    try human.mutableArrayValue(forKey: "friends").append(RuntimeObject(friend))
    #expect(human.friends.count == 1 && human.friends[0] === friend)
    token.invalidate()
  }

  @Test("other keys have a collection by name too: optional, lazy, declared")
  func others() throws {
    final class Odd: KVObject {
      @Dynamic var maybe: [Int]? = [1]
      @LazyDynamic var late = [1]
      @Dynamic var loud = [1] { didSet { sets += 1 } }
      var sets = 0
      override class var keys: [KeyDeclaration] { [.key("loud", \Odd.loud)] }
    }
    let odd = Odd(), told = Recorder<String>()
    let tokens = [
      odd.observe(\.maybe, options: .new) { told.add(words($1)) },
      odd.observe(\.late, options: .new) { told.add(words($1)) },
      odd.observe(\.loud, options: .new) { told.add(words($1)) },
    ]
    try odd.mutableArrayValue(forKey: "maybe").append(2)
    try odd.mutableArrayValue(forKey: "late").append(3)
    try odd.mutableArrayValue(forKey: "loud").append(4)
    odd.mutableArrayValue(for: \.late).append(5)
    #expect(
      told.all == [
        "insertion [1]: absent → Optional([2])", "insertion [1]: absent → [3]",
        "insertion [1]: absent → [4]", "insertion [2]: absent → [5]",
      ])
    #expect(odd.maybe == [1, 2] && odd.late == [1, 3, 5] && odd.loud == [1, 4] && odd.sets == 1)
    #expect(throws: KeyValueError.self) {
      try odd.mutableArrayValue(forKey: "nothing").append(1)
    }
    tokens.forEach { $0.invalidate() }
  }
}

/// A value that the runtime has no type of its own for.
private struct Day: Hashable { let number: Int }
